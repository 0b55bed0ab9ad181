// The truncated discrete Laplace law in 50-digit arithmetic, summed term by term, not from src/.
#pragma once

#include <cstdint>
#include <vector>

#include "support/laws.h"

namespace dp::test {

class TruncatedLaplaceLaw : public Symmetric<TruncatedLaplaceLaw> {
 public:
  TruncatedLaplaceLaw(const Real& rate, std::int64_t bound) : rate_(rate), bound_(bound), from_(2 * bound + 2) {
    for (std::int64_t x = bound; x >= -bound; --x) from_[x + bound] = from_[x + bound + 1] + weight(x);
  }

  Real mass(std::int64_t x) const { return x < -bound_ || x > bound_ ? Real(0) : Real(weight(x) / from_[0]); }
  Real upper(std::int64_t x) const {
    return x > bound_ ? Real(0) : x <= -bound_ ? Real(1) : Real(from_[x + bound_] / from_[0]);
  }

 private:
  Real weight(std::int64_t x) const { return exp(-rate_ * (x < 0 ? -x : x)); }

  Real rate_;
  std::int64_t bound_;
  std::vector<Real> from_;  // sums of the weights from -bound, -bound + 1, ... on
};

}  // namespace dp::test
