#include "core/accumulate/response.h"

#include <cmath>

namespace dp::aggregate {

ResponseEstimate estimate_truth(std::uint64_t count, std::uint64_t responses, int categories,
                                mechanism::Epsilon epsilon) {
  // With a = e^{-epsilon} and d = 1 + (n-1) a: p = 1/d, q = a/d, p - q = (1-a)/d, 1 - p - q = (n-2) a/d. Nothing
  // overflows.
  const double a = std::exp(-epsilon.value());
  const double one_less_a = -std::expm1(-epsilon.value());
  const double d = 1 + (categories - 1) * a;
  const auto c = static_cast<double>(count);
  const auto all = static_cast<double>(responses);
  return {(c * d - all * a) / one_less_a, std::sqrt(c * (categories - 2) * a * d + all * a) / one_less_a};
}

}  // namespace dp::aggregate
