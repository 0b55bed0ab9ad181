#include "guard/execution.h"

#include "aggregate/start_sql.h"
#include "guard/protected_reads.h"
#include "guard/refusal.h"
#include "guard/settings.h"

namespace dp::guard {
namespace {

ExecutorStart_hook_type next_start = standard_ExecutorStart;
ExecutorRun_hook_type next_run = standard_ExecutorRun;
ExecutorFinish_hook_type next_finish = standard_ExecutorFinish;

// One execution with DpRelease nodes. Lives in the query's memory and is unlinked when that goes, by whatever way.
struct Execution {
  EState* estate;
  Execution* next;
  List* nodes;              // of ReleaseNode*
  bool admitted;            // the statement as a whole fits the accounts
  std::int64_t release;     // its number, 0 where it has none
  MemoryContextCallback forget;
};

Execution* executions = nullptr;

Execution* find(const EState* estate) {
  Execution* execution = executions;
  while (execution != nullptr && execution->estate != estate) execution = execution->next;
  return execution;
}

void forget(void* gone) {
  Execution** link = &executions;
  while (*link != nullptr && *link != gone) link = &(*link)->next;
  if (*link != nullptr) *link = (*link)->next;
}

ReleaseNode* node_at(const Execution* execution, int i) { return static_cast<ReleaseNode*>(list_nth(execution->nodes, i)); }

// ---- start: private aggregates over protected rows answer below a DpRelease or not at all ----------------------------

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
    case T_CteScanState:  // what it reads hangs on a node above
      if (scans_protected(reinterpret_cast<CteScanState*>(node)->cteplanstate, nullptr)) return true;
      break;
    default:
      break;
  }
  return planstate_tree_walker(node, reinterpret_cast<bool (*)()>(scans_protected), nullptr);
}

// Queries that the planner brings in after the split (inlined SQL functions) are found in the finished plan.
bool check_node(PlanState* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, AggState) && aggregate::answers_without_gate(reinterpret_cast<AggState*>(node)) &&
      scans_protected(node, nullptr)) {
    ereport(ERROR, (errcode(pg::kNotAdmissible),
                    errmsg("private aggregates over a protected table cannot be computed through an inlined function"),
                    errhint("Declare the function VOLATILE, as what it draws is: then it runs as a statement of its own.")));
  }
  return planstate_tree_walker(node, reinterpret_cast<bool (*)()>(check_node), nullptr);
}

void start(QueryDesc* query, int flags) {
  next_start(query, flags);
  check_node(query->planstate, nullptr);
}

// ---- run: the whole statement must fit before its first row -----------------------------------------------------------

void admit(Execution* execution) {
  const int count = list_length(execution->nodes);
  auto* const entries = static_cast<budget::Entry*>(palloc(count * sizeof(budget::Entry)));
  for (int i = 0; i < count; ++i) entries[i] = node_at(execution, i)->charge(0);
  budget::require_room({entries, static_cast<std::size_t>(count)});
  pfree(entries);
  execution->admitted = true;
}

bool has_run(const Execution* execution) {
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    if (node_at(execution, i)->answers == nullptr) return false;
  }
  return true;
}

void run(QueryDesc* query, ScanDirection direction, uint64 count, bool once) {
  Execution* const execution = find(query->estate);
  if (execution != nullptr && !ScanDirectionIsNoMovement(direction) && !has_run(execution)) {
    pg::entry([execution] {
      // Anew for each fetch: a savepoint may have come in between, and in a parallel plan none can be had later.
      budget::prepare_to_charge();
      if (!execution->admitted) admit(execution);
    });
  }
  next_run(query, direction, count, once);
}

// ---- finish: the release ----------------------------------------------------------------------------------------------

void finish(QueryDesc* query) {
  next_finish(query);
}

}  // namespace

void enlist(EState* estate, ReleaseNode* node) {
  MemoryContext const outer = MemoryContextSwitchTo(estate->es_query_cxt);
  Execution* execution = find(estate);
  if (execution == nullptr) {
    execution = static_cast<Execution*>(palloc0(sizeof(Execution)));
    execution->estate = estate;
    execution->next = executions;
    execution->forget = {forget, execution, nullptr};
    MemoryContextRegisterResetCallback(estate->es_query_cxt, &execution->forget);
    executions = execution;
  }
  execution->nodes = lappend(execution->nodes, node);
  MemoryContextSwitchTo(outer);
}

List* release_nodes(const EState* estate) {
  const Execution* const execution = find(estate);
  return execution == nullptr ? NIL : execution->nodes;
}

void charge(ReleaseNode* node) {
  Execution* const execution = find(node->css.ss.ps.state);
  std::int64_t release = execution->release;
  if (release == 0 && node->gate->keeps()) release = budget::kNewRelease;
  execution->release = budget::charge(node->charge(release));
}

void install_execution() {
  if (ExecutorStart_hook != nullptr) next_start = ExecutorStart_hook;
  if (ExecutorRun_hook != nullptr) next_run = ExecutorRun_hook;
  if (ExecutorFinish_hook != nullptr) next_finish = ExecutorFinish_hook;
  ExecutorStart_hook = start;
  ExecutorRun_hook = run;
  ExecutorFinish_hook = finish;
}

}  // namespace dp::guard
