#include "guard/relations/nulls.h"

#include <algorithm>

#include "budget/policy/domains.h"
#include "guard/functions/aggregates.h"
#include "guard/functions/function_facts.h"
#include "guard/relations/joins.h"
#include "guard/tree/by_number.h"
#include "pg/joins.h"

namespace dp::guard {
namespace {

struct Tables {
  List* entries;  // NIL: no column is NULL
  Node* joins;
  bool finite = false;  // nor infinite or NaN
};

// = <> < <= > >= of an order.
bool is_comparison(Oid op) { return pg::is_comparison(op) && op_strict(op); }

bool may_be(Node* node, const Tables& tables);

bool any_may_be(List* nodes, const Tables& tables) {
  return std::any_of(&nodes->elements[0], &nodes->elements[list_length(nodes)],
                     [&](const ListCell& cell) { return may_be(static_cast<Node*>(cell.ptr_value), tables); });
}

bool all_may_be(List* nodes, const Tables& tables) {
  return std::all_of(&nodes->elements[0], &nodes->elements[list_length(nodes)],
                     [&](const ListCell& cell) { return may_be(static_cast<Node*>(cell.ptr_value), tables); });
}

bool column_may_be(const Var* column, const Tables& tables) {
  if (tables.entries == NIL) return false;
  if (column->varlevelsup > 0 || column->varattno <= 0 || may_be_missing(tables.joins, column->varno)) return true;
  const RangeTblEntry* const table = entry_numbered(column->varno, tables.entries);
  return table->rtekind != RTE_RELATION || budget::may_be_null(table->relid, column->varattno);
}

bool choice_may_be(const CaseExpr* choice, const Tables& tables) {
  if (choice->defresult == nullptr || may_be(reinterpret_cast<Node*>(choice->defresult), tables)) return true;
  ListCell* cell;
  foreach (cell, choice->args) {
    if (may_be(reinterpret_cast<Node*>(lfirst_node(CaseWhen, cell)->result), tables)) return true;
  }
  return false;
}

// x IN (1, 2): NULL where x or one of these is.
bool list_may_be(const ScalarArrayOpExpr* op, const Tables& tables) {
  auto* const list = static_cast<Node*>(lsecond(op->args));
  if (!is_comparison(op->opno) || !IsA(list, Const) || castNode(Const, list)->constisnull) return true;
  return array_contains_nulls(DatumGetArrayTypeP(castNode(Const, list)->constvalue)) ||
         may_be(static_cast<Node*>(linitial(op->args)), tables);
}

// (SELECT count(*) FROM t WHERE ...)
bool is_count(const SubLink* link) {
  const auto* const query = castNode(Query, link->subselect);
  if (link->subLinkType != EXPR_SUBLINK || !query->hasAggs || query->groupClause != NIL || query->groupingSets != NIL ||
      query->havingQual != nullptr || query->limitCount != nullptr || query->limitOffset != nullptr)
    return false;
  const auto* const shown = linitial_node(TargetEntry, query->targetList)->expr;
  if (!IsA(shown, Aggref)) return false;
  return is_plain_count(reinterpret_cast<const Aggref*>(shown)->aggfnoid);
}

// x IN (SELECT y FROM t): NULL where x is, or one of these, which is known of a column of one table. EXISTS never is,
// nor a count.
bool asked_may_be(const SubLink* link, const Tables& tables) {
  if (link->subLinkType == EXISTS_SUBLINK || is_count(link)) return false;
  if (link->subLinkType != ANY_SUBLINK || !IsA(link->testexpr, OpExpr)) return true;
  const auto* const op = castNode(OpExpr, link->testexpr);
  const Var* const column = column_of_one_table(link);
  if (!is_comparison(op->opno) || column == nullptr) return true;
  const auto* const table = linitial_node(RangeTblEntry, castNode(Query, link->subselect)->rtable);
  return budget::may_be_null(table->relid, column->varattno) || may_be(static_cast<Node*>(linitial(op->args)), tables);
}

// What is NULL of infinite values alone is so where it depends on one argument: no dp_bucket(x, 0).
bool gives_value(Oid function, List* arguments, const Tables& tables) {
  if (is_never_null(function, false)) return true;
  if (!tables.finite || !is_never_null(function, true)) return false;
  return std::count_if(&arguments->elements[0], &arguments->elements[list_length(arguments)],
                       [](const ListCell& cell) { return !IsA(cell.ptr_value, Const); }) < 2;
}

bool may_be(Node* node, const Tables& tables) {
  check_stack_depth();
  switch (nodeTag(node)) {
    case T_Const:
      return castNode(Const, node)->constisnull;
    case T_Var:
      return column_may_be(castNode(Var, node), tables);
    case T_NullTest:
    case T_BooleanTest:
    case T_DistinctExpr:
      return false;
    case T_BoolExpr:
      return any_may_be(castNode(BoolExpr, node)->args, tables);
    case T_CaseExpr:
      return choice_may_be(castNode(CaseExpr, node), tables);
    case T_CoalesceExpr:
      return all_may_be(castNode(CoalesceExpr, node)->args, tables);
    case T_MinMaxExpr:
      return all_may_be(castNode(MinMaxExpr, node)->args, tables);
    case T_RelabelType:
      return may_be(reinterpret_cast<Node*>(castNode(RelabelType, node)->arg), tables);
    case T_CollateExpr:
      return may_be(reinterpret_cast<Node*>(castNode(CollateExpr, node)->arg), tables);
    case T_CoerceViaIO:  // to text, as admission has it
      return may_be(reinterpret_cast<Node*>(castNode(CoerceViaIO, node)->arg), tables);
    case T_FuncExpr:
      return !gives_value(castNode(FuncExpr, node)->funcid, castNode(FuncExpr, node)->args, tables) ||
             any_may_be(castNode(FuncExpr, node)->args, tables);
    case T_OpExpr: {
      auto* const op = castNode(OpExpr, node);
      return !(is_comparison(op->opno) || gives_value(get_opcode(op->opno), op->args, tables)) ||
             any_may_be(op->args, tables);
    }
    case T_SubLink:
      return asked_may_be(castNode(SubLink, node), tables);
    case T_ScalarArrayOpExpr:
      return list_may_be(castNode(ScalarArrayOpExpr, node), tables);
    default:
      return true;
  }
}

}  // namespace

const Var* column_of_one_table(const SubLink* subquery) {
  const auto* const query = castNode(Query, subquery->subselect);
  if (query->setOperations != nullptr || list_length(query->rtable) != 1 || query->groupingSets != NIL ||
      query->targetList == NIL)
    return nullptr;
  auto* const shown = reinterpret_cast<Node*>(linitial_node(TargetEntry, query->targetList)->expr);
  const bool is_column =
      IsA(shown, Var) && castNode(Var, shown)->varlevelsup == 0 && castNode(Var, shown)->varattno > 0;
  return is_column && linitial_node(RangeTblEntry, query->rtable)->rtekind == RTE_RELATION ? castNode(Var, shown)
                                                                                           : nullptr;
}

bool keeps_values(Node* expression) { return !may_be(expression, {NIL, nullptr}); }

bool keeps_finite_values(Node* expression) { return !may_be(expression, {NIL, nullptr, true}); }

bool may_be_null(Node* expression, List* tables, Node* joins) { return may_be(expression, {tables, joins}); }

bool is_null_without_row(List* columns) {
  ListCell* cell;
  foreach (cell, columns) {
    Node* const shown = reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr);
    if (!contain_var_clause(shown) || contain_nonstrict_functions(shown)) return false;
  }
  return true;
}

}  // namespace dp::guard
