// rounded_geometric(step=...): the answer is rounded to a multiple of the step, then geometric noise in steps is added.
//
// Source: Chen, Pal, Golubchik, "Oblivious Mechanisms in Differential Privacy", section 5.2. Where the step divides the
// sensitivity D, two answers that differ by at most D are rounded to multiples that differ by at most D/step, so
// geometric noise of rate epsilon step/D on these is epsilon-private. It is a heuristic for users who ask only for an
// answer that is right to the step; the paper's own use of it loses to publishing a constant for epsilon up to 5.
// Rounding moves each coordinate by itself, so m coordinates get epsilon/m.
#include <cmath>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"

namespace dp::mechanism {
namespace {

using noise::Uint128;

constexpr Key kKeys[] = {{"step", Key::Type::number}};

void check_rounded(const Mechanism& m) {
  const auto* const step = std::get_if<double>(&m.values[0]);
  if (step != nullptr && *step > 0) return;
  throw Error(step == nullptr ? std::string("mechanism \"rounded_geometric\" needs step")
                              : "step must be above zero, not " + decimal(*step),
              "Give the spacing of the answers, which divides the sensitivity: for example rounded_geometric(step=5).");
}

// The step in lattice steps; it must be a whole number of them that divides the sensitivity, else rounding costs
// privacy.
Uint128 lattice_step(const Mechanism& m, Uint128 sensitivity, Lattice lattice) {
  const double step = std::get<double>(m.values[0]);
  const double steps = std::ldexp(step, -lattice.exponent);
  if (steps >= 1 && steps <= 0x1p64 && steps == std::floor(steps)) {
    const auto whole = static_cast<Uint128>(steps);
    if (sensitivity % whole == 0) return whole;
  }
  const double size = std::ldexp(static_cast<double>(sensitivity), lattice.exponent);
  throw Error(
      "step " + decimal(step) + " does not divide the sensitivity " + decimal(size),
      "Use a step that fits a whole number of times into the most that one row, or the rows of one privacy unit, can "
      "change the answer.");
}

Calibration calibrate_rounded(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  const Uint128 step = lattice_step(m, changes.linf, lattice);
  const Uint128 reach = noise::checked_mul(changes.linf / step, changes.coordinates);
  return {m, noise::RoundedGeometric{step, {epsilon.per(reach)}}, 0};
}

// Of the noise on the rounded answer; the rounding itself adds at most half a step.
Description describe_rounded(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  const double step = std::get<double>(m.values[0]);
  if (std::fmod(sensitivity, step) != 0) lattice_step(m, static_cast<Uint128>(sensitivity), lattice);
  const Description unit = kGeometric.describe(m, epsilon, sensitivity / step, lattice);
  return {m,
          {unit.loss.scale * step, unit.loss.expected_abs * step, unit.loss.expected_sq * step * step,
           unit.loss.entropy_bits, unit.loss.interval95 * step},
          [=](double t) { return unit.within(t / step); },
          [=](double t) { return unit.phi(t * step); }};
}

}  // namespace

Loss loss(const noise::RoundedGeometric& law) {
  const auto step = static_cast<double>(law.step);
  const Loss unit = loss(law.noise);
  return {unit.scale * step, unit.expected_abs * step, unit.expected_sq * step * step, unit.entropy_bits,
          unit.interval95 * step};
}

const Family kRoundedGeometric{"rounded_geometric", "rounded_geometric(step=5)", kKeys,
                               check_rounded,       calibrate_rounded,           describe_rounded};

}  // namespace dp::mechanism
