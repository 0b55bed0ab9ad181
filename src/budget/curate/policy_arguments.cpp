#include "budget/curate/policy_arguments.h"

#include "budget/policy/curator.h"
#include "core/mechanism/epsilon_delta.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// What a float8 argument takes away, or nothing: it is not named, or says something else.
bool is_number(FunctionCallInfo fcinfo, int number, double sought) {
  return !PG_ARGISNULL(number) && PG_GETARG_FLOAT8(number) == sought;
}

// "dp.protect('visits', 10, query_epsilon => 0.5)" of "dp.protect('visits', 10)"
const char* with_argument(const char* example, const char* argument) {
  return psprintf("%.*s, %s)", static_cast<int>(strlen(example)) - 1, example, argument);
}

[[noreturn]] void refuse_selection_of_one(const char* example) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("group_epsilon and group_delta must be given together"), errhint("For example %s.", example)));
  pg_unreachable();
}

void require_room_for(const Amount& selection, const Limit& limit, const char* example) {
  const std::int64_t delta = limit.answer_delta(limit.accountant == Accountant::renyi);
  if (selection.epsilon <= limit.total.epsilon && selection.delta <= delta) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("one selection of groups would cost more than the whole budget of the table"),
                  errdetail("It costs epsilon %s and delta %s, the budget has epsilon %s and delta %s.",
                            epsilon_decimal(selection.epsilon).text, delta_decimal(selection.delta).text,
                            epsilon_decimal(limit.total.epsilon).text, delta_decimal(delta).text),
                  errhint("For example %s. With group_epsilon => 0 none are chosen.", example)));
}

}  // namespace

Limit limit_arguments(FunctionCallInfo fcinfo, int first, const char* example, const Limit* before) {
  Limit limit = before != nullptr ? *before : Limit{};
  if (before == nullptr && PG_ARGISNULL(first)) refuse_null("epsilon", example);
  if (!PG_ARGISNULL(first)) {
    const auto epsilon = mechanism::Epsilon::limit(PG_GETARG_FLOAT8(first), "epsilon", example);
    limit.total.epsilon = Amount::of(epsilon, {0}).epsilon;
  }
  if (!PG_ARGISNULL(first + 1))
    limit.total.delta = Amount::of({1}, mechanism::Delta::limit(PG_GETARG_FLOAT8(first + 1))).delta;
  if (is_number(fcinfo, first + 2, -1)) {
    limit.query_epsilon = 0;
  } else if (!PG_ARGISNULL(first + 2)) {
    const char* const limited =
        psprintf("%s; query_epsilon => -1 takes the limit away", with_argument(example, "query_epsilon => 0.5"));
    const auto most = mechanism::Epsilon::limit(PG_GETARG_FLOAT8(first + 2), "query_epsilon", limited);
    limit.query_epsilon = Amount::of(most, {0}).epsilon;
  }
  return limit;
}

Accountant accountant_argument(FunctionCallInfo fcinfo, int number, Accountant before) {
  if (PG_ARGISNULL(number)) return before;
  const char* const name = text_to_cstring(PG_GETARG_TEXT_PP(number));
  if (strcmp(name, "pure") == 0) return Accountant::pure;
  if (strcmp(name, "renyi") == 0) return Accountant::renyi;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("accountant must be pure or renyi, not %s", name),
                  errhint("For example dp.protect('visits', 10, 1e-6, accountant => 'renyi').")));
  pg_unreachable();
}

std::int64_t conversion_argument(FunctionCallInfo fcinfo, int number, const char* example, const Limit& limit,
                                 Accountant accountant) {
  std::int64_t conversion = limit.conversion;
  if (is_number(fcinfo, number, -1)) {
    conversion = 0;
  } else if (!PG_ARGISNULL(number)) {
    if (accountant != Accountant::renyi) {
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("conversion_delta is of accounts that count Rényi divergences"),
                      errhint("For example dp.protect('visits', 10, 1e-6, accountant => 'renyi').")));
    }
    const auto given = mechanism::Delta::from(PG_GETARG_FLOAT8(number), "conversion_delta", example);
    conversion = Amount::of({1}, given).delta;
  }
  if (conversion <= limit.total.delta) return conversion;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("conversion_delta %s is more than delta, which is %s", delta_decimal(conversion).text,
                         delta_decimal(limit.total.delta).text),
                  errhint("For example %s. conversion_delta => -1 makes it a half of delta.", example)));
  pg_unreachable();
}

void require_conversion(const Limit& limit, const char* example) {
  if (limit.accountant != Accountant::renyi || limit.conversion_delta() > 0) return;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("an account that counts Rényi divergences needs a delta"),
           errdetail("A part of delta is what turns divergences into epsilon: without it, epsilon adds up as in a "
                     "pure account."),
           errhint("For example %s.", example)));
}

void selection_arguments(FunctionCallInfo fcinfo, int first, Policy* policy) {
  constexpr const char* kExample = "dp.protect('visits', 10, 1e-6, group_epsilon => 0.1, group_delta => 1e-9)";
  for (const double none : {0.0, -1.0}) {
    if (!is_number(fcinfo, first, none) || !(PG_ARGISNULL(first + 1) || is_number(fcinfo, first + 1, none))) continue;
    policy->selection = {};
    policy->no_selection = none == 0;
    return;
  }
  Amount& selection = policy->selection;
  const char* const clearing =
      psprintf("%s; group_epsilon => 0 chooses none, -1 for half of an answer's price", kExample);
  if (!PG_ARGISNULL(first)) {
    const auto epsilon = mechanism::Epsilon::from(PG_GETARG_FLOAT8(first), "group_epsilon", clearing);
    selection.epsilon = Amount::of(epsilon, {0}).epsilon;
  }
  if (!PG_ARGISNULL(first + 1)) {
    const auto delta = mechanism::Delta::from(PG_GETARG_FLOAT8(first + 1), "group_delta", clearing);
    selection.delta = Amount::of({1}, delta).delta;
  }
  if ((selection.epsilon > 0) != (selection.delta > 0)) refuse_selection_of_one(kExample);
  require_room_for(selection, policy->limit, kExample);
  policy->no_selection = policy->no_selection && selection.zero();
}

std::int64_t least_argument(FunctionCallInfo fcinfo, int number, const Limit& limit) {
  constexpr const char* kExample = "dp.protect('visits', 10, min_query_epsilon => 0.001)";
  if (is_number(fcinfo, number, 0)) return 0;
  std::int64_t least = limit.min_epsilon;
  if (!PG_ARGISNULL(number)) {
    const char* const clearing = psprintf("%s; min_query_epsilon => 0 takes it away", kExample);
    const auto given = mechanism::Epsilon::from(PG_GETARG_FLOAT8(number), "min_query_epsilon", clearing);
    least = Amount::of(given, {0}).epsilon;
  }
  const std::int64_t most = limit.query_epsilon > 0 ? limit.query_epsilon : limit.total.epsilon;
  if (least <= most) return least;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("min_query_epsilon %s is more than one query may cost, which is %s",
                         epsilon_decimal(least).text, epsilon_decimal(most).text),
                  errhint("For example %s. min_query_epsilon => 0 takes it away.", kExample)));
  pg_unreachable();
}

std::int64_t charges_argument(FunctionCallInfo fcinfo, int number, const char* example, std::int64_t before) {
  if (PG_ARGISNULL(number)) return before;
  const std::int64_t most = PG_GETARG_INT64(number);
  if (most == -1) return 0;
  if (most > 0) return most;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("max_charges must be 1 at least, not %lld", static_cast<long long>(most)),
                  errhint("For example %s. max_charges => -1 takes the limit away.",
                          with_argument(example, "max_charges => 1000"))));
  pg_unreachable();
}

std::int64_t answer_epsilon_argument(FunctionCallInfo fcinfo, int number, const char* example, std::int64_t before) {
  if (PG_ARGISNULL(number)) return before;
  if (is_number(fcinfo, number, 0)) return Policy::kNoAnswerEpsilon;
  if (is_number(fcinfo, number, -1)) return 0;
  const char* const clearing =
      psprintf("%s; answer_epsilon => 0 takes it away", with_argument(example, "answer_epsilon => 0.1"));
  return Amount::of(mechanism::Epsilon::from(PG_GETARG_FLOAT8(number), "answer_epsilon", clearing), {0}).epsilon;
}

const char* answer_mechanism_argument(FunctionCallInfo fcinfo, int number, const char* before) {
  return PG_ARGISNULL(number) ? before : text_to_cstring(PG_GETARG_TEXT_PP(number));
}

bool switch_argument(FunctionCallInfo fcinfo, int number, bool before) {
  return PG_ARGISNULL(number) ? before : PG_GETARG_BOOL(number);
}

}  // namespace dp::budget
