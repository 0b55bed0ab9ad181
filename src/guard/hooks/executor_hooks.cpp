#include "guard/hooks/executor_hooks.h"

#include "aggregate/call/prepare_plan.h"
#include "budget/catalog/extension_catalog.h"
#include "guard/admission/collations.h"
#include "guard/hooks/denied.h"
#include "guard/hooks/strangers.h"
#include "guard/query/permissions.h"
#include "guard/relations/protected_reads.h"
#include "guard/release/statement.h"
#include "pg/errors.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

ExecutorStart_hook_type next_start = standard_ExecutorStart;
ExecutorRun_hook_type next_run = standard_ExecutorRun;
ExecutorFinish_hook_type next_finish = standard_ExecutorFinish;

// Private aggregates over protected rows answer below a DpRelease or not at all.

bool scans_protected(PlanState* node, void*) {
  if (node == nullptr || IsA(node, CustomScanState)) return false;
  switch (nodeTag(node)) {
    case T_SeqScanState:
    case T_SampleScanState:
    case T_IndexScanState:
    case T_IndexOnlyScanState:
    case T_BitmapHeapScanState:
    case T_TidScanState:
    case T_TidRangeScanState:
    case T_ForeignScanState: {
      const Relation relation = reinterpret_cast<ScanState*>(node)->ss_currentRelation;
      if (relation != nullptr && is_protected(RelationGetRelid(relation))) return true;
      break;
    }
    case T_CteScanState:  // the plan that it reads hangs on a node further up
      if (scans_protected(reinterpret_cast<CteScanState*>(node)->cteplanstate, nullptr)) return true;
      break;
    default:
      break;
  }
  return pg::walk_plan(node, scans_protected, nullptr);
}

// SQL functions that the planner inlined after the query was split are found here, in the finished plan.
bool check_node(PlanState* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, AggState) && aggregate::answers_without_gate(reinterpret_cast<AggState*>(node)) &&
      scans_protected(node, nullptr)) {
    ereport(ERROR,
            (errcode(pg::kNotAdmissible),
             errmsg("private aggregates over a protected table cannot be computed through an inlined function"),
             errhint("Declare the function VOLATILE, as what it draws is: then it runs as a statement of its own.")));
  }
  return pg::walk_plan(node, check_node, nullptr);
}

// PostgreSQL's "permission denied" also says what those may write who may ask in another way.
void start_with_hint(QueryDesc* query, int flags) {
  try {
    pg::call([=] { next_start(query, flags); });
  } catch (const pg::PostgresError& error) {
    if (error.data->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE && error.data->hint == nullptr) {
      const PlannedStmt* const plan = query->plannedstmt;
      const char* const hint = pg::call([plan] { return hint_of_denied(pg::checked_permissions(plan), plan); });
      if (hint != nullptr && strstr(error.data->message, hint) == nullptr)
        error.data->message = pg::call([&] { return psprintf("%s. %s", error.data->message, hint); });
    }
    throw;
  }
}

// Makes what is ours in a plan ready, and looks at it once more.
void start_ours(const QueryDesc* query) {
  {
    MemoryContext const starting = MemoryContextSwitchTo(query->estate->es_query_cxt);
    aggregate::prepare(query->planstate, nullptr);
    MemoryContextSwitchTo(starting);
  }
  pg::call([query] { check_node(query->planstate, nullptr); });
}

void start(QueryDesc* query, int flags) {
  const bool strangers = calls_none_of_ours(query->plannedstmt);
  if (strangers && budget::is_absent()) return next_start(query, flags);
  MemoryContext const outer = MemoryContextSwitchTo(GetMemoryChunkContext(query));
  query->plannedstmt = as_asked(query->plannedstmt);
  MemoryContextSwitchTo(outer);
  if (IsParallelWorker()) open_sent_collations(query->params);
  pg::entry([&] {
    start_with_hint(query, flags);
    if (!strangers) start_ours(query);
    if ((flags & EXEC_FLAG_EXPLAIN_ONLY) != 0) foretell(query, flags);
  });
}

// `once`: what some versions tell beside.
template <class... Once>
void run(QueryDesc* query, ScanDirection direction, uint64 count, Once... once) {
  if (any_asks() && !ScanDirectionIsNoMovement(direction)) pg::entry([query] { admit_statement(query->estate); });
  next_run(query, direction, count, once...);
}

void finish(QueryDesc* query) {
  next_finish(query);
  store_statement(query->estate);
}

}  // namespace

void install_executor_hooks() {
  if (ExecutorStart_hook != nullptr) next_start = ExecutorStart_hook;
  if (ExecutorRun_hook != nullptr) next_run = ExecutorRun_hook;
  if (ExecutorFinish_hook != nullptr) next_finish = ExecutorFinish_hook;
  ExecutorStart_hook = start;
  aggregate::set_prepared();
  ExecutorRun_hook = run;
  ExecutorFinish_hook = finish;
}

}  // namespace dp::guard
