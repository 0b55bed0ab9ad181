#include "budget/ledger/budget_exhausted.h"

#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "budget/ledger/room.h"
#include "budget/policy/blocks.h"
#include "budget/policy/period.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

using Shares = std::span<const Share>;
using Limits = std::span<const Limit>;

// The epsilon or the delta of a share, in whole units (nano, atto).
struct Part {
  const char* name;
  const char* advice;
  Decimal (*decimal)(std::int64_t);
  std::int64_t asked;
  std::int64_t used;
  std::int64_t limit;
};

Part epsilon_part(const Share& share, const Limit& limit) {
  return {"epsilon",          "ask for less", epsilon_decimal, share.asked.epsilon, in_use(share, limit).epsilon,
          limit.total.epsilon};
}

Part delta_part(const Share& share, const Limit& limit) {
  return {"delta",           "ask with a mechanism of smaller delta, or of none,", delta_decimal, share.asked.delta,
          share.spent.delta, limit.answer_delta(share.counts_divergences)};
}

// The table that a curator speaks of, of which the share's may be a partition.
Oid curated(const Share& share) {
  const auto protection = protection_of(share.relation);
  return protection ? protection->relation : share.relation;
}

// The call with which a curator changes these limits from what they are: what it does not name stays.
const char* call_to_raise(const Share& share, const Limit& before, const Limit& limit) {
  StringInfoData call;
  initStringInfo(&call);
  const char* const relation = quote_literal_cstr(relation_name(curated(share)));
  if (OidIsValid(share.account)) {
    appendStringInfo(&call, "dp.grant_budget(%s, %s", relation, quote_literal_cstr(role_name(share.account)));
  } else {
    appendStringInfo(&call, "dp.protect(%s", relation);
  }
  if (limit.total.epsilon != before.total.epsilon)
    appendStringInfo(&call, ", %s", epsilon_decimal(limit.total.epsilon).text);
  if (limit.total.delta != before.total.delta)
    appendStringInfo(&call, ", delta => %s", delta_decimal(limit.total.delta).text);
  if (limit.query_epsilon != before.query_epsilon)
    appendStringInfo(&call, ", query_epsilon => %s", epsilon_decimal(limit.query_epsilon).text);
  if (limit.min_epsilon != before.min_epsilon)
    appendStringInfo(&call, ", min_query_epsilon => %s", epsilon_decimal(limit.min_epsilon).text);
  if (limit.charges != before.charges)
    appendStringInfo(&call, ", max_charges => %lld", static_cast<long long>(limit.charges));
  appendStringInfoChar(&call, ')');
  return call.data;
}

// "role "ana" on table visits", or "table visits".
const char* whose(const Share& share) {
  const char* const relation = relation_name(share.relation);
  return OidIsValid(share.account) ? psprintf("role \"%s\" on table %s", role_name(share.account), relation)
                                   : psprintf("table %s", relation);
}

bool is_cheap_enough(const Share& share, const Limit& limit) {
  return limit.query_epsilon == 0 || share.asked.epsilon <= limit.query_epsilon;
}

// Only a table says what a charge costs at least.
bool is_large_enough(const Share& share, const Limit& limit) {
  return OidIsValid(share.account) || share.smallest >= limit.least();
}

bool is_rare_enough(const Share& share, const Limit& limit) {
  return limit.charges == 0 || share.charges <= limit.charges - share.charges_before;
}

// The limit that would suffice for that share; nothing where none can.
std::optional<Limit> raised(const Share& share, const Limit& limit) {
  const std::optional<Amount> total = wanted(share, limit);
  if (!total) return std::nullopt;
  Limit more = limit;
  more.total = *total;
  if (!is_cheap_enough(share, limit)) more.query_epsilon = share.asked.epsilon;
  if (!is_large_enough(share, limit)) more.min_epsilon = share.smallest;
  if (!is_rare_enough(share, limit)) more.charges = share.charges_before + share.charges;
  return more;
}

bool goes(const Share& share, const Limit& limit) { return fits(share, limit) && fits_rules(share, limit); }

// Whether there is room in all that is kept of that partition.
bool goes_in(Oid block, Shares shares, Limits limits) {
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i].relation == block && !goes(shares[i], limits[i])) return false;
  return true;
}

// "There is room in days_2 (FOR VALUES FROM (10) TO (20)), days_3 (...). ": of partitions that have a budget each,
// those that the question can be asked about.
const char* where_there_is_room(Shares shares, Limits limits) {
  constexpr int kMost = 12;  // that are named
  List* blocks = NIL;        // oid
  for (const Share& share : shares) {
    if (share.asked.zero() || share.relation == curated(share) || !goes_in(share.relation, shares, limits)) continue;
    blocks = list_append_unique_oid(blocks, share.relation);
  }
  if (blocks == NIL) return "";
  StringInfoData names;
  initStringInfo(&names);
  for (int i = 0; i < std::min(kMost, list_length(blocks)); ++i)
    appendStringInfo(&names, "%s%s%s", i > 0 ? ", " : "", relation_name(list_nth_oid(blocks, i)),
                     bounds_of(list_nth_oid(blocks, i)));
  if (list_length(blocks) > kMost) appendStringInfo(&names, " and %d more", list_length(blocks) - kMost);
  return psprintf("There is room in %s. ", names.data);
}

// A part of ereport's arguments: what a curator has to call so that the statement is answered, for each share that does
// not fit, because the next one would refuse after the first was raised; of partitions once for all of them. No hint
// where that cannot be.
int hint_to_raise(Shares shares, Limits limits) {
  StringInfoData calls;
  initStringInfo(&calls);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (goes(shares[i], limits[i])) continue;
    const Oid table = curated(shares[i]);
    std::optional<Limit> more = limits[i];
    bool first = true;
    for (std::size_t j = 0; j < shares.size() && more; ++j) {
      if (shares[j].account != shares[i].account || goes(shares[j], limits[j]) || curated(shares[j]) != table) continue;
      first = first && j >= i;
      more = raised(shares[j], *more);
    }
    if (!more) return 0;
    if (first) appendStringInfo(&calls, "%s%s", calls.len > 0 ? ", " : "", call_to_raise(shares[i], limits[i], *more));
  }
  return errhint("%sA curator gives more: SELECT %s;", where_there_is_room(shares, limits), calls.data);
}

// What who asks may do beside what an advice says.
const char* or_later(const Limit& limit) { return limit.period.exists() ? " or later," : ""; }

// When there is more again, as a sentence behind another one.
const char* when_there_is_more(const Limit& limit) {
  const Period& period = limit.period;
  if (!period.exists()) return "";
  if (period.sliding) return psprintf(" A charge counts for %s.", text_of(period));
  return psprintf(" The next period begins at %s.", timestamptz_to_str(end_of(period, GetCurrentTimestamp())));
}

const char* way_of_counting(const Share& share) {
  return share.counts_divergences ? ", as far as all Rényi divergences together go" : "";
}

// No sum of epsilon says how much room there is for such an answer: what the budget would have to be does.
[[noreturn]] void refuse_unbounded(const Share& share, const Limit& limit, Shares shares, Limits limits) {
  const std::optional<Amount> needed = wanted(share, limit);
  ereport(
      ERROR,
      (errcode(pg::kBudgetExhausted),
       errmsg("privacy budget exhausted for %s: ask for less, by laplace in place of gaussian, or ask a curator for "
              "more",
              whose(share)),
       needed
           ? errdetail("The query asks epsilon %s by gaussian, for which the budget would have to be %s; it is %s.%s",
                       epsilon_decimal(share.asked.epsilon).text, epsilon_decimal(needed->epsilon).text,
                       epsilon_decimal(limit.total.epsilon).text, when_there_is_more(limit))
           : 0,
       hint_to_raise(shares, limits)));
  pg_unreachable();
}

// What who asks can do stands in the message: many tools do not show hints.
[[noreturn]] void refuse_total(const Share& share, const Limit& limit, Shares shares, Limits limits) {
  if (!fits_epsilon(share, limit) && share.asked.divergences.unbounded > 0)
    refuse_unbounded(share, limit, shares, limits);
  const Part part = fits_epsilon(share, limit) ? delta_part(share, limit) : epsilon_part(share, limit);
  const Decimal left = part.decimal(std::max<std::int64_t>(part.limit - part.used, 0));
  ereport(ERROR,
          (errcode(pg::kBudgetExhausted),
           errmsg("privacy budget exhausted for %s: %s %s is left, %s%s or ask a curator for more", whose(share),
                  part.name, left.text, part.advice, or_later(limit)),
           errdetail("The query asks %s %s; %s of %s is left%s.%s", part.name, part.decimal(part.asked).text, left.text,
                     part.decimal(part.limit).text, way_of_counting(share), when_there_is_more(limit)),
           hint_to_raise(shares, limits)));
  pg_unreachable();
}

[[noreturn]] void refuse_cost(const Share& share, const Limit& limit, Shares shares, Limits limits) {
  ereport(ERROR, (errcode(pg::kBudgetExhausted),
                  errmsg("statement is too expensive for %s: ask with epsilon %s at most, or in several statements",
                         whose(share), epsilon_decimal(limit.query_epsilon).text),
                  errdetail("The query asks epsilon %s; one statement may cost at most %s.",
                            epsilon_decimal(share.asked.epsilon).text, epsilon_decimal(limit.query_epsilon).text),
                  hint_to_raise(shares, limits)));
  pg_unreachable();
}

[[noreturn]] void refuse_price(const Share& share, const Limit& limit, Shares shares, Limits limits) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("a charge on %s has to be epsilon %s at least, not %s: ask, or relax, by that much",
                         whose(share), epsilon_decimal(limit.least()).text, epsilon_decimal(share.smallest).text),
                  errdetail("Each one writes to the ledger and stores answers, however little it costs."),
                  hint_to_raise(shares, limits)));
  pg_unreachable();
}

[[noreturn]] void refuse_number(const Share& share, const Limit& limit, Shares shares, Limits limits) {
  ereport(ERROR,
          (errcode(pg::kBudgetExhausted),
           errmsg("%s may be charged %lld times, and has been %lld times: ask several things in one query, or a "
                  "curator for more",
                  whose(share), static_cast<long long>(limit.charges), static_cast<long long>(share.charges_before)),
           errdetail("The query would be charged %lld times more.%s", static_cast<long long>(share.charges),
                     when_there_is_more(limit)),
           hint_to_raise(shares, limits)));
  pg_unreachable();
}

}  // namespace

bool fits_rules(const Share& share, const Limit& limit) {
  return is_cheap_enough(share, limit) && is_large_enough(share, limit) && is_rare_enough(share, limit);
}

void refuse(std::span<const Share> shares, std::span<const Limit> limits, std::size_t which) {
  const Share& share = shares[which];
  const Limit& limit = limits[which];
  if (!is_cheap_enough(share, limit)) refuse_cost(share, limit, shares, limits);
  if (!fits(share, limit)) refuse_total(share, limit, shares, limits);
  if (!is_large_enough(share, limit)) refuse_price(share, limit, shares, limits);
  refuse_number(share, limit, shares, limits);
}

}  // namespace dp::budget
