// auto: the pure mechanism with the least expected absolute error for the changes at hand.
//
// Choosing looks at public parameters only, so it costs nothing.

#include <array>

#include "mechanism/catalogue.h"

namespace dp::mechanism {
namespace {

// On the fine lattice geometric and laplace are the same law; on whole numbers laplace is geometric's poorer sister.
std::array<const Family*, 2> candidates(Lattice lattice) {
  return {lattice == Lattice::integer ? &kGeometric : &kLaplace, &kStaircase};
}

// A candidate without keys of its own: every key at its default.
Mechanism plain(const Family* family) {
  Mechanism m{family};
  for (std::size_t i = 0; i < family->keys.size(); ++i) m.values[i] = Choice{0};
  return m;
}

Calibration calibrate_auto(const Mechanism&, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  const auto [first, second] = candidates(lattice);
  const Calibration a = calibrate(plain(first), epsilon, changes, lattice);
  const Calibration b = calibrate(plain(second), epsilon, changes, lattice);
  return loss(b.law).expected_abs < loss(a.law).expected_abs ? b : a;  // neither refines the lattice
}

Description describe_auto(const Mechanism&, Epsilon epsilon, double sensitivity, Lattice lattice) {
  const auto [first, second] = candidates(lattice);
  const Description a = describe(plain(first), epsilon, sensitivity, lattice);
  const Description b = describe(plain(second), epsilon, sensitivity, lattice);
  return b.loss.expected_abs < a.loss.expected_abs ? b : a;
}

}  // namespace

const Family kAuto{"auto", "auto", {}, accept_keys, calibrate_auto, describe_auto};

}  // namespace dp::mechanism
