#include "budget/ledger/room.h"

#include <algorithm>

#include "budget/ledger/known_divergences.h"

namespace dp::budget {
namespace {

// Beyond these a limit is not one that can be set.
constexpr std::int64_t kHighestEpsilon = 9'000'000'000'000'000'000;
constexpr std::int64_t kHighestDelta = 999'999'999'999'999'999;

// A sum beyond 63 bits does not fit.
bool fits(std::int64_t asked, std::int64_t spent, std::int64_t limit) {
  std::int64_t sum;
  return asked == 0 || (!__builtin_add_overflow(spent, asked, &sum) && sum <= limit);
}

std::int64_t times_left(std::int64_t asked, std::int64_t spent, std::int64_t limit) {
  return asked == 0 ? PG_INT64_MAX : std::max<std::int64_t>(0, limit - spent) / asked;
}

RenyiLimit renyi_limit(const Share& share, const Limit& limit) {
  return {limit.total.epsilon, limit.answer_delta(true), &share.conversion};
}

// As if it had no delta, of which fits_delta() knows.
Spending without_delta(const Spending& spending) { return {{spending.epsilon, 0}, spending.divergences}; }

std::optional<std::int64_t> wanted_sum(std::int64_t asked, std::int64_t spent, std::int64_t limit) {
  std::int64_t sum;
  if (__builtin_add_overflow(spent, asked, &sum)) return std::nullopt;
  return std::max(sum, limit);
}

}  // namespace

void begin_share(Share* share, const Limit& limit, Accountant accountant) {
  share->counts_divergences = accountant == Accountant::renyi;
  share->period = limit.period;
  if (share->counts_divergences) share->conversion = known_conversion(limit.conversion_delta());
}

bool fits_epsilon(const Share& share, const Limit& limit) {
  if (!share.counts_divergences) return fits(share.asked.epsilon, share.spent.sum_of_epsilon(), limit.total.epsilon);
  return admits(renyi_limit(share, limit), without_delta(share.spent), without_delta(share.asked));
}

bool fits_delta(const Share& share, const Limit& limit) {
  return fits(share.asked.delta, share.spent.delta, limit.answer_delta(share.counts_divergences));
}

Amount in_use(const Share& share, const Limit& limit) {
  if (!share.counts_divergences) return share.spent;
  return {epsilon_in_use(renyi_limit(share, limit), share.spent), share.spent.delta};
}

std::int64_t spent_epsilon(const Share& share) {
  if (!share.counts_divergences) return share.spent.epsilon;
  return std::min(share.spent.sum_of_epsilon(), share.conversion.spent_epsilon(share.spent.divergences));
}

std::optional<Amount> wanted(const Share& share, const Limit& limit) {
  const bool divergences = share.counts_divergences;
  const auto epsilon = divergences ? std::optional(wanted_epsilon(renyi_limit(share, limit), share.spent, share.asked))
                                   : wanted_sum(share.asked.epsilon, share.spent.epsilon, limit.total.epsilon);
  const std::int64_t of_answers = limit.answer_delta(divergences);
  auto delta = wanted_sum(share.asked.delta, share.spent.delta, of_answers);
  if (!epsilon || !delta) return std::nullopt;
  // What is set aside stays what it is, or a half.
  if (*delta == of_answers) {
    delta = limit.total.delta;
  } else if (divergences) {
    delta = limit.conversion > 0 ? *delta + limit.conversion : 2 * std::min(*delta, kHighestDelta);
  }
  if (*epsilon > kHighestEpsilon || *delta > kHighestDelta) return std::nullopt;
  return Amount{*epsilon, *delta};
}

std::int64_t times_left(const Share& share, const Limit& limit) {
  const std::int64_t of_delta =
      times_left(share.asked.delta, share.spent.delta, limit.answer_delta(share.counts_divergences));
  if (!share.counts_divergences)
    return std::min(of_delta, times_left(share.asked.epsilon, share.spent.sum_of_epsilon(), limit.total.epsilon));
  return std::min(of_delta,
                  times_admitted(renyi_limit(share, limit), without_delta(share.spent), without_delta(share.asked)));
}

}  // namespace dp::budget
