#include "core/accounting/divergences.h"

#include <algorithm>
#include <limits>

namespace dp::budget {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t capped(__int128 value) { return value > kMost ? kMost : static_cast<std::int64_t>(value); }

}  // namespace

Divergences Divergences::times(std::int64_t factor) const {
  Divergences product;
  for (std::size_t i = 0; i < kOrders; ++i) product.at[i] = capped(static_cast<__int128>(at[i]) * factor);
  product.unbounded = capped(static_cast<__int128>(unbounded) * factor);
  return product;
}

Divergences operator-(const Divergences& a) { return a.times(-1); }

Spending since(const Spending& all, const Spending& before) {
  const auto later = [](std::int64_t sum, std::int64_t earlier) { return sum == kMost ? kMost : sum - earlier; };
  Spending after = {{later(all.epsilon, before.epsilon), later(all.delta, before.delta)}, {}};
  for (std::size_t i = 0; i < kOrders; ++i)
    after.divergences.at[i] = later(all.divergences.at[i], before.divergences.at[i]);
  after.divergences.unbounded = later(all.divergences.unbounded, before.divergences.unbounded);
  return after;
}

Divergences rough_divergences(std::int64_t epsilon) {
  Divergences rough;
  if (epsilon <= 0) return rough;
  const std::int64_t whole = capped(static_cast<__int128>(epsilon) * Divergences::kPerNano);
  rough.at.fill(whole);
  // From 2 on epsilon is the smaller one at each order, and its square may be too large.
  constexpr std::int64_t kTwo = 2'000'000'000;
  if (epsilon >= kTwo) return rough;
  // Of alpha epsilon^2 / 2: epsilon^2 is one of 10^-18, the order is doubled. In two parts, which 63 bits hold.
  constexpr std::int64_t kQuanta = 4 * 1'000'000;
  const std::int64_t square = epsilon * epsilon;
  for (std::size_t i = 0; i < kOrders; ++i) {
    const std::int64_t rest = square % kQuanta * kTwiceOrders[i];
    rough.at[i] = std::min(whole, square / kQuanta * kTwiceOrders[i] + (rest + kQuanta - 1) / kQuanta);
  }
  return rough;
}

}  // namespace dp::budget
