// The laws of a Gaussian noise path, from the formulas in core/noise/gaussian_path.h: of small lattices, in 50 digits.
#pragma once

#include <cstdint>
#include <vector>

#include "support/laws.h"

namespace dp::test {

// P(z) proportional to exp(-(z - centre)^2 / (2 variance)), over the numbers from -kFar to kFar.
class CentredGaussian {
 public:
  static constexpr std::int64_t kFar = 200;

  CentredGaussian(const Real& centre, const Real& variance) {
    Real total = 0;
    for (std::int64_t z = -kFar; z <= kFar; ++z) {
      masses_.push_back(exp(-(z - centre) * (z - centre) / (2 * variance)));
      total += masses_.back();
    }
    for (Real& mass : masses_) mass /= total;
  }

  Real mass(std::int64_t z) const { return z < -kFar || z > kFar ? Real(0) : masses_[z + kFar]; }

 private:
  std::vector<Real> masses_;
};

// The noise of the finer level, of that variance, given the coarser one's.
inline CentredGaussian relaxed_gaussian(const Real& coarse, const Real& fine, std::int64_t given) {
  const Real k = fine / coarse;
  return {k * given, fine * (1 - k)};
}

}  // namespace dp::test
