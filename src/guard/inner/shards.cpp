#include "guard/inner/shards.h"

#include "budget/catalog/colocated_rows.h"
#include "budget/catalog/copy_rows.h"
#include "budget/policy/accounts.h"
#include "budget/policy/colocated.h"
#include "budget/policy/shards.h"
#include "guard/inner/plan_expressions.h"
#include "guard/inner/server_errors.h"
#include "guard/inner/shard_paths.h"
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

// The tables of the scan, oid.
List* tables_of(const ForeignScan* scan, const List* entries) {
  List* tables = NIL;
  for (int number = -1; (number = bms_next_member(pg::table_numbers(scan), number)) >= 0;)
    tables = lappend_oid(tables, entry_numbered(number, entries)->relid);
  return tables;
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

void refuse_difference(Oid table, const budget::ForeignObstacle& found, bool watched) {
  if (found.message == nullptr) return;
  ereport(watched ? LOG_SERVER_ONLY : ERROR, (errcode(pg::kShardFailed),
                                              errmsg("server %s has another table than foreign table %s stands for",
                                                     quote_identifier(budget::server_name(table)), get_rel_name(table)),
                                              errdetail("%s", found.message), errhint("%s", found.hint)));
  tell_failure(table, found.of_extension ? Failed::extension : Failed::differs);
}

void begin(ForeignScanState* scan, bool watched) {
  const auto* const plan = reinterpret_cast<const ForeignScan*>(scan->ss.ps.plan);
  List* const tables = tables_of(plan, scan->ss.ps.state->es_range_table);
  const Oid reader = pg::reader_of(scan);
  ListCell* cell;
  foreach (cell, tables) {
    const Oid table = lfirst_oid(cell);
    begin_with(table, watched, [=] { refuse_difference(table, budget::difference_on_server(table, reader), watched); });
  }
  if (list_length(tables) > 1 || budget::is_spread(linitial_oid(tables)))
    begin_with(table_of(scan), watched,
               [=] { refuse_difference(table_of(scan), budget::difference_of_places(tables, reader), watched); });
  begin_with(table_of(scan), watched, [=] {
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

// Those of the plan that another server computes, of its table's rows.
void find_computed(Plan* plan, List** found) {
  if (plan == nullptr) return;
  if (IsA(plan, ForeignScan) && reinterpret_cast<ForeignScan*>(plan)->scan.scanrelid == 0)
    *found = lappend(*found, plan);
  if (IsA(plan, SubqueryScan)) find_computed(reinterpret_cast<SubqueryScan*>(plan)->subplan, found);
  List* parts = NIL;
  if (IsA(plan, Append)) parts = reinterpret_cast<Append*>(plan)->appendplans;
  if (IsA(plan, MergeAppend)) parts = reinterpret_cast<MergeAppend*>(plan)->mergeplans;
  ListCell* cell;
  foreach (cell, parts) find_computed(static_cast<Plan*>(lfirst(cell)), found);
  find_computed(plan->lefttree, found);
  find_computed(plan->righttree, found);
}

List* computed_of(const PlannedStmt* plan) {
  List* found = NIL;
  find_computed(plan->planTree, &found);
  return found;
}

// The tables that another server computes with, of which the first is protected.
const char* names_of(const ForeignScan* scan, const PlannedStmt* plan) {
  StringInfoData names;
  initStringInfo(&names);
  ListCell* cell;
  foreach (cell, tables_of(scan, plan->rtable))
    appendStringInfo(&names, "%s%s", names.len == 0 ? "" : " with ", get_rel_name(lfirst_oid(cell)));
  return names.data;
}

// The list of tables of that server, to which one is added.
void tell_table(List** told, List** servers, const char* server, const char* table) {
  ListCell* cell;
  foreach (cell, *servers) {
    if (strcmp(strVal(lfirst(cell)), server) != 0) continue;
    auto* const tables = static_cast<StringInfo>(list_nth(*told, foreach_current_index(cell)));
    appendStringInfo(tables, ", %s", table);
    return;
  }
  StringInfo const tables = makeStringInfo();
  appendStringInfoString(tables, table);
  *told = lappend(*told, tables);
  *servers = lappend(*servers, makeString(pstrdup(server)));
}

List* lines_of(const List* told, const List* servers) {
  List* lines = NIL;
  ListCell *tables, *server;
  forboth(tables, told, server, servers) {
    const char* const text = static_cast<StringInfo>(lfirst(tables))->data;
    lines = lappend(lines, psprintf("%s from %s", text, strVal(lfirst(server))));
  }
  return lines;
}

}  // namespace

ScansLater::ScansLater(const PlannedStmt* plan) : tables_(NIL), computed_(computed_of(plan)) {
  ListCell* cell;
  foreach (cell, plan->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind != RTE_RELATION || entry->relkind != RELKIND_FOREIGN_TABLE) continue;
    tables_ = list_append_unique_oid(tables_, entry->relid);
  }
  foreach (cell, tables_) remember_own(lfirst_oid(cell));
  foreach (cell, tables_) set_begin(lfirst_oid(cell), begin_later);
  foreach (cell, computed_) {
    auto* const scan = lfirst_node(ForeignScan, cell);
    scan->scan.scanrelid = pg::table_number(scan);
  }
}

ScansLater::~ScansLater() {
  ListCell* cell;
  foreach (cell, computed_) lfirst_node(ForeignScan, cell)->scan.scanrelid = 0;
  foreach (cell, tables_) set_begin(lfirst_oid(cell), own.BeginForeignScan);
}

// The plan that is run may be a copy.
void ScansLater::show_again(QueryDesc* started) {
  List* scans = NIL;
  collect_scans(started->planstate, &scans);
  ListCell* cell;
  foreach (cell, scans) {
    auto* const state = static_cast<ForeignScanState*>(lfirst(cell));
    auto* const scan = reinterpret_cast<ForeignScan*>(state->ss.ps.plan);
    if (scan->fdw_scan_tlist == NIL) continue;  // of a table
    scan->scan.scanrelid = 0;
    state->ss.ss_currentRelation = nullptr;
  }
}

void begin_scans(QueryDesc* inner, bool watched) {
  List* scans = NIL;
  collect_scans(inner->planstate, &scans);
  if (scans == NIL) return;
  MemoryContext const outer = MemoryContextSwitchTo(inner->estate->es_query_cxt);
  PushActiveSnapshot(inner->snapshot);
  ListCell* cell;
  foreach (cell, scans) begin(static_cast<ForeignScanState*>(lfirst(cell)), watched);
  PopActiveSnapshot();
  MemoryContextSwitchTo(outer);
}

static void require_admitted_table(Oid table, const InnerQuery& inner_query) {
  const auto protection = budget::protection_of(table);
  if (protection ? !list_member_oid(inner_query.protected_relations(), protection->relation)
                 : !OidIsValid(budget::original_of(table)))
    refuse_planned(psprintf("foreign table %s", get_rel_name(table)));
  const budget::ForeignObstacle obstacle = budget::foreign_obstacle(table);
  if (obstacle.message == nullptr) return;
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("private queries do not read table %s: it %s", get_rel_name(table), obstacle.message),
                  errhint("%s", obstacle.hint)));
}

void require_admitted_scan(const ForeignScan* scan, const PlannedStmt* plan, const InnerQuery& inner_query) {
  const bool parts = scan->scan.scanrelid == 0;
  if (scan->operation != CMD_SELECT || outerPlan(scan) != nullptr ||
      (parts ? scan->fdw_recheck_quals != NIL || !are_keys_and_parts(scan->fdw_scan_tlist)
             : scan->fdw_scan_tlist != NIL))
    refuse_planned("what another server is to compute");
  Oid first = InvalidOid;  // of the protected ones
  ListCell* cell;
  foreach (cell, tables_of(scan, plan->rtable)) {
    const Oid table = lfirst_oid(cell);
    require_admitted_table(table, inner_query);
    if (is_copy(table)) continue;
    if (OidIsValid(first) && !budget::are_colocated(first, table)) refuse_planned("what another server is to compute");
    first = table;
  }
}

ServersRead servers_read(const PlannedStmt* plan) {
  List *parts = NIL, *makers = NIL, *rows = NIL, *senders = NIL;
  List* told = NIL;    // oid
  List* shared = NIL;  // oid: the protected tables that have rows elsewhere
  ListCell* cell;
  foreach (cell, computed_of(plan)) {
    const auto* const scan = lfirst_node(ForeignScan, cell);
    told = list_concat(told, tables_of(scan, plan->rtable));
    const Oid table = entry_numbered(static_cast<int>(pg::table_number(scan)), plan->rtable)->relid;
    shared = list_append_unique_oid(shared, budget::protection_of(table)->relation);
    const bool makes_parts = has_parts(scan->fdw_scan_tlist);
    tell_table(makes_parts ? &parts : &rows, makes_parts ? &makers : &senders,
               psprintf("server %s", budget::server_name(table)), names_of(scan, plan));
  }
  for (const char kind : {RELKIND_FOREIGN_TABLE, RELKIND_RELATION}) {
    foreach (cell, plan->rtable) {
      const auto* const entry = lfirst_node(RangeTblEntry, cell);
      if (entry->rtekind != RTE_RELATION || entry->relkind != kind || list_member_oid(told, entry->relid)) continue;
      const auto protection = budget::protection_of(entry->relid);
      const Oid whole = protection ? protection->relation : entry->relid;
      const bool here = kind == RELKIND_RELATION;
      if (here && (whole == entry->relid || !list_member_oid(shared, whole))) continue;
      if (!here) shared = list_append_unique_oid(shared, whole);
      told = lappend_oid(told, entry->relid);
      const char* const server = here ? "this server" : psprintf("server %s", budget::server_name(entry->relid));
      tell_table(&rows, &senders, server, get_rel_name(entry->relid));
    }
  }
  return {lines_of(parts, makers), lines_of(rows, senders)};
}

}  // namespace dp::guard
