#include "guard/inner/plan_columns.h"

#include "guard/admission/row_limits.h"
#include "guard/query/public_rows.h"
#include "guard/tree/by_number.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

[[noreturn]] void stop(const char* what) {
  ereport(LOG_SERVER_ONLY, (errmsg("the plan of a private query would have failed: %s", what)));
  ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("the plan of a private query is not in order"),
                  errdetail("This is a fault of pg_dp. Nothing was charged, and no row was read."),
                  errhint("Ask in another way, and tell a curator, who finds in the server's log what it is.")));
  pg_unreachable();
}

[[noreturn]] void stop_at(const Var* column, const Plan* node, const char* what) {
  stop(psprintf("column %d of %d, of type %s, in a node of kind %d: %s", column->varattno, column->varno,
                format_type_be(column->vartype), static_cast<int>(nodeTag(node)), what));
}

struct Reader {
  const Plan* node;
  const PlanOfQuery* of;  // nullptr: its columns are those of the node's own row
};

void compare_with_row(const Var* column, const Reader& reader, List* row) {
  const TargetEntry* const entry = get_tle_by_resno(row, column->varattno);
  if (entry == nullptr) stop_at(column, reader.node, "there is none");
  const Oid type = exprType(reinterpret_cast<Node*>(entry->expr));
  if (type != column->vartype) stop_at(column, reader.node, psprintf("it has type %s", format_type_be(type)));
}

// Of the nodes below.
void compare_with_rows_below(const Var* column, const Reader& reader) {
  const Plan* const below = column->varno == INNER_VAR ? innerPlan(reader.node) : outerPlan(reader.node);
  if (below != nullptr) return compare_with_row(column, reader, below->targetlist);
  List* all = NIL;
  if (IsA(reader.node, Append)) all = reinterpret_cast<const Append*>(reader.node)->appendplans;
  if (IsA(reader.node, MergeAppend)) all = reinterpret_cast<const MergeAppend*>(reader.node)->mergeplans;
  if (all == NIL || column->varno == INNER_VAR) stop_at(column, reader.node, "there is no node below");
  ListCell* cell;
  foreach (cell, all) compare_with_row(column, reader, static_cast<const Plan*>(lfirst(cell))->targetlist);
}

void compare(const Var* column, const Reader& reader, Oid type, int32 modifier, Oid collation) {
  if (type == column->vartype && modifier == column->vartypmod && collation == column->varcollid) return;
  stop_at(column, reader.node, psprintf("it is a %s", format_type_with_typemod(type, modifier)));
}

void compare_with_table(const Var* column, const Reader& reader, Oid table) {
  HeapTuple const row = SearchSysCache2(ATTNUM, ObjectIdGetDatum(table), Int16GetDatum(column->varattno));
  if (!HeapTupleIsValid(row)) stop_at(column, reader.node, "there is none");
  const FormData_pg_attribute attribute = *reinterpret_cast<Form_pg_attribute>(GETSTRUCT(row));
  ReleaseSysCache(row);
  if (attribute.attisdropped) stop_at(column, reader.node, "it was dropped");
  compare(column, reader, attribute.atttypid, attribute.atttypmod, attribute.attcollation);
}

// The columns of the subquery of that number, as its own plan, or the query that is to be planned, shows them.
List* shown_by(const InnerQuery& inner_query, int number) {
  if (number < 1 || number > list_length(inner_query.subqueries)) return NIL;
  Node* const query = PublicSubquery::of(static_cast<List*>(list_nth(inner_query.subqueries, number - 1))).query;
  return IsA(query, Query) ? castNode(Query, query)->targetList : castNode(PlannedStmt, query)->planTree->targetlist;
}

void compare_with_public_rows(const Var* column, const Reader& reader, const RangeTblEntry* entry) {
  int left = column->varattno;
  ListCell* cell;
  foreach (cell, shown_by(*reader.of->inner_query, number_of_public_rows(entry))) {
    const auto* const shown = lfirst_node(TargetEntry, cell);
    if (shown->resjunk || --left > 0) continue;
    auto* const value = reinterpret_cast<Node*>(shown->expr);
    return compare(column, reader, exprType(value), exprTypmod(value), exprCollation(value));
  }
  stop_at(column, reader.node, "there is none");
}

void compare_with_entry(const Var* column, const Reader& reader) {
  List* const tables = reader.of->plan->rtable;
  if (column->varno < 1 || column->varno > list_length(tables)) stop_at(column, reader.node, "there is no such table");
  if (IsA(reader.node, SubqueryScan))
    return compare_with_row(column, reader, reinterpret_cast<const SubqueryScan*>(reader.node)->subplan->targetlist);
  const RangeTblEntry* const entry = entry_numbered(column->varno, tables);
  if (entry->rtekind == RTE_RELATION) return compare_with_table(column, reader, entry->relid);
  // What reads nothing, because a condition is never true, keeps the columns that it would have read.
  if (IsA(reader.node, Result) && outerPlan(reader.node) == nullptr) return;
  if (entry->rtekind == RTE_NAMEDTUPLESTORE) return compare_with_public_rows(column, reader, entry);
  stop_at(column, reader.node, "it is no table's");
}

bool check(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Var)) return pg::walk(node, check, context);
  const auto& reader = *static_cast<const Reader*>(context);
  const auto* const column = castNode(Var, node);
  if (column->varattno <= 0) return false;
  if (reader.of == nullptr) {
    compare_with_row(column, reader, reader.node->targetlist);
  } else if (column->varno == OUTER_VAR || column->varno == INNER_VAR) {
    compare_with_rows_below(column, reader);
  } else if (column->varno != INDEX_VAR) {
    compare_with_entry(column, reader);
  } else if (IsA(reader.node, ForeignScan)) {
    compare_with_row(column, reader, reinterpret_cast<const ForeignScan*>(reader.node)->fdw_scan_tlist);
  } else if (IsA(reader.node, IndexOnlyScan)) {
    compare_with_row(column, reader, reinterpret_cast<const IndexOnlyScan*>(reader.node)->indextlist);
  }  // for another index scan it says which column of the index a value is compared with, and is not read
  return false;
}

}  // namespace

void check_row(const Plan* node) {
  if (list_length(node->targetlist) > kMostColumns)
    stop(psprintf("a node of kind %d has %d columns", static_cast<int>(nodeTag(node)), list_length(node->targetlist)));
  if (IsA(node, Memoize) && reinterpret_cast<const Memoize*>(node)->numKeys > kMostColumns)
    stop(psprintf("a cache has %d keys", reinterpret_cast<const Memoize*>(node)->numKeys));
}

void check_columns(Node* expression, const Plan* node, const PlanOfQuery& of) {
  Reader reader{node, &of};
  check(expression, &reader);
}

void check_own_columns(Node* expression, const Plan* node) {
  Reader reader{node, nullptr};
  check(expression, &reader);
}

}  // namespace dp::guard
