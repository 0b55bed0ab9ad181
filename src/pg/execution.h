// Plans as they are run, and the server's variables around them.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

// All rows of a query that was started.
#if PG_VERSION_NUM >= 180000
inline void run_to_end(QueryDesc* query) { standard_ExecutorRun(query, ForwardScanDirection, 0); }
#else
inline void run_to_end(QueryDesc* query) { standard_ExecutorRun(query, ForwardScanDirection, 0, true); }
#endif

// So many rows of one, through the hooks of other libraries.
#if PG_VERSION_NUM >= 180000
inline void run_rows(QueryDesc* query, uint64 rows) { ExecutorRun(query, ForwardScanDirection, rows); }
#else
inline void run_rows(QueryDesc* query, uint64 rows) { ExecutorRun(query, ForwardScanDirection, rows, true); }
#endif

// Whether an execution with these flags is given its parameters: EXPLAIN (GENERIC_PLAN), since 16, has none.
inline bool is_given_parameters([[maybe_unused]] int flags) {
#if PG_VERSION_NUM >= 160000
  return (flags & EXEC_FLAG_EXPLAIN_GENERIC) == 0;
#else
  return true;
#endif
}

// What prunes partitions at the start of an Append or MergeAppend of that plan; nullptr where nothing does.
template <class AppendNode>
const PartitionPruneInfo* pruning_of(const AppendNode* node, [[maybe_unused]] const PlannedStmt* plan) {
#if PG_VERSION_NUM >= 180000
  if (node->part_prune_index < 0) return nullptr;
  return static_cast<const PartitionPruneInfo*>(list_nth(plan->partPruneInfos, node->part_prune_index));
#else
  return node->part_prune_info;
#endif
}

// Of a condition under which a window goes on, as the planner leaves it in the call of a window function since 17;
// InvalidOid for another node.
inline Oid operator_of_run_condition([[maybe_unused]] Node* node) {
#if PG_VERSION_NUM >= 170000
  if (IsA(node, WindowFuncRunCondition)) return castNode(WindowFuncRunCondition, node)->opno;
#endif
  return InvalidOid;
}

// Buffers that an error leaves in the middle of being read or written. Since 16 they belong to the resource owner,
// whose end tells those who wait for them.
inline void abort_buffer_reads() {
#if PG_VERSION_NUM < 160000
  AbortBufferIO();
#endif
}

// Whether EXPLAIN (ANALYZE) counts pages unless it is told not to.
inline constexpr bool kAnalyzeCountsPages = PG_VERSION_NUM >= 180000;

// debug_parallel_query, which was force_parallel_mode.
#if PG_VERSION_NUM >= 160000
inline int& forced_parallel() { return debug_parallel_query; }
inline constexpr int kParallelNotForced = DEBUG_PARALLEL_OFF;
#else
inline int& forced_parallel() { return force_parallel_mode; }
inline constexpr int kParallelNotForced = FORCE_PARALLEL_OFF;
#endif

// Calls visit(config_generic*) on each of the server's variables.
template <class Visit>
void visit_variables(Visit visit) {
#if PG_VERSION_NUM >= 160000
  int count = 0;
  config_generic** const all = get_guc_variables(&count);
#else
  config_generic** const all = get_guc_variables();
  const int count = GetNumConfigOptions();
#endif
  for (int i = 0; i < count; ++i) visit(all[i]);
}

}  // namespace dp::pg
