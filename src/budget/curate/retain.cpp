// dp.retain_releases: how long the releases of a table are kept, and how many of their numbers.
#include "budget/catalog/policy_rows.h"
#include "budget/policy/curator.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr const char* kRetain = "dp.retain_releases('visits', max_age => '90 days', max_numbers => 10000000)";

Interval age_argument(FunctionCallInfo fcinfo, int number) {
  if (PG_ARGISNULL(number)) return {};
  const Interval age = *PG_GETARG_INTERVAL_P(number);
  Interval none{};
  if (DatumGetInt32(DirectFunctionCall2(interval_cmp, IntervalPGetDatum(&age), IntervalPGetDatum(&none))) > 0)
    return age;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("max_age must be more than nothing, not %s",
                         DatumGetCString(DirectFunctionCall1(interval_out, IntervalPGetDatum(&age)))),
                  errhint("For example %s.", kRetain)));
  pg_unreachable();
}

std::int64_t numbers_argument(FunctionCallInfo fcinfo, int number) {
  if (PG_ARGISNULL(number)) return 0;
  const std::int64_t numbers = PG_GETARG_INT64(number);
  if (numbers > 0) return numbers;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("max_numbers must be 1 at least, not %lld", static_cast<long long>(numbers)),
                  errhint("For example %s.", kRetain)));
  pg_unreachable();
}

}  // namespace

// dp.retain_releases(relation regclass, max_age interval, max_numbers bigint) returns void.
DP_SQL_FUNCTION(dp_retain_releases) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kRetain);
  const Retention retention = {age_argument(fcinfo, 1), numbers_argument(fcinfo, 2)};
  require_relation(relation);
  begin_curating(relation, "dp.retain_releases()");
  std::optional<Policy> policy = protected_policy(relation);
  if (!policy) refuse_unprotected(relation);
  policy->retention = retention;
  store(*policy);
  PG_RETURN_VOID();
}

}  // namespace dp::budget
