#include "budget/publish/one_period.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "budget/policy/fixed_columns.h"
#include "pg/analysis.h"
#include "pg/errors.h"
#include "pg/joins.h"
#include "pg/walk.h"

namespace dp::budget {
namespace {

[[noreturn]] void refuse(const char* what, const char* hint) {
  ereport(ERROR,
          (errcode(pg::kNotAdmissible), errmsg("running totals cannot be published: %s", what), errhint("%s", hint)));
  pg_unreachable();
}

// A protected table as a level of the query reads it.
struct Reading {
  Query* level;
  int entry;
  int count;
};

bool find_readings(Node* node, void* found) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, find_readings, found);
  auto* const query = castNode(Query, node);
  auto* const reading = static_cast<Reading*>(found);
  ListCell* cell;
  foreach (cell, query->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind != RTE_RELATION || !protection_of(entry->relid)) continue;
    *reading = {query, foreach_current_index(cell) + 1, reading->count + 1};
  }
  return pg::walk_query(query, find_readings, found, 0);
}

// What may run something that is not PostgreSQL's own while the query is planned or run: that could set another time
// zone meanwhile, by which periods overlap. What is volatile could as well.
bool is_foreign(Oid function, void*) {
  if (is_of_extension(ProcedureRelationId, function)) return false;
  return function >= FirstUnpinnedObjectId || func_volatile(function) == PROVOLATILE_VOLATILE;
}

bool runs_foreign(Node* node, void* reading) {
  if (node == nullptr) return false;
  if (IsA(node, CoerceToDomain) || check_functions_in_node(node, is_foreign, nullptr)) return true;
  if (IsA(node, RangeTblEntry)) {
    const auto* const entry = castNode(RangeTblEntry, node);
    return entry->rtekind == RTE_RELATION && entry->relid != *static_cast<Oid*>(reading);
  }
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), runs_foreign, reading, QTW_EXAMINE_RTES_BEFORE);
  return pg::walk(node, runs_foreign, reading);
}

bool is_time(Oid type) { return type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID; }

// Of casts between times, which keep their order by universal time. Appends the functions of these (oid).
Node* without_casts(Node* node, List** casts) {
  while (true) {
    if (IsA(node, RelabelType)) {
      node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
    } else if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcformat != COERCE_EXPLICIT_CALL &&
               list_length(castNode(FuncExpr, node)->args) == 1 && is_time(exprType(node))) {
      *casts = lappend_oid(*casts, castNode(FuncExpr, node)->funcid);
      node = static_cast<Node*>(linitial(castNode(FuncExpr, node)->args));
    } else {
      return node;
    }
  }
}

bool calls(Node* node, const char* name, List** casts) {
  *casts = NIL;
  node = without_casts(node, casts);
  if (!IsA(node, FuncExpr)) return false;
  const Oid function = castNode(FuncExpr, node)->funcid;
  return is_of_extension(ProcedureRelationId, function) && strcmp(get_func_name(function), name) == 0;
}

// The column that a condition compares in that way with that function, under these casts; 0: none.
AttrNumber compared(Node* condition, int entry, const char* function, int strategy, int commuted, List** casts) {
  if (!IsA(condition, OpExpr) || list_length(castNode(OpExpr, condition)->args) != 2) return 0;
  const auto* const comparison = castNode(OpExpr, condition);
  Node* left = static_cast<Node*>(linitial(comparison->args));
  Node* right = static_cast<Node*>(lsecond(comparison->args));
  int wanted = strategy;
  if (calls(left, function, casts)) {
    Node* const other = left;
    left = right;
    right = other;
    wanted = commuted;
  }
  if (!calls(right, function, casts)) return 0;
  if (IsA(left, RelabelType)) left = reinterpret_cast<Node*>(castNode(RelabelType, left)->arg);
  if (!IsA(left, Var) || castNode(Var, left)->varno != entry || castNode(Var, left)->varlevelsup != 0 ||
      !is_time(exprType(left)))
    return 0;
  const bool own = comparison->opno < FirstUnpinnedObjectId;
  return own && pg::comparison_of(comparison->opno) == wanted ? castNode(Var, left)->varattno : 0;
}

// Where one period ends the next one has to begin: both ends are cast in one way, or in none.
AttrNumber column_of_period(const Reading& reading) {
  List* const conditions = make_ands_implicit(reinterpret_cast<Expr*>(reading.level->jointree->quals));
  List *casts_of_start, *casts_of_end;
  ListCell *from, *to;
  foreach (from, conditions) {
    const AttrNumber column = compared(static_cast<Node*>(lfirst(from)), reading.entry, "period_start",
                                       BTGreaterEqualStrategyNumber, BTLessEqualStrategyNumber, &casts_of_start);
    if (column <= 0) continue;
    foreach (to, conditions) {
      if (compared(static_cast<Node*>(lfirst(to)), reading.entry, "period_end", BTLessStrategyNumber,
                   BTGreaterStrategyNumber, &casts_of_end) == column &&
          equal(casts_of_start, casts_of_end))
        return column;
    }
  }
  return 0;
}

}  // namespace

Oid require_one_period(const char* query) {
  constexpr const char* kWrite =
      "SELECT ward, count(*) FROM visits WHERE admitted >= dp.period_start() AND admitted < dp.period_end() GROUP BY "
      "ward";
  List* const parsed = pg_parse_query(query);
  if (list_length(parsed) != 1) elog(ERROR, "a publication has one query");
  Query* const analysed = parse_analyze_fixedparams(linitial_node(RawStmt, parsed), query, nullptr, 0, nullptr);
  Reading reading{nullptr, 0, 0};
  find_readings(reinterpret_cast<Node*>(analysed), &reading);
  if (reading.count != 1) {
    refuse(
        reading.count == 0 ? "the query names no protected table" : "the query reads protected tables more than once",
        psprintf("Write %s.", kWrite));
  }
  const AttrNumber column = column_of_period(reading);
  if (column == 0) refuse("a row may count in several periods", psprintf("Write %s.", kWrite));
  Oid table = list_nth_node(RangeTblEntry, reading.level->rtable, reading.entry - 1)->relid;
  if (runs_foreign(reinterpret_cast<Node*>(analysed), &table)) {
    refuse("the query reads other tables or views, or calls a function that is volatile or none of PostgreSQL's own",
           "Publish totals of the protected table alone; join and compute with what is published.");
  }
  const char* const name = get_attname(table, column, false);
  if (!is_fixed(protection_of(table)->relation, name)) {
    refuse(psprintf("an UPDATE of column %s could have a row count in two periods", quote_identifier(name)),
           psprintf("A curator has these refused: SELECT dp.fix_column(%s, %s);",
                    quote_literal_cstr(relation_name(protection_of(table)->relation)), quote_literal_cstr(name)));
  }
  return table;
}

}  // namespace dp::budget
