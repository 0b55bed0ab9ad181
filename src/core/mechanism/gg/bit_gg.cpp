// bit_gg(p=..., lower=..., upper=...): generalised Gaussian noise added to the exact answer clamped into the declared
// range, and what falls outside put on the boundary (boundary-inflated truncation). Pure epsilon-differential privacy.
//
// Source: Liu, "Generalized Gaussian Mechanism for Differential Privacy" (2019), section 3. The paper gives no scale
// for this law, and its equations 7 and 8, which hold for an open interval, are unsafe here: at p = 4, a range of 10
// and epsilon = 0.1 they lose 0.141. The loss is worst at the boundary (proof in range_loss.h): ln T(W - D) - ln T(W) =
// epsilon, T the upper tail, has one root, which is certified for the integer law. The range is declared, never taken
// from the data. One number only.
#include "core/mechanism/catalogue.h"
#include "core/mechanism/gg/power_shape.h"
#include "core/mechanism/gg/range_family.h"

namespace dp::mechanism {
namespace {

Calibration calibrate_bit(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  const auto [noise, low, high] = calibrate_range(RangeLaw::boundary, m, epsilon, changes, lattice);
  return {m, noise::BoundaryInflatedGaussian{noise, low, high}, 0};
}

Description describe_bit(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  return describe_range(RangeLaw::boundary, m, epsilon, sensitivity, lattice);
}

}  // namespace

// Of an exact answer in the middle of the range.
Loss loss(const noise::BoundaryInflatedGaussian& law) {
  const auto width = static_cast<double>(law.high - law.low);
  return integer_range_shape(RangeLaw::boundary, law.noise.power, law.noise.scale(), width).loss;
}

const Family kBitGg{"bit_gg", "bit_gg(p=2, lower=0, upper=100)", kRangeKeys, check_range, calibrate_bit, describe_bit};

}  // namespace dp::mechanism
