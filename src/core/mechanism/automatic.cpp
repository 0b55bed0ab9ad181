// auto: the pure mechanism with the least expected absolute error for the changes at hand.
//
// Choosing looks at public parameters only, so it costs nothing.

#include <array>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"

namespace dp::mechanism {
namespace {

// On the fine lattice geometric and laplace are the same law; on whole numbers laplace is geometric's poorer sister.
std::array<const Family*, 2> candidates(Lattice lattice) {
  return {lattice == Lattice::integer ? &kGeometric : &kLaplace, &kStaircase};
}

// Beyond what doubles round: the two laws are the same at sensitivity 1, where the first is to be named.
bool clearly_better(const Loss& a, const Loss& b) { return a.expected_abs < b.expected_abs * (1 - 1e-9); }

// A candidate without keys of its own: every key at its default.
Mechanism plain(const Family* family) {
  Mechanism m{family};
  for (std::size_t i = 0; i < family->keys.size(); ++i) m.values[i] = Choice{0};
  return m;
}

// Laws of whole vectors are for who names them: `auto` draws number by number.
Calibration calibrate_auto(const Mechanism&, Epsilon epsilon, const Changes& asked, Lattice lattice) {
  Changes changes = asked;
  changes.vector = 0;
  const auto [first, second] = candidates(lattice);
  const Calibration a = calibrate(plain(first), epsilon, changes, lattice);
  const Calibration b = calibrate(plain(second), epsilon, changes, lattice);
  return clearly_better(loss(b.law), loss(a.law)) ? b : a;  // neither refines the lattice
}

Description describe_auto(const Mechanism&, Epsilon epsilon, double sensitivity, Lattice lattice) {
  const auto [first, second] = candidates(lattice);
  const Description a = describe(plain(first), epsilon, sensitivity, lattice);
  const Description b = describe(plain(second), epsilon, sensitivity, lattice);
  return clearly_better(b.loss, a.loss) ? b : a;
}

}  // namespace

Mechanism relaxable(const Mechanism& mechanism, Lattice lattice) {
  return mechanism.family == &kAuto ? plain(candidates(lattice)[0]) : mechanism;
}

// The deviations are l2/epsilon and sqrt(2) l1/epsilon.
Mechanism of_divergences(const Mechanism& mechanism, const Changes& changes) {
  constexpr unsigned kParts = 8;
  const bool halves = noise::checked_mul(changes.l2_in_parts(kParts), 3) <= noise::checked_mul(changes.l1, 2 << kParts);
  return mechanism.family == &kAuto && halves ? parse("gaussian") : mechanism;
}

const Family kAuto{"auto", "auto", {}, accept_keys, calibrate_auto, describe_auto};

}  // namespace dp::mechanism
