#include "budget/ledger/budget_exhausted.h"

#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// The epsilon or the delta of a share, in whole units (nano, atto).
struct Part {
  const char* name;
  const char* advice;
  Decimal (*decimal)(std::int64_t);
  std::int64_t asked;
  std::int64_t spent;
  std::int64_t limit;
  std::int64_t highest_limit;

  // A sum beyond 63 bits does not fit.
  bool fits() const {
    std::int64_t sum;
    return asked == 0 || (!__builtin_add_overflow(spent, asked, &sum) && sum <= limit);
  }

  // The limit that would suffice; nothing where none can.
  std::optional<std::int64_t> wanted() const {
    std::int64_t sum;
    if (__builtin_add_overflow(spent, asked, &sum) || sum > highest_limit) return std::nullopt;
    return std::max(sum, limit);
  }
};

Part epsilon_part(const Share& share, const Limit& limit) {
  return {"epsilon",           "Ask with a smaller epsilon", epsilon_decimal,          share.asked.epsilon,
          share.spent.epsilon, limit.total.epsilon,          9'000'000'000'000'000'000};
}

Part delta_part(const Share& share, const Limit& limit) {
  return {"delta",
          "Ask with a mechanism of smaller delta, or of none",
          delta_decimal,
          share.asked.delta,
          share.spent.delta,
          limit.total.delta,
          999'999'999'999'999'999};
}

// The call with which a curator sets these limits; trailing arguments that equal their defaults are left out.
const char* call_to_raise(const Share& share, const Limit& limit) {
  const char* const relation = quote_literal_cstr(relation_name(share.relation));
  StringInfoData call;
  initStringInfo(&call);
  if (OidIsValid(share.account)) {
    appendStringInfo(&call, "dp.grant_budget(%s, %s, ", relation, quote_literal_cstr(role_name(share.account)));
  } else {
    appendStringInfo(&call, "dp.protect(%s, ", relation);
  }
  appendStringInfoString(&call, epsilon_decimal(limit.total.epsilon).text);
  if (limit.total.delta != 0) appendStringInfo(&call, ", %s", delta_decimal(limit.total.delta).text);
  if (limit.query_epsilon != 0)
    appendStringInfo(&call, ", query_epsilon => %s", epsilon_decimal(limit.query_epsilon).text);
  if (limit.min_epsilon != 0)
    appendStringInfo(&call, ", min_query_epsilon => %s", epsilon_decimal(limit.min_epsilon).text);
  if (limit.charges != 0) appendStringInfo(&call, ", max_charges => %lld", static_cast<long long>(limit.charges));
  appendStringInfoChar(&call, ')');
  return call.data;
}

// "role "ana" on table visits", or "table visits".
const char* whose(const Share& share) {
  const char* const relation = relation_name(share.relation);
  return OidIsValid(share.account) ? psprintf("role \"%s\" on table %s", role_name(share.account), relation)
                                   : psprintf("table %s", relation);
}

Limit with_total(Limit limit, const Amount& total) {
  limit.total = total;
  return limit;
}

// The hint also stands in the message: many tools do not show hints.
[[noreturn]] void refuse_total(const Share& share, const Limit& limit) {
  const Part epsilon = epsilon_part(share, limit), delta = delta_part(share, limit);
  const Part& part = epsilon.fits() ? delta : epsilon;
  const auto more_epsilon = epsilon.wanted(), more_delta = delta.wanted();
  const char* const more = more_epsilon && more_delta
                               ? psprintf(", or ask a curator for more: SELECT %s;",
                                          call_to_raise(share, with_total(limit, {*more_epsilon, *more_delta})))
                               : ".";
  const Decimal left = part.decimal(std::max<std::int64_t>(part.limit - part.spent, 0));
  ereport(ERROR, (errcode(pg::kBudgetExhausted),
                  errmsg("privacy budget exhausted for %s: %s %s is left, ask for less or ask a curator for more",
                         whose(share), part.name, left.text),
                  errdetail("The query asks %s %s; %s of %s is left.", part.name, part.decimal(part.asked).text,
                            left.text, part.decimal(part.limit).text),
                  errhint("%s%s", part.advice, more)));
  pg_unreachable();
}

}  // namespace

bool fits(const Share& share, const Limit& limit) {
  return epsilon_part(share, limit).fits() && delta_part(share, limit).fits();
}

namespace {

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

[[noreturn]] void refuse_price(const Share& share, const Limit& limit) {
  Limit lowered = limit;
  lowered.min_epsilon = share.smallest;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("a charge on %s has to be epsilon %s at least, not %s", whose(share),
                         epsilon_decimal(limit.least()).text, epsilon_decimal(share.smallest).text),
                  errdetail("Each one writes to the ledger and stores answers, however little it costs."),
                  errhint("Ask with epsilon %s or more; relax by that much. Or ask a curator: SELECT %s;",
                          epsilon_decimal(limit.least()).text, call_to_raise(share, lowered))));
  pg_unreachable();
}

[[noreturn]] void refuse_number(const Share& share, const Limit& limit) {
  Limit raised = limit;
  raised.charges = share.charges_before + share.charges;
  ereport(ERROR, (errcode(pg::kBudgetExhausted),
                  errmsg("%s may be charged %lld times, and has been %lld times", whose(share),
                         static_cast<long long>(limit.charges), static_cast<long long>(share.charges_before)),
                  errdetail("The query would be charged %lld times more.", static_cast<long long>(share.charges)),
                  errhint("Ask several things in one query, or ask a curator for more: SELECT %s;",
                          call_to_raise(share, raised))));
  pg_unreachable();
}

[[noreturn]] void refuse_cost(const Share& share, const Limit& limit) {
  Limit raised = limit;
  raised.query_epsilon = share.asked.epsilon;
  ereport(ERROR, (errcode(pg::kBudgetExhausted),
                  errmsg("statement is too expensive for %s: ask with epsilon %s at most, or in several statements",
                         whose(share), epsilon_decimal(limit.query_epsilon).text),
                  errdetail("The query asks epsilon %s; one statement may cost at most %s.",
                            epsilon_decimal(share.asked.epsilon).text, epsilon_decimal(limit.query_epsilon).text),
                  errhint("Ask with a smaller epsilon or in several statements, or ask a curator for more: SELECT %s;",
                          call_to_raise(share, raised))));
  pg_unreachable();
}

}  // namespace

bool fits_rules(const Share& share, const Limit& limit) {
  return is_cheap_enough(share, limit) && is_large_enough(share, limit) && is_rare_enough(share, limit);
}

void refuse(const Share& share, const Limit& limit) {
  if (!is_cheap_enough(share, limit)) refuse_cost(share, limit);
  if (!fits(share, limit)) refuse_total(share, limit);
  if (!is_large_enough(share, limit)) refuse_price(share, limit);
  refuse_number(share, limit);
}

}  // namespace dp::budget
