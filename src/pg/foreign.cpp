#include "pg/foreign.h"

namespace dp::pg {
namespace {

RangeTblEntry* entry_of(Oid table, [[maybe_unused]] Oid reader) {
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_RELATION;
  entry->relid = table;
  entry->relkind = RELKIND_FOREIGN_TABLE;
  entry->rellockmode = AccessShareLock;
  entry->eref = makeAlias("remote", NIL);
#if PG_VERSION_NUM < 160000
  entry->checkAsUser = reader;
#endif
  return entry;
}

// A scan as postgres_fdw makes one of a join that the other server computes: it names no table of this one. Its private
// list begins with the statement, the columns that this returns, and how many rows are fetched at once; then what
// EXPLAIN shows.
ForeignScan* scan_of(const char* sql, int columns, Oid server, [[maybe_unused]] Oid reader) {
  auto* const scan = makeNode(ForeignScan);
  List* numbers = NIL;
  for (int i = 1; i <= columns; ++i) {
    auto* const shown = makeVar(1, static_cast<AttrNumber>(i), TEXTOID, -1, DEFAULT_COLLATION_OID, 0);
    auto* const read = makeVar(INDEX_VAR, static_cast<AttrNumber>(i), TEXTOID, -1, DEFAULT_COLLATION_OID, 0);
    const auto number = static_cast<AttrNumber>(i);
    scan->fdw_scan_tlist =
        lappend(scan->fdw_scan_tlist, makeTargetEntry(reinterpret_cast<Expr*>(shown), number, pstrdup("told"), false));
    scan->scan.plan.targetlist = lappend(
        scan->scan.plan.targetlist, makeTargetEntry(reinterpret_cast<Expr*>(read), number, pstrdup("told"), false));
    numbers = lappend_int(numbers, i);
  }
  constexpr int kRowsAtOnce = 2000;
  scan->operation = CMD_SELECT;
  scan->fs_server = server;
  scan->fs_relids = bms_make_singleton(1);
#if PG_VERSION_NUM >= 160000
  scan->fs_base_relids = bms_make_singleton(1);
  scan->checkAsUser = reader;
#endif
  scan->fdw_private =
      list_make4(makeString(pstrdup(sql)), numbers, makeInteger(kRowsAtOnce), makeString(pstrdup("facts")));
  return scan;
}

List* texts_of(TupleTableSlot* row) {
  List* texts = NIL;
  slot_getallattrs(row);
  for (int i = 0; i < row->tts_tupleDescriptor->natts; ++i)
    texts = lappend(texts, row->tts_isnull[i] ? nullptr : TextDatumGetCString(row->tts_values[i]));
  return texts;
}

}  // namespace

List* remote_rows(Oid table, Oid reader, const char* sql, int columns) {
  auto* const plan = makeNode(PlannedStmt);
  plan->commandType = CMD_SELECT;
  plan->canSetTag = true;
  plan->rtable = list_make1(entry_of(table, reader));
  plan->planTree = &scan_of(sql, columns, GetForeignTable(table)->serverid, reader)->scan.plan;
  QueryDesc* const query =
      CreateQueryDesc(plan, "", GetActiveSnapshot(), InvalidSnapshot, None_Receiver, nullptr, nullptr, 0);
  standard_ExecutorStart(query, 0);
  List* rows = NIL;
  for (TupleTableSlot* row; row = ExecProcNode(query->planstate), !TupIsNull(row);) rows = lappend(rows, texts_of(row));
  standard_ExecutorFinish(query);
  standard_ExecutorEnd(query);
  FreeQueryDesc(query);
  return rows;
}

}  // namespace dp::pg
