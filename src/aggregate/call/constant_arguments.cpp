#include "aggregate/call/constant_arguments.h"

#include "aggregate/call/arguments.h"
#include "pg/planner.h"

namespace dp::aggregate {
namespace {

// The aggregated value (position 0) must not be evaluated before the first row, except where it is a plain constant.
bool can_hoist(const List* arguments, int position) {
  auto* const expression = reinterpret_cast<Node*>(castNode(TargetEntry, list_nth(arguments, position))->expr);
  return position == 0 ? IsA(expression, Const) : same_for_every_row(expression);
}

// Evaluates all arguments but the first ones, so many of them, as constants; NULL where they are none.
void keep_first(AggState* node, AggStatePerTrans transition, int kept) {
  List* const arguments = transition->aggref->args;
  for (int position = kept; position < list_length(arguments); ++position) {
    NullableDatum& argument = transition->transfn_fcinfo->args[position + 1];  // the state stands at 0
    auto* const expression = reinterpret_cast<Node*>(castNode(TargetEntry, list_nth(arguments, position))->expr);
    argument = can_hoist(arguments, position) ? value_for_all_rows(expression, &node->ss.ps) : NullableDatum{0, true};
  }
  auto* const shortened = makeNode(Aggref);
  *shortened = *transition->aggref;
  shortened->args = list_truncate(list_copy(arguments), kept);
  transition->aggref = shortened;
  transition->numInputs = transition->numTransInputs = kept;
}

}  // namespace

bool may_hoist(const AggState* node) {
  // JIT-compiled expressions contain their constants already, and building them again is slow. Where the node has
  // subplans, building again would initialise them twice.
  const bool compiled = (node->ss.ps.state->es_jit_flags & PGJIT_EXPR) != 0;
  return !compiled && node->ss.ps.subPlan == NIL;
}

bool hoist_constants(AggState* node, AggStatePerTrans transition) {
  if (transition->numSortCols > 0) return false;
  List* const arguments = transition->aggref->args;
  int kept = list_length(arguments);
  while (kept > 0 && can_hoist(arguments, kept - 1)) --kept;
  if (kept == list_length(arguments)) return false;
  keep_first(node, transition, kept);
  return true;
}

void hoist_all(AggState* node, AggStatePerTrans transition) { keep_first(node, transition, 0); }

void run_for_rows(AggStatePerTrans transition, PGFunction function) {
  auto* const runs = static_cast<FmgrInfo*>(palloc(sizeof(FmgrInfo)));
  *runs = transition->transfn;
  runs->fn_addr = function;
  transition->transfn_fcinfo->flinfo = runs;
}

void rebuild_transitions(AggState* node) {
  for (int i = 0; i < node->numphases; ++i) {
    AggStatePerPhase const phase = &node->phases[i];
    if (phase->evaltrans == nullptr) continue;
    const bool hashes = phase->aggstrategy == AGG_HASHED || (node->aggstrategy == AGG_MIXED && i == 1);
    const bool sorts = phase->aggstrategy != AGG_HASHED;
    phase->evaltrans = ExecBuildAggTrans(node, phase, sorts, hashes, false);
    phase->evaltrans_cache[0][0] = phase->evaltrans;
  }
}

}  // namespace dp::aggregate
