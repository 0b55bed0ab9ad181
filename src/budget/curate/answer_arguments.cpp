#include "budget/curate/answer_arguments.h"

#include "budget/answers/stored_answers.h"
#include "budget/policy/curator.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr std::int64_t kWeek = 7 * USECS_PER_DAY;
constexpr std::int64_t kMegabyte = 1024 * 1024;
constexpr std::int64_t kMegabytes = 100;

constexpr const char* kExample = "dp.protect('visits', 10, answer_epsilon => 0.1, reuse => '1 day')";
constexpr const char* kForget = "dp.forget_answers('visits')";

// Microseconds, of which a month has those of 30 days: at least a second, or 0, which takes the time away.
std::int64_t time_argument(FunctionCallInfo fcinfo, int number, const char* name) {
  const Interval& time = *PG_GETARG_INTERVAL_P(number);
  // 178,000 years fit; times that do not are cut to what does.
  const double all = static_cast<double>(time.time) + (time.day + 30.0 * time.month) * USECS_PER_DAY;
  if (all == 0 || all >= USECS_PER_SEC) return static_cast<std::int64_t>(Min(all, 1e17));
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%s must be a second at least, not %s", name,
                         DatumGetCString(DirectFunctionCall1(interval_out, PG_GETARG_DATUM(number)))),
                  errhint("For example %s. %s => '0' takes it away.", kExample, name)));
  pg_unreachable();
}

// Bytes; -1 takes the limit away.
std::int64_t bytes_argument(FunctionCallInfo fcinfo, int number) {
  const std::int64_t megabytes = PG_GETARG_INT32(number);
  if (megabytes == -1) return kMegabytes * kMegabyte;
  if (megabytes > 0) return megabytes * kMegabyte;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("keep_answers_mb must be positive, not %lld", static_cast<long long>(megabytes)),
                  errhint("For example dp.protect('visits', 10, reuse => '1 day', keep_answers_mb => 100), which is "
                          "what -1 sets it back to.")));
  pg_unreachable();
}

}  // namespace

std::optional<AnswerPolicy> answer_policy_arguments(FunctionCallInfo fcinfo, int first,
                                                    const std::optional<AnswerPolicy>& before) {
  AnswerPolicy policy = before.value_or(AnswerPolicy{0, kWeek, kMegabytes * kMegabyte, false});
  if (!PG_ARGISNULL(first)) policy.reuse = time_argument(fcinfo, first, "reuse");
  const bool shared = !PG_ARGISNULL(first + 1) && PG_GETARG_BOOL(first + 1);
  if (policy.reuse == 0) {
    if (!shared && PG_ARGISNULL(first + 2) && PG_ARGISNULL(first + 3)) return std::nullopt;
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("share_answers, keep_answers and keep_answers_mb mean nothing without reuse"),
                    errhint("Say how old an answer may be that is shown again, for example %s.", kExample)));
  }
  if (!PG_ARGISNULL(first + 1)) policy.shared = shared;
  const std::int64_t keep = PG_ARGISNULL(first + 2) ? 0 : time_argument(fcinfo, first + 2, "keep_answers");
  if (keep > 0 && keep < policy.reuse) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("an answer cannot be shown again for longer than it is kept"),
                    errhint("Give keep_answers at least the time of reuse, or leave it out.")));
  }
  if (!PG_ARGISNULL(first + 2)) policy.keep = keep > 0 ? keep : kWeek;
  policy.keep = Max(policy.keep, policy.reuse);
  if (!PG_ARGISNULL(first + 3)) policy.bytes = bytes_argument(fcinfo, first + 3);
  return policy;
}

// dp.forget_answers(relation regclass) returns bigint: how many there were.
DP_SQL_FUNCTION(dp_forget_answers) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kForget);
  begin_curating(relation, "dp.forget_answers()");
  PG_RETURN_INT64(forget_answers(relation));
}

}  // namespace dp::budget
