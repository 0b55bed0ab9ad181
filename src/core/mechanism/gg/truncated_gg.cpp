// truncated_gg(p=..., lower=..., upper=...): an answer inside the declared range, of probability proportional to
// e^{-(|y - x|/b)^p}, x the exact answer clamped into the range. Pure epsilon-differential privacy.
//
// Source: Liu, "Generalized Gaussian Mechanism for Differential Privacy" (2019), section 3, with the exact scale
// instead of the paper's bound. The normaliser depends on x, which costs privacy too; range_loss.h proves where the
// loss is worst and certifies it for the integer law. The range is declared, never taken from the data. One number
// only.
#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/gg/power_keys.h"
#include "core/mechanism/gg/power_shape.h"
#include "core/mechanism/gg/range_family.h"

namespace dp::mechanism {
namespace {

void check_truncated(const Mechanism& m) {
  check_range(m);
  const double p = required_power(m, 0).value();
  if (p > 1 && p < 2) {
    throw Error("p of truncated_gg must be 1 or at least 2, not " + decimal(p),
                "Use bit_gg(p=" + decimal(p) + ", ...), or truncated_gg(p=2, ...).");
  }
}

Calibration calibrate_truncated(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  const auto [noise, low, high] = calibrate_range(RangeLaw::truncated, m, epsilon, changes, lattice);
  return {m, noise::TruncatedGeneralisedGaussian{noise, low, high}, 0};
}

Description describe_truncated(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  return describe_range(RangeLaw::truncated, m, epsilon, sensitivity, lattice);
}

}  // namespace

// Of an exact answer in the middle of the range.
Loss loss(const noise::TruncatedGeneralisedGaussian& law) {
  const auto width = static_cast<double>(law.high - law.low);
  return integer_range_shape(RangeLaw::truncated, law.noise.power, law.noise.scale(), width).loss;
}

const Family kTruncatedGg{"truncated_gg",      "truncated_gg(p=2, lower=0, upper=100)",
                          kRangeKeys,          check_truncated,
                          calibrate_truncated, describe_truncated};

}  // namespace dp::mechanism
