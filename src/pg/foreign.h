// Foreign tables, whose rows are on other servers, and the executions that fetch them.
#pragma once

#include "pg/execution.h"
#include "pg/permissions.h"

extern "C" {
#include "catalog/pg_foreign_data_wrapper.h"
#include "catalog/pg_foreign_server.h"
#include "catalog/pg_foreign_table.h"
#include "foreign/fdwapi.h"
#include "foreign/foreign.h"
#include "utils/varlena.h"
}

namespace dp::pg {

// SQLSTATE of a question that another server, which has rows of a protected table, did not answer.
inline constexpr int kShardFailed = MAKE_SQLSTATE('D', 'P', '0', '0', '8');

// Of this server.
inline constexpr int kMajor = PG_VERSION_NUM / 10000;

// Whether the plan may read a foreign table.
inline bool reads_foreign(const PlannedStmt* plan) {
  ListCell* cell;
  foreach (cell, plan->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_RELATION && entry->relkind == RELKIND_FOREIGN_TABLE) return true;
  }
  return false;
}

// What is said of an option of a foreign table, its server or column, in the list of them; nullptr: nothing.
inline const char* option_of(const List* options, const char* name) {
  ListCell* cell;
  foreach (cell, options) {
    auto* const element = lfirst_node(DefElem, cell);
    if (strcmp(element->defname, name) == 0) return defGetString(element);
  }
  return nullptr;
}

// The entries of the tables that a scan is about, of which there are several where another server joins them.
inline const Bitmapset* table_numbers(const ForeignScan* scan) {
#if PG_VERSION_NUM >= 160000
  return scan->fs_base_relids;
#else
  return scan->fs_relids;
#endif
}

// That of the first.
inline Index table_number(const ForeignScan* scan) {
  if (scan->scan.scanrelid > 0) return scan->scan.scanrelid;
  return static_cast<Index>(bms_next_member(table_numbers(scan), -1));
}

#if PG_VERSION_NUM >= 160000
// As whom the rows are fetched: it stands in each scan of the plan, which is copied for it.
inline bool fetch_as_checked(Plan* plan, PlannedStmt* of, Oid reader);

inline bool fetch_all_as_checked(List* plans, PlannedStmt* of, Oid reader) {
  ListCell* cell;
  foreach (cell, plans) fetch_as_checked(static_cast<Plan*>(lfirst(cell)), of, reader);
  return false;
}

// Of the entry, or of the one that it is a partition of; else, and where nothing is asked for it, the reader.
inline Oid checked_user(const PlannedStmt* of, Index number, Oid reader) {
  const Permissions* const known = permissions_in(of->permInfos, rt_fetch(number, of->rtable));
  if (known != nullptr && known->requiredPerms != 0) return known->checkAsUser;
  ListCell* cell;
  foreach (cell, of->appendRelations) {
    const auto* const part = lfirst_node(AppendRelInfo, cell);
    if (part->child_relid == number) return checked_user(of, part->parent_relid, reader);
  }
  return reader;
}

inline bool fetch_as_checked(Plan* plan, PlannedStmt* of, Oid reader) {
  if (plan == nullptr) return false;
  if (IsA(plan, ForeignScan)) {
    auto* const scan = reinterpret_cast<ForeignScan*>(plan);
    scan->checkAsUser = checked_user(of, table_number(scan), reader);
  }
  if (IsA(plan, Append)) fetch_all_as_checked(reinterpret_cast<Append*>(plan)->appendplans, of, reader);
  if (IsA(plan, MergeAppend)) fetch_all_as_checked(reinterpret_cast<MergeAppend*>(plan)->mergeplans, of, reader);
  if (IsA(plan, SubqueryScan)) fetch_as_checked(reinterpret_cast<SubqueryScan*>(plan)->subplan, of, reader);
  fetch_as_checked(plan->lefttree, of, reader);
  return fetch_as_checked(plan->righttree, of, reader);
}

// Lets the plan, whose permissions are its own, fetch foreign rows as those whom its tables are checked as; and, where
// that is said of no entry, as the reader.
inline void fetch_as_checked(PlannedStmt* plan, Oid reader) {
  plan->planTree = static_cast<Plan*>(copyObjectImpl(plan->planTree));
  plan->subplans = static_cast<List*>(copyObjectImpl(plan->subplans));
  fetch_as_checked(plan->planTree, plan, reader);
  fetch_all_as_checked(plan->subplans, plan, reader);
}

inline Oid reader_of(const ForeignScanState* scan) {
  const Oid reader = reinterpret_cast<const ForeignScan*>(scan->ss.ps.plan)->checkAsUser;
  return OidIsValid(reader) ? reader : GetUserId();
}
#else
// Partitions are not checked by themselves, and say as whom their rows are fetched.
inline void fetch_as_checked(PlannedStmt* plan, Oid reader) {
  ListCell* cell;
  foreach (cell, plan->rtable) {
    auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_RELATION && entry->requiredPerms == 0) entry->checkAsUser = reader;
  }
  foreach (cell, plan->appendRelations) {
    const auto* const part = lfirst_node(AppendRelInfo, cell);
    if (!OidIsValid(part->child_reltype)) continue;
    rt_fetch(part->child_relid, plan->rtable)->checkAsUser = rt_fetch(part->parent_relid, plan->rtable)->checkAsUser;
  }
}

inline Oid reader_of(const ForeignScanState* scan) {
  const Index number = table_number(reinterpret_cast<const ForeignScan*>(scan->ss.ps.plan));
  const Oid reader = exec_rt_fetch(number, scan->ss.ps.state)->checkAsUser;
  return OidIsValid(reader) ? reader : GetUserId();
}
#endif

// The rows of a statement of texts that postgres_fdw runs on the server of that foreign table, as that role: for each
// row a List of char*, nullptr for NULL. `sql`: SELECT of so many texts.
List* remote_rows(Oid table, Oid reader, const char* sql, int columns);

}  // namespace dp::pg
