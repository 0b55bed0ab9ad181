#include "guard/relations/nulls.h"

#include "budget/policy/domains.h"
#include "guard/facts/null_values.h"
#include "guard/forms/total_forms.h"
#include "guard/functions/aggregates.h"
#include "guard/relations/joins.h"
#include "guard/tree/by_number.h"

namespace dp::guard {
namespace {

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

class OfTables final : public Nulls {
 public:
  // `tables`: NIL where no column is NULL.
  OfTables(List* tables, Node* joins, bool finite = false) : Nulls(finite), tables_(tables), joins_(joins) {}

  bool column_may_be(const Var* column) const {
    if (tables_ == NIL) return false;
    if (column->varlevelsup > 0 || column->varattno <= 0 || may_be_missing(joins_, column->varno)) return true;
    const RangeTblEntry* const table = entry_numbered(column->varno, tables_);
    return table->rtekind != RTE_RELATION || budget::may_be_null(table->relid, column->varattno);
  }

 private:
  bool leaf_may_be(Node* leaf) override {
    if (IsA(leaf, Var)) return column_may_be(castNode(Var, leaf));
    return !IsA(leaf, SubLink) || asked_may_be(castNode(SubLink, leaf));
  }

  // x IN (SELECT y FROM t): NULL where x is, or one of these, which is known of a column of one table. EXISTS never is,
  // nor a count.
  bool asked_may_be(const SubLink* link) {
    if (link->subLinkType == EXISTS_SUBLINK || is_count(link)) return false;
    if (link->subLinkType != ANY_SUBLINK || !IsA(link->testexpr, OpExpr)) return true;
    const auto* const op = castNode(OpExpr, link->testexpr);
    const Var* const column = column_of_one_table(link);
    if (!compares_values(op->opno) || column == nullptr) return true;
    const auto* const table = linitial_node(RangeTblEntry, castNode(Query, link->subselect)->rtable);
    return budget::may_be_null(table->relid, column->varattno) || may_be(static_cast<Node*>(linitial(op->args)));
  }

  List* tables_;
  Node* joins_;
};

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

bool keeps_values(Node* expression) { return !OfTables(NIL, nullptr).may_be(expression); }

bool keeps_finite_values(Node* expression) { return !OfTables(NIL, nullptr, true).may_be(expression); }

bool may_be_null(Node* expression, List* tables, Node* joins) {
  OfTables nulls(tables, joins);
  return IsA(expression, Var) ? nulls.column_may_be(castNode(Var, expression)) : nulls.may_be(expression);
}

bool may_be_null_as_run(Node* expression, List* tables, Node* joins) {
  if (may_be_null(expression, tables, joins)) return true;
  if (IsA(expression, Var)) return false;
  List* tried = NIL;
  Node* const total = with_total_forms(static_cast<Node*>(copyObjectImpl(expression)), &tried);
  return may_be_null(total, tables, joins);
}

bool is_null_without_row(List* columns) {
  ListCell* cell;
  foreach (cell, columns) {
    Node* const shown = reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr);
    if (!contain_var_clause(shown) || contain_nonstrict_functions(shown)) return false;
  }
  return true;
}

}  // namespace dp::guard
