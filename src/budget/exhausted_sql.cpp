#include "budget/exhausted_sql.h"

#include <algorithm>

#include "budget/catalog_sql.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// Whether spent + asked <= limit; a sum beyond 63 bits does not fit.
bool fits_part(std::int64_t asked, std::int64_t spent, std::int64_t limit) {
  std::int64_t sum;
  return asked == 0 || (!__builtin_add_overflow(spent, asked, &sum) && sum <= limit);
}

// The limit that would do. Nothing where there is no such limit.
std::optional<std::int64_t> wanted(std::int64_t asked, std::int64_t spent, std::int64_t limit, std::int64_t most) {
  std::int64_t sum;
  if (__builtin_add_overflow(spent, asked, &sum) || sum > most) return std::nullopt;
  return std::max(sum, limit);
}

// The statement with which a curator sets these limits; its end is left out where a default says the same.
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
  if (limit.query_epsilon != 0) appendStringInfo(&call, ", query_epsilon => %s", epsilon_decimal(limit.query_epsilon).text);
  appendStringInfoChar(&call, ')');
  return call.data;
}

// "role "ana" on table visits", or "table visits".
const char* whose(const Share& share) {
  const char* const relation = relation_name(share.relation);
  return OidIsValid(share.account) ? psprintf("role \"%s\" on table %s", role_name(share.account), relation)
                                   : psprintf("table %s", relation);
}

[[noreturn]] void refuse_total(const Share& share, const Limit& limit) {
  const bool epsilon = !fits_part(share.asked.epsilon, share.spent.epsilon, limit.total.epsilon);
  const auto decimal = epsilon ? epsilon_decimal : delta_decimal;
  const std::int64_t asked = epsilon ? share.asked.epsilon : share.asked.delta;
  const std::int64_t spent = epsilon ? share.spent.epsilon : share.spent.delta;
  const std::int64_t most = epsilon ? limit.total.epsilon : limit.total.delta;
  const char* const part = epsilon ? "epsilon" : "delta";

  constexpr std::int64_t kMostEpsilon = 9'000'000'000'000'000'000, kMostDelta = 999'999'999'999'999'999;
  const auto more_epsilon = wanted(share.asked.epsilon, share.spent.epsilon, limit.total.epsilon, kMostEpsilon);
  const auto more_delta = wanted(share.asked.delta, share.spent.delta, limit.total.delta, kMostDelta);
  const char* const smaller = epsilon ? "smaller epsilon" : "mechanism of smaller delta, or of none";
  const char* const raise =
      more_epsilon && more_delta
          ? psprintf(", or ask a curator for more: SELECT %s;",
                     call_to_raise(share, {{*more_epsilon, *more_delta}, limit.query_epsilon}))
          : ".";
  ereport(ERROR, (errcode(pg::kBudgetExhausted), errmsg("privacy budget exhausted for %s", whose(share)),
                  errdetail("The query asks %s %s; %s of %s is left.", part, decimal(asked).text,
                            decimal(most > spent ? most - spent : 0).text, decimal(most).text),
                  errhint("Ask with a %s%s", smaller, raise)));
  pg_unreachable();
}

}  // namespace

bool fits(const Share& share, const Limit& limit) {
  return fits_part(share.asked.epsilon, share.spent.epsilon, limit.total.epsilon) &&
         fits_part(share.asked.delta, share.spent.delta, limit.total.delta);
}

bool fits_statement(const Share& share, const Limit& limit) {
  return limit.query_epsilon == 0 || share.asked.epsilon <= limit.query_epsilon;
}

void refuse(const Share& share, const Limit& limit) {
  if (fits_statement(share, limit)) refuse_total(share, limit);
  const Limit raised = {limit.total, share.asked.epsilon};
  ereport(ERROR, (errcode(pg::kBudgetExhausted), errmsg("query asks more than one statement may cost for %s", whose(share)),
                  errdetail("The query asks epsilon %s; one statement may cost %s.", epsilon_decimal(share.asked.epsilon).text,
                            epsilon_decimal(limit.query_epsilon).text),
                  errhint("Ask with a smaller epsilon or in several statements, or ask a curator for more: SELECT %s;",
                          call_to_raise(share, raised))));
  pg_unreachable();
}

}  // namespace dp::budget
