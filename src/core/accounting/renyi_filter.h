// When an account that counts Rényi divergences may be charged: a filter for askers who choose each question by the
// answers before it.
//
// An account promises (epsilon, delta). Its delta has two parts: one pays for turning divergences into epsilon, the
// other is what answers with a delta of their own add up to. A charge is admitted where that sum fits and
//   - the sum of epsilon fits, as in an account that adds it up, and is a bound for each answer, or
//   - at one of the orders alpha the divergences stay within
//     epsilon + [ln(w delta) - alpha ln(1 - 1/alpha) + ln(alpha - 1)] / (alpha - 1),   w = 1/16, delta the first part.
// Which order it is may depend on the answers, so each order has a share w of that delta; they share it whole.
//
// Proof: at each order exp((alpha - 1)(loss - divergences)) is a supermartingale. Where order alpha is the one that
// holds in the end, the share of answers whose loss exceeds epsilon weighs at most w delta (Canonne, Kamath, Steinke
// 2020, Proposition 12, for the constant); where the sum of epsilon fits there are none. An answer with a delta is with
// that chance no answer at all of this kind, and these chances add up. Of answers without a delta such an account never
// admits less than one that adds up epsilon.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/accounting/divergences.h"

namespace dp::budget {

// What divergences may be at an epsilon, relative to it, for one part of delta (10^-18 its quantum): in their units,
// rounded down, and one unit less.
class Conversion {
 public:
  // No order can be used.
  Conversion() = default;
  explicit Conversion(std::int64_t delta);

  // The limit at the order of that number.
  std::int64_t limit(std::int64_t epsilon, std::size_t order) const;

  // The least epsilon (nano, rounded up) at which the divergences are within the limit of an order; the largest number
  // where there is none.
  std::int64_t least_epsilon(const Divergences& divergences) const;

  // What the loss of all answers together exceeds with a chance of at most delta, at whatever moment (nano, rounded
  // up); the largest number where nothing is known. Larger than least_epsilon(), which is for one moment.
  std::int64_t spent_epsilon(const Divergences& divergences) const;

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  bool usable_ = false;
  std::array<std::int64_t, kOrders> shift_{};    // of the limit below epsilon
  std::array<std::int64_t, kOrders> certain_{};  // what has to be added to divergences for a bound at all moments
};

// The promise of one account that counts divergences.
struct RenyiLimit {
  std::int64_t epsilon;
  std::int64_t delta_of_answers;
  const Conversion* conversion;
};

// Whether the account, having spent that, may be charged so much more. What asks nothing fits.
bool admits(const RenyiLimit& limit, const Spending& spent, const Spending& asked);

// How often the same may be charged, one after the other; 0 to the largest number, which means always.
std::int64_t times_admitted(const RenyiLimit& limit, const Spending& spent, const Spending& asked);

// The epsilon that the limit has to have for that: no less than it has.
std::int64_t wanted_epsilon(const RenyiLimit& limit, const Spending& spent, const Spending& asked);

// Of the promised epsilon the part that is spent, as far as admission goes.
std::int64_t epsilon_in_use(const RenyiLimit& limit, const Spending& spent);

}  // namespace dp::budget
