#include "core/accumulate/response.h"

#include <cmath>

namespace dp::aggregate {

ResponseEstimate estimate_truth(std::uint64_t count, std::uint64_t responses, int categories, noise::Odds odds) {
  // With a = 1/E and d = 1 + (k-1) a: p = 1/d, q = a/d, p - q = (1-a)/d, 1 - p - q = (k-2) a/d. Nothing overflows.
  const auto parts = static_cast<double>(odds.parts);
  const double a = static_cast<double>(noise::Odds::kOne) / parts;
  const double one_less_a = static_cast<double>(odds.parts - noise::Odds::kOne) / parts;
  const double d = 1 + (categories - 1) * a;
  const auto c = static_cast<double>(count);
  const auto all = static_cast<double>(responses);
  return {(c * d - all * a) / one_less_a, std::sqrt(c * (categories - 2) * a * d + all * a) / one_less_a};
}

}  // namespace dp::aggregate
