#include "guard/rewrite/known_aggregates.h"

#include "aggregate/call/prepare_plan.h"
#include "guard/admission/refusal.h"
#include "guard/functions/aggregates.h"
#include "pg/joins.h"

namespace dp::guard {
namespace {

const char* form_of(Oid function, bool of_pairs) {
  const AggregateFacts* const facts = aggregate_facts_of(function);
  return facts != nullptr && facts->of_pairs == of_pairs ? facts->private_form : nullptr;
}

bool is_of_truths(Oid function) {
  const AggregateFacts* const facts = aggregate_facts_of(function);
  return facts != nullptr && facts->of_truths;
}

}  // namespace

const char* bounded_form(Oid function) { return form_of(function, false); }

const char* form_of_pairs(Oid function) { return form_of(function, true); }

bool is_sum(Oid function) {
  const char* const form = bounded_form(function);
  return form != nullptr && strcmp(form, "dp_sum") == 0;
}

int extreme_of(Oid function) {
  if (function >= FirstGenbkiObjectId || is_of_truths(function)) return 0;
  HeapTuple const row = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(row)) return 0;
  const Oid order = reinterpret_cast<Form_pg_aggregate>(GETSTRUCT(row))->aggsortop;
  ReleaseSysCache(row);
  if (!OidIsValid(order) || !pg::is_comparison(order)) return 0;
  return pg::comparison_of(order) == BTLessStrategyNumber ? -1 : 1;
}

bool counts_buckets(const Aggref* call) {
  if (!aggregate::is_private_aggregate(call->aggfnoid)) return false;
  const char* const name = get_func_name(call->aggfnoid);
  return strcmp(name, "dp_histogram") == 0 || strcmp(name, "dp_cumulative") == 0;
}

// What to ask in the place of a call that has no private form though aggregates of its name have one, as of an interval
// or of several fractions; nullptr for others.
static const char* asked_instead(const Aggref* call) {
  if (call->aggfnoid >= FirstGenbkiObjectId || call->args == NIL) return nullptr;
  if (extreme_of(call->aggfnoid) != 0) {
    return "Of numbers, dates and timestamps the ends of the declared range are shown. Which values a column of "
           "another "
           "type has SELECT DISTINCT shows for nothing, where they are declared";
  }
  if (call->aggdirectargs != NIL && type_is_array(exprType(static_cast<Node*>(linitial(call->aggdirectargs)))))
    return "Ask for each fraction by itself: percentile_cont(0.25) WITHIN GROUP (ORDER BY x), and so on";
  const char* const name = get_func_name(call->aggfnoid);
  if (form_of_pairs(call->aggfnoid) != nullptr) return "Without DISTINCT it has one";
  if (!is_name_of_private_forms(name)) return nullptr;
  const auto* const value = reinterpret_cast<Node*>(linitial_node(TargetEntry, call->args)->expr);
  return exprType(value) == INTERVALOID ? "Ask for its seconds: extract(epoch FROM x) in the place of x"
                                        : "Of numbers it has one";
}

void refuse_without_form(const Aggref* call) {
  const char* const name = get_func_name(call->aggfnoid);
  if (is_of_truths(call->aggfnoid)) {
    DP_REFUSE(call->location, errmsg("%s depends on single rows of a protected table", name),
              errhint("Count the rows where it holds and all of them: count(*) FILTER (WHERE ...), count(*)."));
  }
  if (const char* const other = asked_instead(call)) {
    DP_REFUSE(call->location,
              errmsg("aggregate %s has no private form over a protected table", format_procedure(call->aggfnoid)),
              errhint("%s.", other));
  }
  DP_REFUSE(call->location, errmsg("aggregate %s has no private form over a protected table", name),
            errhint("count, sum, avg, variance, stddev, var_pop, stddev_pop, percentile_cont, percentile_disc, mode, "
                    "min and max have one; "
                    "or ask with private aggregates, for example dp_count('*', %s).",
                    example_epsilon()));
  pg_unreachable();
}

}  // namespace dp::guard
