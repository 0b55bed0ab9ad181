// What there is room for in an account, by what it counts: epsilon, or Rényi divergences beside it.
#pragma once

#include <optional>

#include "budget/catalog/policy_rows.h"
#include "budget/ledger/shared_totals.h"

namespace dp::budget {

// Makes a share one of an account with that limit: a role's account counts what its table's does.
void begin_share(Share* share, const Limit& limit, Accountant accountant);

// Whether what is asked, beside what is spent, stays within the account's limits.
bool fits_epsilon(const Share& share, const Limit& limit);
bool fits_delta(const Share& share, const Limit& limit);
inline bool fits(const Share& share, const Limit& limit) {
  return fits_epsilon(share, limit) && fits_delta(share, limit);
}

// What is used, as far as admission goes by it: of the limit's epsilon, and of the delta that is there for answers.
Amount in_use(const Share& share, const Limit& limit);

// What is told of the epsilon that was spent. Where divergences are counted: what the loss by all answers exceeds with
// a chance of at most the delta set aside, at whatever moment. That may be somewhat more than is in use.
std::int64_t spent_epsilon(const Share& share);

// The limit of epsilon and delta that would suffice, no lower than it is; nothing where none can.
std::optional<Amount> wanted(const Share& share, const Limit& limit);

// How often what is asked fits, one after the other; PG_INT64_MAX: always.
std::int64_t times_left(const Share& share, const Limit& limit);

}  // namespace dp::budget
