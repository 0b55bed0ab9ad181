#include "core/accounting/renyi_filter.h"

#include <algorithm>

#include "core/number/real.h"

namespace dp::budget {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t both;
  return __builtin_add_overflow(a, b, &both) ? kMost : both;
}

std::int64_t nano_above(std::int64_t units) {
  return units / Divergences::kPerNano + (units % Divergences::kPerNano > 0 ? 1 : 0);
}

}  // namespace

Conversion::Conversion(std::int64_t delta) : usable_(delta > 0) {
  if (!usable_) return;
  const Real share = log(Real(delta) / Real(std::int64_t{1'000'000'000'000'000'000}) / Real(kOrders));
  for (std::size_t i = 0; i < kOrders; ++i) {
    const Real alpha = Real(kTwiceOrders[i]) / Real(2), less = alpha - Real(1);
    const Real shift = (share - alpha * log1p(Real(-1) / alpha) + log(less)) / less;
    shift_[i] = static_cast<std::int64_t>(floor(shift * Real(Divergences::kPerUnit))) - 1;
    certain_[i] = static_cast<std::int64_t>(ceil(-share / less * Real(Divergences::kPerUnit))) + 1;
  }
}

std::int64_t Conversion::limit(std::int64_t epsilon, std::size_t order) const {
  const __int128 units = static_cast<__int128>(epsilon) * Divergences::kPerNano + shift_[order];
  return units > kMost ? kMost : static_cast<std::int64_t>(units);
}

std::int64_t Conversion::least_epsilon(const Divergences& divergences) const {
  std::int64_t least = kNone;
  for (std::size_t i = 0; usable_ && i < kOrders; ++i) {
    if (divergences.at[i] == kMost) continue;
    // A limit below zero is none, also for what has spent nothing.
    const std::int64_t units = sum(std::max<std::int64_t>(divergences.at[i], 0), -shift_[i]);
    if (units != kMost) least = std::min(least, nano_above(std::max<std::int64_t>(units, 0)));
  }
  return least;
}

std::int64_t Conversion::spent_epsilon(const Divergences& divergences) const {
  std::int64_t least = kNone;
  for (std::size_t i = 0; usable_ && i < kOrders; ++i) {
    const std::int64_t units = sum(divergences.at[i], certain_[i]);
    if (units != kMost) least = std::min(least, nano_above(units));
  }
  return least;
}

namespace {

Spending together(const Spending& spent, const Spending& asked, std::int64_t times = 1) {
  Spending all = spent;
  std::int64_t more;
  all.epsilon = __builtin_mul_overflow(asked.epsilon, times, &more) ? kMost : sum(spent.epsilon, more);
  all.delta = __builtin_mul_overflow(asked.delta, times, &more) ? kMost : sum(spent.delta, more);
  all.divergences += asked.divergences.times(times);
  return all;
}

std::int64_t least_epsilon(const RenyiLimit& limit, const Spending& all) {
  return std::min(all.sum_of_epsilon(), limit.conversion->least_epsilon(all.divergences));
}

bool asks_nothing(const Spending& asked) { return asked.zero() && asked.divergences == Divergences{}; }

bool holds(const RenyiLimit& limit, const Spending& spent, const Spending& asked, std::int64_t times) {
  const Spending all = together(spent, asked, times);
  return (asked.delta == 0 || all.delta <= limit.delta_of_answers) && least_epsilon(limit, all) <= limit.epsilon;
}

}  // namespace

bool admits(const RenyiLimit& limit, const Spending& spent, const Spending& asked) {
  return asks_nothing(asked) || holds(limit, spent, asked, 1);
}

std::int64_t times_admitted(const RenyiLimit& limit, const Spending& spent, const Spending& asked) {
  if (asks_nothing(asked)) return kMost;
  std::int64_t fits = 0, beyond = kMost;
  while (beyond - fits > 1) {
    const std::int64_t middle = fits + (beyond - fits) / 2;
    (holds(limit, spent, asked, middle) ? fits : beyond) = middle;
  }
  return fits;
}

std::int64_t wanted_epsilon(const RenyiLimit& limit, const Spending& spent, const Spending& asked) {
  return std::max(limit.epsilon, least_epsilon(limit, together(spent, asked)));
}

std::int64_t epsilon_in_use(const RenyiLimit& limit, const Spending& spent) { return least_epsilon(limit, spent); }

}  // namespace dp::budget
