#include <span>

#include "guard/hooks/executor_hooks.h"

#include "aggregate/call/prepare_plan.h"
#include "budget/release/last_release.h"
#include "guard/admission/collations.h"
#include "guard/query/permissions.h"
#include "guard/rewrite/protected_reads.h"
#include "guard/admission/refusal.h"
#include "guard/release/release_writer.h"
#include "guard/query/settings.h"
#include "pg/uncounted.h"

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
  bool finished;
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

// PostgreSQL's "permission denied" gets a hint for those who may ask in another way.
void start_with_hint(QueryDesc* query, int flags) {
  try {
    pg::call([=] { next_start(query, flags); });
  } catch (const pg::PostgresError& error) {
    if (error.data->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE && error.data->hint == nullptr) {
      const PlannedStmt* const plan = query->plannedstmt;
      const char* const hint = pg::call([plan] { return hint_of_denied(plan->rtable, plan); });
      if (hint != nullptr) {
        error.data->hint = const_cast<char*>(hint);
        error.data->message = pg::call([&] { return psprintf("%s. %s", error.data->message, hint); });
      }
    }
    throw;
  }
}

void start(QueryDesc* query, int flags) {
  MemoryContext const outer = MemoryContextSwitchTo(GetMemoryChunkContext(query));
  query->plannedstmt = as_asked(query->plannedstmt);
  MemoryContextSwitchTo(outer);
  if (IsParallelWorker()) open_sent_collations(query->params);
  pg::entry([&] {
    start_with_hint(query, flags);
    pg::call([query] { check_node(query->planstate, nullptr); });
  });
}

// ---- run: the whole statement must fit before its first row -----------------------------------------------------------

// A palloc'd copy of the entries in a list of ReleaseNode::charges().
std::span<const budget::Entry> entries_of(List* charges) {
  const auto count = static_cast<std::size_t>(list_length(charges));
  auto* const entries = static_cast<budget::Entry*>(palloc(count * sizeof(budget::Entry)));
  ListCell* cell;
  foreach (cell, charges) entries[foreach_current_index(cell)] = *static_cast<budget::Entry*>(lfirst(cell));
  return {entries, count};
}

void admit(Execution* execution) {
  List* charges = NIL;
  for (int i = 0; i < list_length(execution->nodes); ++i) charges = list_concat(charges, node_at(execution, i)->charges(0));
  budget::require_room(entries_of(charges));
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

// The first finish of a statement that was charged. What did not run has no answers; a statement with more draws than are kept
// leaves nothing, rather than a part of it.
void store(Execution* execution) {
  execution->finished = true;
  bool kept = execution->release != 0;
  List* ran = NIL;
  for (int i = 0; i < list_length(execution->nodes); ++i) {
    ReleaseNode* const node = node_at(execution, i);
    if (node->answers == nullptr) continue;
    ran = lappend(ran, node);
    kept = kept && node->gate->keeps();
  }
  if (ran == NIL) return;
  // These rows use up a command number, after which another statement's parallel operation could start no further command.
  if (!kept || IsInParallelMode()) return;
  XLogRecPtr const written_before = XactLastRecEnd;
  if (store_release(ran, execution->release)) budget::set_last_release(execution->release);
  // A crash may take the release, so that the commit need not wait for it: what was flushed is the charge.
  if (XLogRecPtrIsInvalid(written_before)) XactLastRecEnd = InvalidXLogRecPtr;
}

void finish(QueryDesc* query) {
  Execution* const execution = find(query->estate);
  next_finish(query);
  if (execution == nullptr || execution->finished) return;
  MemoryContext const memory = AllocSetContextCreate(query->estate->es_query_cxt, "DpRelease", ALLOCSET_DEFAULT_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  pg::entry([execution] {
    const pg::Uncounted uncounted(true);
    pg::call([execution] { store(execution); });
  });
  MemoryContextSwitchTo(outer);
  MemoryContextDelete(memory);
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
  budget::set_last_release(0);  // whatever becomes of the statement
  XLogRecPtr const written_before = XactLastRecEnd;
  execution->release = budget::append(entries_of(node->charges(release)));
  budget::flush(written_before, {"charged",
                                 "Nothing was answered. Ask again when the standby is there; that is charged again."});
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
