#include "guard/relations/constant_rows.h"

#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/functions/constants.h"
#include "guard/relations/from_clause.h"
#include "guard/relations/open_lists.h"
#include "guard/tree/by_number.h"
#include "pg/joins.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The columns (TargetEntry) as values that are known, but for those that are only sorted by, which stand behind all
// others; NIL where one is something else.
List* values_of(List* columns) {
  List* values = NIL;
  ListCell* cell;
  foreach (cell, columns) {
    if (lfirst_node(TargetEntry, cell)->resjunk) continue;
    Node* const value = folded(reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr));
    if (!IsA(value, Const) && !is_known_at_start(value)) return NIL;
    values = lappend(values, value);
  }
  return values;
}

// Which a column has for all its rows, and which only some of the values may have been written with.
void set_collation(ListCell* value, Oid collation) {
  auto* const node = static_cast<Node*>(copyObjectImpl(lfirst(value)));
  if (exprCollation(node) != collation) exprSetCollation(node, collation);
  lfirst(value) = node;
}

// What the query shows of the rows of its only table, whose condition holds.
List* chosen(Query* query, RangeTblEntry* table, List* rows) {
  List* shown = NIL;
  ListCell* cell;
  foreach (cell, rows) {
    List* const columns = as_columns(static_cast<List*>(lfirst(cell)));
    const auto of_row = [&](void* expression) {
      return pg::replace_columns(pg::without_nullable(static_cast<Node*>(expression)), 1, table, columns);
    };
    if (query->jointree->quals != nullptr) {
      Node* const condition = folded(of_row(query->jointree->quals));
      if (!IsA(condition, Const)) return NIL;
      if (castNode(Const, condition)->constisnull || !DatumGetBool(castNode(Const, condition)->constvalue)) continue;
    }
    List* const values = values_of(castNode(List, of_row(query->targetList)));
    if (values == NIL) return NIL;
    ListCell *value, *column;
    forboth(value, values, column, query->targetList) {
      auto* const expression = reinterpret_cast<Node*>(lfirst_node(TargetEntry, column)->expr);
      set_collation(value, exprCollation(expression));
    }
    shown = lappend(shown, values);
  }
  return shown;
}

// Of a SELECT without FROM.
List* one_row(const Query* query) {
  List* const row = values_of(query->targetList);
  return row == NIL ? NIL : list_make1(row);
}

// SELECTs without FROM, of one row each.
List* rows_of_union(const Query* query, Node* part) {
  if (IsA(part, RangeTblRef)) {
    const Query* const leaf = entry_numbered(castNode(RangeTblRef, part)->rtindex, query->rtable)->subquery;
    const bool has_one = more_than_a_choice(leaf) == nullptr && leaf->rtable == NIL && leaf->jointree->quals == nullptr;
    return has_one ? one_row(leaf) : NIL;
  }
  check_stack_depth();
  const auto* const both = castNode(SetOperationStmt, part);
  if (both->op != SETOP_UNION || !both->all) return NIL;
  List* const left = rows_of_union(query, both->larg);
  List* const right = left == NIL ? NIL : rows_of_union(query, both->rarg);
  return right == NIL ? NIL : list_concat(left, right);
}

// The rows in the types and collations of the union.
List* in_types_of(const Query* query, List* rows) {
  const auto* const all = castNode(SetOperationStmt, query->setOperations);
  List* cast = NIL;
  ListCell *row, *value, *type, *collation;
  foreach (row, rows) {
    List* values = NIL;
    forthree(value, static_cast<List*>(lfirst(row)), type, all->colTypes, collation, all->colCollations) {
      auto* const written = static_cast<Node*>(lfirst(value));
      Node* const as_shown = coerce_to_target_type(nullptr, written, exprType(written), lfirst_oid(type), -1,
                                                   COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1);
      if (as_shown == nullptr) return NIL;
      values = lappend(values, folded(as_shown));
      set_collation(list_last_cell(values), lfirst_oid(collation));
    }
    cast = lappend(cast, values);
  }
  return cast;
}

List* rows_of_query(Query* query, List* levels) {
  if (query->commandType == CMD_SELECT && query->setOperations != nullptr) {
    if (query->limitCount != nullptr || query->limitOffset != nullptr || query->cteList != NIL ||
        list_length(query->rtable) > kMostRows)
      return NIL;
    return in_types_of(query, rows_of_union(query, query->setOperations));
  }
  if (more_than_a_choice(query) != nullptr || query->cteList != NIL) return NIL;
  if (query->rtable == NIL) return query->jointree->quals != nullptr ? NIL : one_row(query);
  if (list_length(query->rtable) != 1 || list_length(query->jointree->fromlist) != 1 ||
      !IsA(linitial(query->jointree->fromlist), RangeTblRef))
    return NIL;
  auto* const table = linitial_node(RangeTblEntry, query->rtable);
  if (table->rtekind != RTE_VALUES) return chosen(query, table, constant_rows(table, around(query, levels)));
  List* const rows = table->values_lists;
  return list_length(rows) > kMostRows ? NIL : chosen(query, table, rows);
}

bool is_known_series(Oid function) {
  return function == kSeries || function == F_GENERATE_SERIES_INT4_INT4_INT4 ||
         function == F_GENERATE_SERIES_INT8_INT8 || function == F_GENERATE_SERIES_INT8_INT8_INT8 ||
         function == F_GENERATE_SERIES_TIMESTAMP_TIMESTAMP_INTERVAL;
}

// What the function gives, one value a call.
List* run(FuncExpr* call, List* arguments) {
  LOCAL_FCINFO(fcinfo, 3);
  FmgrInfo function;
  ReturnSetInfo set{};
  set.type = T_ReturnSetInfo;
  set.econtext = CreateStandaloneExprContext();
  set.allowedModes = SFRM_ValuePerCall;
  fmgr_info(call->funcid, &function);
  fmgr_info_set_expr(reinterpret_cast<Node*>(call), &function);
  InitFunctionCallInfoData(*fcinfo, &function, static_cast<short>(list_length(arguments)), call->inputcollid, nullptr,
                           reinterpret_cast<Node*>(&set));
  ListCell* cell;
  foreach (cell, arguments) fcinfo->args[foreach_current_index(cell)] = {lfirst_node(Const, cell)->constvalue, false};
  int16 length;
  bool by_value;
  get_typlenbyval(call->funcresulttype, &length, &by_value);
  List* rows = NIL;
  for (;;) {
    fcinfo->isnull = false;
    set.isDone = ExprSingleResult;
    const Datum value = FunctionCallInvoke(fcinfo);
    if (set.isDone == ExprEndResult) break;
    const bool too_many = list_length(rows) == kMostRows;
    rows = too_many ? NIL
                    : lappend(rows, list_make1(makeConst(call->funcresulttype, -1, call->funccollid, length,
                                                         fcinfo->isnull ? Datum{0} : datumCopy(value, by_value, length),
                                                         fcinfo->isnull, by_value)));
    if (too_many) break;
  }
  FreeExprContext(set.econtext, true);
  return rows;
}

List* rows_of_function(const RangeTblEntry* entry) {
  if (entry->funcordinality || list_length(entry->functions) != 1) return NIL;
  auto* const called = linitial_node(RangeTblFunction, entry->functions)->funcexpr;
  if (!IsA(called, FuncExpr) || type_is_rowtype(exprType(called))) return NIL;
  auto* const call = castNode(FuncExpr, called);
  if (!is_unnest(call) && !is_known_series(call->funcid)) return NIL;
  List* arguments = NIL;
  ListCell* cell;
  foreach (cell, call->args) {
    Node* const value = folded(static_cast<Node*>(lfirst(cell)));
    if (!IsA(value, Const) || castNode(Const, value)->constisnull) return NIL;
    arguments = lappend(arguments, value);
  }
  return run(call, arguments);
}

// A moment, or a day as its beginning, whatever the time zone is; nullptr for what is not known.
Node* as_local_time(Node* moment) {
  Node* value = folded(moment);
  if (Node* const day = cast_from(value, TIMESTAMPTZOID); day != nullptr && exprType(day) == DATEOID)
    value = folded(day);
  if (!IsA(value, Const) || castNode(Const, value)->constisnull) return nullptr;
  const auto* const constant = castNode(Const, value);
  Datum time = constant->constvalue;
  if (constant->consttype == DATEOID) {
    time = DirectFunctionCall1(date_timestamp, time);
  } else if (constant->consttype != TIMESTAMPTZOID) {
    return nullptr;
  }
  return reinterpret_cast<Node*>(
      makeConst(TIMESTAMPOID, -1, InvalidOid, sizeof(Timestamp), time, false, FLOAT8PASSBYVAL));
}

int rows_about(FuncExpr* call) {
  if (call->funcid != F_GENERATE_SERIES_TIMESTAMPTZ_TIMESTAMPTZ_INTERVAL) return 0;
  auto* const step = folded(static_cast<Node*>(lthird(call->args)));
  Node *const first = as_local_time(static_cast<Node*>(linitial(call->args))), *const last =
                                                                                   as_local_time(static_cast<Node*>(
                                                                                       lsecond(call->args)));
  if (first == nullptr || last == nullptr || !IsA(step, Const) || castNode(Const, step)->constisnull) return 0;
  List* const arguments = list_make3(first, last, step);
  FuncExpr* const local = makeFuncExpr(F_GENERATE_SERIES_TIMESTAMP_TIMESTAMP_INTERVAL, TIMESTAMPOID, arguments,
                                       InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
  local->funcretset = true;
  return list_length(run(local, arguments));
}

// The only call in the expressions that gives a set.
bool find_series(Node* node, void* context) {
  if (node == nullptr || IsA(node, SubLink)) return false;
  if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcretset) {
    auto& found = *static_cast<List**>(context);
    found = lappend(found, node);
  }
  return pg::walk(node, find_series, context);
}

}  // namespace

int rows_about(Query* query) {
  check_stack_depth();
  if (query->commandType != CMD_SELECT || query->setOperations != nullptr || query->hasAggs) return 0;
  List* series = NIL;
  find_series(reinterpret_cast<Node*>(query->targetList), &series);
  const List* const from = query->jointree->fromlist;
  if (from == NIL) return list_length(series) == 1 ? rows_about(linitial_node(FuncExpr, series)) : 0;
  if (series != NIL || list_length(from) != 1 || !IsA(linitial(from), RangeTblRef)) return 0;
  const RangeTblEntry* const entry = entry_numbered(castNode(RangeTblRef, linitial(from))->rtindex, query->rtable);
  if (entry->rtekind == RTE_SUBQUERY) return rows_about(entry->subquery);
  if (entry->rtekind == RTE_CTE) {
    List* outer = NIL;
    const CommonTableExpr* const cte = find_cte(entry, list_make1(query), &outer);
    return cte == nullptr || cte->cterecursive ? 0 : rows_about(castNode(Query, cte->ctequery));
  }
  if (entry->rtekind != RTE_FUNCTION || list_length(entry->functions) != 1) return 0;
  find_series(linitial_node(RangeTblFunction, entry->functions)->funcexpr, &series);
  return list_length(series) == 1 ? rows_about(linitial_node(FuncExpr, series)) : 0;
}

List* as_columns(List* values) {
  List* columns = NIL;
  ListCell* cell;
  foreach (cell, values) {
    const auto number = static_cast<AttrNumber>(foreach_current_index(cell) + 1);
    columns = lappend(columns, makeTargetEntry(static_cast<Expr*>(lfirst(cell)), number, nullptr, false));
  }
  return columns;
}

bool is_unnest(const FuncExpr* call) { return call->funcid == F_UNNEST_ANYARRAY; }

bool is_series(const RangeTblEntry* entry) {
  if (entry->rtekind != RTE_FUNCTION || list_length(entry->functions) != 1) return false;
  Node* const called = linitial_node(RangeTblFunction, entry->functions)->funcexpr;
  if (!IsA(called, FuncExpr) || castNode(FuncExpr, called)->funcid >= FirstGenbkiObjectId) return false;
  const char* const name = get_func_name(castNode(FuncExpr, called)->funcid);
  return strcmp(name, "generate_series") == 0 || strcmp(name, "unnest") == 0;
}

List* constant_rows(const RangeTblEntry* entry, List* levels) {
  check_stack_depth();
  if (entry->lateral || entry->tablesample != nullptr) return NIL;
  if (entry->rtekind == RTE_FUNCTION) return rows_of_function(entry);
  if (entry->rtekind == RTE_SUBQUERY) return OidIsValid(entry->relid) ? NIL : rows_of_query(entry->subquery, levels);
  if (entry->rtekind != RTE_CTE) return NIL;
  List* outer = NIL;
  const CommonTableExpr* const cte = find_cte(entry, levels, &outer);
  return cte == nullptr || cte->cterecursive ? NIL : rows_of_query(castNode(Query, cte->ctequery), outer);
}

}  // namespace dp::guard
