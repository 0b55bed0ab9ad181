#include "core/accounting/divergences.h"

#include <algorithm>
#include <limits>

namespace dp::budget {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t capped(__int128 value) { return value > kMost ? kMost : static_cast<std::int64_t>(value); }

}  // namespace

Divergences& Divergences::operator+=(const Divergences& other) {
  for (std::size_t i = 0; i < kOrders; ++i) at[i] = capped(static_cast<__int128>(at[i]) + other.at[i]);
  unbounded = capped(static_cast<__int128>(unbounded) + other.unbounded);
  return *this;
}

Divergences Divergences::times(std::int64_t factor) const {
  Divergences product;
  for (std::size_t i = 0; i < kOrders; ++i) product.at[i] = capped(static_cast<__int128>(at[i]) * factor);
  product.unbounded = capped(static_cast<__int128>(unbounded) * factor);
  return product;
}

Divergences operator-(const Divergences& a) { return a.times(-1); }

Spending& Spending::operator+=(const Spending& other) {
  epsilon = capped(static_cast<__int128>(epsilon) + other.epsilon);
  delta = capped(static_cast<__int128>(delta) + other.delta);
  divergences += other.divergences;
  return *this;
}

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
  const __int128 whole = static_cast<__int128>(epsilon) * Divergences::kPerNano;
  // From 2 on epsilon is the smaller one at each order, and its square may be too large.
  constexpr std::int64_t kTwo = 2'000'000'000;
  // Of alpha epsilon^2 / 2: epsilon^2 is one of 10^-18, the order is doubled.
  constexpr __int128 kQuanta = 4 * 1'000'000;
  for (std::size_t i = 0; i < kOrders; ++i) {
    __int128 least = whole;
    if (epsilon < kTwo)
      least = std::min(least, (whole / Divergences::kPerNano * epsilon * kTwiceOrders[i] + kQuanta - 1) / kQuanta);
    rough.at[i] = capped(least);
  }
  return rough;
}

}  // namespace dp::budget
