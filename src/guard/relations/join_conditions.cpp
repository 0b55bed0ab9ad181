#include "guard/relations/join_conditions.h"

#include "budget/catalog/unique_indexes.h"
#include "guard/tree/entries.h"

namespace dp::guard {

Node* without_relabel(Node* node) {
  while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
  return node;
}

bool is_equality_of(const OpExpr* op, Oid type) {
  const Oid family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
  return OidIsValid(family) && get_op_opfamily_strategy(op->opno, family) == BTEqualStrategyNumber;
}

JoinConditions::JoinConditions(const Sources& sources)
    : inner_(sources.conditions),
      left_(static_cast<List**>(palloc0(sizeof(List*) * static_cast<Size>(list_length(sources.tables) + 1)))),
      missing_(bms_make_singleton(0)) {
  collect(sources.tree);
}

List* JoinConditions::implied_by(Node* condition) {
  check_stack_depth();
  List* implied = NIL;
  ListCell *part, *arm;
  foreach (part, make_ands_implicit(reinterpret_cast<Expr*>(condition))) {
    auto* const one = static_cast<Node*>(lfirst(part));
    implied = lappend(implied, one);
    if (!is_orclause(one)) continue;
    List* common = NIL;
    foreach (arm, castNode(BoolExpr, one)->args) {
      List* const of_arm = implied_by(static_cast<Node*>(lfirst(arm)));
      common = foreach_current_index(arm) == 0 ? of_arm : list_intersection(common, of_arm);
    }
    implied = list_concat(implied, common);
  }
  return implied;
}

void JoinConditions::collect(Node* tree) {
  if (IsA(tree, RangeTblRef)) return;
  const auto* const join = castNode(JoinExpr, tree);
  List* const conditions = make_ands_implicit(reinterpret_cast<Expr*>(join->quals));
  collect(join->larg);
  if (join->jointype == JOIN_INNER) {
    inner_ = list_concat(list_copy(inner_), conditions);
    return collect(join->rarg);
  }
  const int table = castNode(RangeTblRef, join->rarg)->rtindex;
  left_[table] = conditions;
  missing_ = bms_add_member(missing_, table);
  // Of the table on its left a full join has every row.
  if (join->jointype == JOIN_FULL) missing_ = bms_add_member(missing_, castNode(RangeTblRef, join->larg)->rtindex);
}

Equality JoinConditions::equality_of(Node* condition, int table, int side) {
  if (!IsA(condition, OpExpr)) return {};
  const auto* const op = castNode(OpExpr, condition);
  if (list_length(op->args) != 2 || op_volatile(op->opno) != PROVOLATILE_IMMUTABLE) return {};
  Node* const column = without_relabel(static_cast<Node*>(list_nth(op->args, side)));
  if (!IsA(column, Var) || castNode(Var, column)->varno != table || castNode(Var, column)->varlevelsup > 0) return {};
  return {op, castNode(Var, column), static_cast<Node*>(list_nth(op->args, 1 - side))};
}

bool JoinConditions::are_equal(int table, const Var& one, const Var& other, Relation index, int column) const {
  List* reached = list_make1(const_cast<Var*>(&one));
  const auto reach = [&](const Equality& equality) {
    Node* const value = without_relabel(equality.value);
    if (IsA(value, Var) && castNode(Var, value)->varlevelsup == 0 &&
        get_op_opfamily_strategy(equality.op->opno, index->rd_opfamily[column]) == BTEqualStrategyNumber &&
        budget::agree_on_equality(equality.op->inputcollid, index->rd_indcollation[column])) {
      const auto* const found = castNode(Var, value);
      ListCell* cell;
      bool known = false;
      foreach (cell, reached) {
        const auto* const before = lfirst_node(Var, cell);
        known = known || (before->varno == found->varno && before->varattno == found->varattno);
      }
      if (!known) reached = lappend(reached, const_cast<Var*>(found));
    }
    return false;
  };
  // The list grows behind the place where it is read.
  for (int i = 0; i < list_length(reached); ++i) {
    const auto* const at = static_cast<const Var*>(list_nth(reached, i));
    if (at->varno == other.varno && at->varattno == other.varattno) return true;
    const auto of_column = [&](const Equality& equality) {
      return equality.column->varattno == at->varattno && reach(equality);
    };
    any_in(inner_, at->varno, of_column);
    if (may_miss(table)) any_in(left_[table], at->varno, of_column);
  }
  return false;
}

static bool compares_in_zone(List* conditions, int table) {
  ListCell* cell;
  foreach (cell, parts_of(conditions)) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (!IsA(condition, OpExpr) || op_volatile(castNode(OpExpr, condition)->opno) == PROVOLATILE_IMMUTABLE) continue;
    const Bitmapset* const read = pull_varnos(nullptr, condition);
    if (bms_is_member(table, read) && bms_membership(read) == BMS_MULTIPLE) return true;
  }
  return false;
}

static bool joins_in_zone(Node* tree, int table) {
  if (!IsA(tree, JoinExpr)) return false;
  const auto* const join = castNode(JoinExpr, tree);
  return compares_in_zone(conditions_in(join->quals), table) || joins_in_zone(join->larg, table) ||
         joins_in_zone(join->rarg, table);
}

bool compares_in_zone(const Sources& sources, int table) {
  return compares_in_zone(sources.conditions, table) || joins_in_zone(sources.tree, table);
}

}  // namespace dp::guard
