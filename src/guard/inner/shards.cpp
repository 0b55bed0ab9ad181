#include "guard/inner/shards.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "budget/policy/shards.h"
#include "guard/inner/plan_expressions.h"
#include "guard/inner/server_errors.h"
#include "guard/query/silence.h"
#include "guard/tree/by_number.h"
#include "pg/errors.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- scans ----------------------------------------------------------------------------------------------------------

Oid table_of(const ForeignScanState* scan) {
  const auto* const plan = reinterpret_cast<const ForeignScan*>(scan->ss.ps.plan);
  return exec_rt_fetch(pg::table_number(plan), scan->ss.ps.state)->relid;
}

// What postgres_fdw does, which stands in the place of what is done here.
FdwRoutine own;

// An error of what the server is asked while rows are read.
[[noreturn]] void pass_on(Oid table, const pg::PostgresError& error) {
  const ErrorData& said = *error.data;
  if (is_own_interrupt(said)) throw error;
  const bool lost = is_connection(said.sqlerrcode);
  if (!lost && !is_end_by_server(said.sqlerrcode)) throw error;  // to the breaker
  pg::call([&] {
    log_failure(table, said);
    tell_failure(table, lost ? Failed::unreachable : Failed::ended);
  });
  pg_unreachable();
}

template <class F>
auto ask(ForeignScanState* scan, F f) -> decltype(f()) {
  const Oid table = table_of(scan);
  return pg::entry([&] {
    try {
      return pg::call(f);
    } catch (const pg::PostgresError& error) {
      pass_on(table, error);
    }
  });
}

ForeignScanState* scan_of(const AsyncRequest* request) {
  return reinterpret_cast<ForeignScanState*>(request->requestee);
}

TupleTableSlot* next_row(ForeignScanState* scan) {
  return ask(scan, [scan] { return own.IterateForeignScan(scan); });
}
void again(ForeignScanState* scan) {
  ask(scan, [scan] { own.ReScanForeignScan(scan); });
}
void request_rows(AsyncRequest* request) {
  ask(scan_of(request), [request] { own.ForeignAsyncRequest(request); });
}
void configure_wait(AsyncRequest* request) {
  ask(scan_of(request), [request] { own.ForeignAsyncConfigureWait(request); });
}
void take_rows(AsyncRequest* request) {
  ask(scan_of(request), [request] { own.ForeignAsyncNotify(request); });
}

void begin_later(ForeignScanState*, int) {}

bool collect_scans(PlanState* node, void* scans) {
  if (node == nullptr) return false;
  auto* const found = static_cast<List**>(scans);
  if (IsA(node, ForeignScanState)) *found = lappend(*found, node);
  return pg::walk_plan(node, collect_scans, scans);
}

// Nothing that fails here comes of a row: none was read yet.
template <class F>
void begin_with(Oid table, bool watched, F f) {
  if (!watched) return f();
  pg::entry([&] {
    try {
      pg::call(f);
    } catch (const pg::PostgresError& error) {
      if (is_own_interrupt(*error.data) || error.data->sqlerrcode == pg::kShardFailed) throw;
      pg::call([&] {
        log_failure(table, *error.data);
        tell_failure(table, is_end_by_server(error.data->sqlerrcode) ? Failed::ended : Failed::unreachable);
      });
    }
  });
}

void compare_with_server(ForeignScanState* scan, bool watched) {
  const Oid table = table_of(scan);
  const budget::ForeignObstacle found = budget::difference_on_server(table, pg::reader_of(scan));
  if (found.message == nullptr) return;
  ereport(watched ? LOG_SERVER_ONLY : ERROR, (errcode(pg::kShardFailed),
                                              errmsg("server %s has another table than foreign table %s stands for",
                                                     quote_identifier(budget::server_name(table)), get_rel_name(table)),
                                              errdetail("%s", found.message), errhint("%s", found.hint)));
  tell_failure(table, found.of_extension ? Failed::extension : Failed::differs);
}

void begin(ForeignScanState* scan, bool watched) {
  begin_with(table_of(scan), watched, [=] {
    compare_with_server(scan, watched);
    scan->fdwroutine->BeginForeignScan = own.BeginForeignScan;
    own.BeginForeignScan(scan, 0);
  });
  if (!watched) return;
  FdwRoutine* const routine = scan->fdwroutine;
  routine->IterateForeignScan = next_row;
  routine->ReScanForeignScan = again;
  routine->ForeignAsyncRequest = request_rows;
  routine->ForeignAsyncConfigureWait = configure_wait;
  routine->ForeignAsyncNotify = take_rows;
}

// Sets what the table's own record says of the beginning of scans, which each execution copies.
void set_begin(Oid table, BeginForeignScan_function begin) {
  Relation const opened = table_open(table, AccessShareLock);
  GetFdwRoutineForRelation(opened, false)->BeginForeignScan = begin;
  table_close(opened, NoLock);
}

void remember_own(Oid table) {
  if (own.type == T_FdwRoutine) return;
  own = *GetFdwRoutineByServerId(GetForeignTable(table)->serverid);
}

// Of the inner query that is being planned.
GetForeignUpperPaths_function own_upper_paths = nullptr;
List* declared_of_planned = NIL;

bool is_part(const Node* expression) {
  if (!IsA(expression, Aggref)) return false;
  const Oid aggregate = reinterpret_cast<const Aggref*>(expression)->aggfnoid;
  return aggregate == budget::internal_function("shard_part", {ANYOID}) ||
         aggregate == budget::internal_function("shard_units", {ANYOID}) ||
         aggregate == budget::internal_function("shard_groups", {ANYOID}) ||
         aggregate == budget::internal_function("shard_row", {ANYELEMENTOID, ANYOID});
}

bool are_keys_and_parts(List* shown) {
  ListCell* cell;
  foreach (cell, shown) {
    auto* const expression = reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr);
    if (!is_part(expression) && contain_agg_clause(expression)) return false;
  }
  return true;
}

// Another server groups rows and makes parts, where all that it is sent for it is admitted as it was planned.
void find_parts(PlannerInfo* root, UpperRelationKind stage, RelOptInfo* input, RelOptInfo* output, void* extra) {
  if (stage != UPPERREL_GROUP_AGG) return;
  const PlannedExpressions context{declared_of_planned, nullptr, nullptr};
  ListCell* cell;
  bool parts = false;
  foreach (cell, output->reltarget->exprs) {
    auto* const expression = static_cast<Node*>(lfirst(cell));
    if (find_unadmitted(expression, context) != nullptr) return;
    if (!is_part(expression) && contain_agg_clause(expression)) return;
    parts = parts || is_part(expression);
  }
  foreach (cell, input->baserestrictinfo) {
    if (find_unadmitted(reinterpret_cast<Node*>(lfirst_node(RestrictInfo, cell)->clause), context) != nullptr) return;
  }
  if (parts) own_upper_paths(root, stage, input, output, extra);
}

struct Nodes {
  bool computed_elsewhere = false;
  bool hashed = false;
};

void look_at(const Plan* plan, Nodes* found) {
  if (plan == nullptr) return;
  if (IsA(plan, ForeignScan) && reinterpret_cast<const ForeignScan*>(plan)->scan.scanrelid == 0)
    found->computed_elsewhere = true;
  if (IsA(plan, Agg)) {
    const AggStrategy strategy = reinterpret_cast<const Agg*>(plan)->aggstrategy;
    found->hashed = found->hashed || strategy == AGG_HASHED || strategy == AGG_MIXED;
  }
  if (IsA(plan, SubqueryScan)) look_at(reinterpret_cast<const SubqueryScan*>(plan)->subplan, found);
  const List* parts = NIL;
  if (IsA(plan, Append)) parts = reinterpret_cast<const Append*>(plan)->appendplans;
  if (IsA(plan, MergeAppend)) parts = reinterpret_cast<const MergeAppend*>(plan)->mergeplans;
  ListCell* cell;
  foreach (cell, parts) look_at(static_cast<const Plan*>(lfirst(cell)), found);
  look_at(plan->lefttree, found);
  look_at(plan->righttree, found);
}

bool adds_up_parts(const Query* inner) {
  const auto* const entry = linitial_node(RangeTblEntry, inner->rtable);
  if (entry->rtekind != RTE_SUBQUERY) return false;
  const Query* query = entry->subquery;
  if (query->setOperations != nullptr) query = linitial_node(RangeTblEntry, query->rtable)->subquery;
  const auto* const table = linitial_node(RangeTblEntry, query->rtable);
  return table->rtekind == RTE_RELATION && table->relkind == RELKIND_FOREIGN_TABLE && !table->inh;
}

}  // namespace

SortsParts::SortsParts(const Query* inner) : hashes_(enable_hashagg) {
  if (inner->rtable != NIL && adds_up_parts(inner)) enable_hashagg = false;
}

// Such a plan reads nothing that is here; but for hash tables its nodes begin in the same way where it is only shown.
int flags_of_start(const PlannedStmt* plan, int flags) {
  Nodes found;
  look_at(plan->planTree, &found);
  if (!found.computed_elsewhere) return flags;
  if (found.hashed) elog(ERROR, "parts of other servers are not grouped by sorting");
  return flags | EXEC_FLAG_EXPLAIN_ONLY | EXEC_FLAG_SKIP_TRIGGERS;
}

ScansLater::ScansLater(const PlannedStmt* plan) : tables_(NIL) {
  ListCell* cell;
  foreach (cell, plan->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind != RTE_RELATION || entry->relkind != RELKIND_FOREIGN_TABLE) continue;
    tables_ = list_append_unique_oid(tables_, entry->relid);
  }
  foreach (cell, tables_) remember_own(lfirst_oid(cell));
  foreach (cell, tables_) set_begin(lfirst_oid(cell), begin_later);
}

ScansLater::~ScansLater() {
  ListCell* cell;
  foreach (cell, tables_) set_begin(lfirst_oid(cell), own.BeginForeignScan);
}

void begin_scans(QueryDesc* inner, bool watched) {
  List* scans = NIL;
  collect_scans(inner->planstate, &scans);
  if (scans == NIL) return;
  inner->estate->es_top_eflags &= ~EXEC_FLAG_EXPLAIN_ONLY;
  MemoryContext const outer = MemoryContextSwitchTo(inner->estate->es_query_cxt);
  PushActiveSnapshot(inner->snapshot);
  ListCell* cell;
  foreach (cell, scans) begin(static_cast<ForeignScanState*>(lfirst(cell)), watched);
  PopActiveSnapshot();
  MemoryContextSwitchTo(outer);
}

void require_admitted_scan(const ForeignScan* scan, const PlannedStmt* plan, const InnerQuery& inner_query) {
  const bool parts = scan->scan.scanrelid == 0;
  if (scan->operation != CMD_SELECT || outerPlan(scan) != nullptr || !pg::is_about_one_table(scan) ||
      (parts ? scan->fdw_recheck_quals != NIL || !are_keys_and_parts(scan->fdw_scan_tlist)
             : scan->fdw_scan_tlist != NIL))
    refuse_planned("what another server is to compute");
  const Oid table = entry_numbered(static_cast<int>(pg::table_number(scan)), plan->rtable)->relid;
  const auto protection = budget::protection_of(table);
  if (!protection || !list_member_oid(inner_query.protected_relations(), protection->relation))
    refuse_planned(psprintf("foreign table %s", get_rel_name(table)));
  const budget::ForeignObstacle obstacle = budget::foreign_obstacle(table);
  if (obstacle.message != nullptr) {
    ereport(ERROR, (errcode(pg::kNotAdmissible),
                    errmsg("private queries do not read table %s: it %s", get_rel_name(table), obstacle.message),
                    errhint("%s", obstacle.hint)));
  }
}

void fetch_rows_or_parts(RelOptInfo* table, List* declared) {
  if (table->fdwroutine == nullptr) return;
  table->fdwroutine->GetForeignJoinPaths = nullptr;
  if (table->fdwroutine->GetForeignUpperPaths != find_parts) own_upper_paths = table->fdwroutine->GetForeignUpperPaths;
  table->fdwroutine->GetForeignUpperPaths = find_parts;
  declared_of_planned = declared;
}

const char* servers_text(const PlannedStmt* plan) {
  StringInfoData text;
  initStringInfo(&text);
  List* told = NIL;  // oid
  ListCell* cell;
  foreach (cell, plan->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind != RTE_RELATION || entry->relkind != RELKIND_FOREIGN_TABLE) continue;
    if (list_member_oid(told, entry->relid)) continue;
    told = lappend_oid(told, entry->relid);
    appendStringInfo(&text, "%s%s from server %s", text.len > 0 ? ", " : "", get_rel_name(entry->relid),
                     budget::server_name(entry->relid));
  }
  return text.len > 0 ? text.data : nullptr;
}

}  // namespace dp::guard
