// What is charged to an account that counts in Rényi divergences: a bound for each of 16 orders, beside epsilon and
// delta.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/accounting/amount.h"

namespace dp::budget {

// The orders, doubled, because one of them is 1.5. Their number and order are part of what is stored.
inline constexpr std::array<std::int64_t, 16> kTwiceOrders = {3,  4,  6,  8,   12,  16,  24,  32,
                                                              48, 64, 96, 128, 192, 256, 512, 1024};
inline constexpr std::size_t kOrders = kTwiceOrders.size();

// A sum that stays at the end of 63 bits where it would leave them.
inline std::int64_t capped_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  return __builtin_add_overflow(a, b, &sum) && a > 0 ? std::numeric_limits<std::int64_t>::max() : sum;
}

// Divergences in units of 10^-12, one for each order, rounded up. They add up exactly and in any sequence; a sum beyond
// 63 bits stays at their end, where it fits no limit.
struct Divergences {
  static constexpr std::int64_t kPerUnit = 1'000'000'000'000;
  static constexpr std::int64_t kPerNano = kPerUnit / 1'000'000'000;

  std::array<std::int64_t, kOrders> at{};
  std::int64_t unbounded = 0;  // of how many losses there is no bound: where there is one, no sum of epsilon holds

  Divergences& operator+=(const Divergences& other) {
    for (std::size_t i = 0; i < kOrders; ++i) at[i] = capped_sum(at[i], other.at[i]);
    unbounded = capped_sum(unbounded, other.unbounded);
    return *this;
  }
  Divergences times(std::int64_t factor) const;

  // What takes them off a sum again.
  friend Divergences operator-(const Divergences& a);

  friend bool operator==(const Divergences&, const Divergences&) = default;
};

// Of anything that is epsilon-DP, by integers alone: no more than epsilon, and no more than alpha epsilon^2 / 2, of
// which the sharp curve (loss.h) is at most some hundredths below where epsilon is small. What accounts count that add
// up epsilon, for the case that they are to count divergences later.
Divergences rough_divergences(std::int64_t epsilon);

// What an account was charged, or is asked: as it adds up, and in divergences. A sum of each beyond 63 bits stays at
// their end, where nothing fits any more.
struct Spending : Amount {
  Divergences divergences;

  Spending& operator+=(const Spending& other) {
    epsilon = capped_sum(epsilon, other.epsilon);
    delta = capped_sum(delta, other.delta);
    divergences += other.divergences;
    return *this;
  }

  // What no loss exceeds; the largest number where one has no bound.
  std::int64_t sum_of_epsilon() const {
    return divergences.unbounded == 0 ? epsilon : std::numeric_limits<std::int64_t>::max();
  }

  // By basic composition alone.
  static Spending of(const Amount& amount) { return {amount, rough_divergences(amount.epsilon)}; }

  // Whether the divergences are no others than those.
  bool is_rough() const { return divergences == rough_divergences(epsilon); }

  friend Spending operator-(const Spending& a) { return {-static_cast<const Amount&>(a), -a.divergences}; }
  friend bool operator==(const Spending&, const Spending&) = default;
};

// Of a sum what came after the one that it was once. Where it stays at the end of 63 bits nothing of it is known to be
// older.
Spending since(const Spending& all, const Spending& before);

}  // namespace dp::budget
