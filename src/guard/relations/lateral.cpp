#include "guard/relations/lateral.h"

#include <utility>

#include "guard/relations/first_rows.h"
#include "guard/relations/from_clause.h"
#include "guard/relations/protected_reads.h"
#include "guard/relations/row_lists.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool reads_around(void* tree) { return contain_vars_of_level(static_cast<Node*>(tree), 1); }

// ---- what is compared becomes a column ------------------------------------------------------------------------------

// The columns of the subquery as those of its entry, seen from the subquery.
class ShownOutside : public Replacement {
 public:
  ShownOutside(Query* subquery, int number) : subquery_(subquery), number_(number) {}

  Node* in_place_of(const Var* column) override {
    const int shown = column_for(column_of(static_cast<int>(column->varno), column), subquery_)->resno;
    return reinterpret_cast<Node*>(column_showing(number_, shown, column, 1));
  }

 private:
  Query* subquery_;
  int number_;  // of its entry
};

// ---- the joins in the order in which they are read ------------------------------------------------------------------

bool has_outer(const Node* tree) {
  if (!IsA(tree, JoinExpr)) return false;
  const auto* const join = reinterpret_cast<const JoinExpr*>(tree);
  return join->jointype == JOIN_LEFT || join->jointype == JOIN_RIGHT || has_outer(join->larg) || has_outer(join->rarg);
}

// All rows of the tree, which is a copy, for each of those in front of it (nullptr: nothing is). `conditions`: of inner
// joins, where no join is left that they could stand in.
Node* beside(Node* front, Node* tree, List** conditions) {
  check_stack_depth();
  if (!has_outer(tree) || castNode(JoinExpr, tree)->jointype == JOIN_FULL) {
    if (front == nullptr) return tree;
    return reinterpret_cast<Node*>(joined(JOIN_INNER, front, tree, nullptr));
  }
  auto* const join = castNode(JoinExpr, tree);
  if (join->jointype == JOIN_RIGHT) {
    std::swap(join->larg, join->rarg);
    join->jointype = JOIN_LEFT;
  }
  join->larg = beside(front, join->larg, conditions);
  if (join->jointype == JOIN_LEFT || !has_outer(join->rarg)) return tree;
  *conditions = list_concat(*conditions, conditions_in(join->quals));
  return beside(join->larg, join->rarg, conditions);
}

// The level with one join after the other, a, b LEFT JOIN c as (a, b) LEFT JOIN c. What stands in the place of LATERAL
// may compare c with columns of a, which the join of b and c alone does not have.
Query* in_order(Query* level) {
  bool lateral = false, outer = false;
  ListCell* cell;
  foreach (cell, level->rtable) lateral = lateral || lfirst_node(RangeTblEntry, cell)->lateral;
  if (!lateral) return level;
  foreach (cell, level->jointree->fromlist) outer = outer || has_outer(static_cast<Node*>(lfirst(cell)));
  if (!outer) return level;
  auto* const ordered = static_cast<Query*>(palloc(sizeof(Query)));
  *ordered = *level;
  auto* const from = ordered->jointree = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
  Node* tree = nullptr;
  List* conditions = NIL;
  foreach (cell, from->fromlist) tree = beside(tree, static_cast<Node*>(lfirst(cell)), &conditions);
  from->fromlist = list_make1(tree);
  if (conditions != NIL) from->quals = all_of(list_concat(conditions_in(from->quals), conditions));
  return ordered;
}

// ---- the subquery ---------------------------------------------------------------------------------------------------

// The entry as that of an ordinary subquery, and in `conditions` how it is joined; nullptr where it stays.
// `of_per_unit`: it is one that takes the first of protected rows; otherwise it is any other one.
RangeTblEntry* ordinary_entry(const RangeTblEntry* entry, int number, bool of_per_unit, List** conditions) {
  Query* const subquery = pg::flattened(static_cast<Query*>(copyObjectImpl(entry->subquery)));
  auto* const copy = static_cast<RangeTblEntry*>(copyObjectImpl(entry));
  copy->lateral = false;
  const bool first = takes_first(subquery);
  if (!reads_around(subquery)) return of_per_unit ? nullptr : copy;
  Query choice = *subquery;
  if (first) choice.limitCount = nullptr;
  if (subquery->rtable == NIL || more_than_a_choice(&choice) != nullptr || subquery->hasSubLinks) return nullptr;
  List *compared = NIL, *own = NIL;
  ListCell* cell;
  foreach (cell, conditions_in(subquery->jointree->quals)) {
    List*& list = reads_around(lfirst(cell)) ? compared : own;
    list = lappend(list, lfirst(cell));
  }
  subquery->jointree->quals = all_of(own);
  if (reads_around(subquery) || (first && reads_protected(subquery)) != of_per_unit) return nullptr;
  Nearest nearest{};
  if (first && !take_first_of_each(subquery, compared) && !take_nearest(subquery, compared, &nearest)) return nullptr;
  foreach (cell, compared) {
    Node* const condition = condition_of_join(static_cast<Node*>(lfirst(cell)), subquery, number);
    *conditions = lappend(*conditions, condition);
    if (lfirst(cell) == nearest.comparison)
      *conditions = lappend(*conditions, not_next_either(nearest, condition, number));
  }
  copy->subquery = nearest.shown == nullptr ? subquery : nearest.shown;
  foreach (cell, copy->subquery->targetList) {
    const auto* const column = lfirst_node(TargetEntry, cell);
    if (!column->resjunk && column->resno > list_length(copy->eref->colnames))
      copy->eref->colnames = lappend(copy->eref->colnames, makeString(pstrdup(column->resname)));
  }
  return copy;
}

// The level, or a copy of it with those entries written so.
Query* with_ordinary_entries(Query* level, bool of_per_unit) {
  Query* changed = nullptr;
  ListCell* cell;
  foreach (cell, from_indexes(level)) {
    const int number = lfirst_int(cell);
    const RangeTblEntry* const entry = entry_numbered(number, level->rtable);
    if (!entry->lateral || entry->rtekind != RTE_SUBQUERY || OidIsValid(entry->relid)) continue;
    List* conditions = NIL;
    RangeTblEntry* const ordinary = ordinary_entry(entry, number, of_per_unit, &conditions);
    // Rows that are taken as a whole, x IS NULL, must not get further columns.
    if (ordinary == nullptr || (conditions != NIL && uses_of(level, number).whole)) continue;
    if (changed == nullptr) {
      changed = static_cast<Query*>(palloc(sizeof(Query)));
      *changed = *level;
      changed->rtable = list_copy(level->rtable);
      changed->jointree = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
    }
    if (conditions != NIL && !add_join_conditions(changed->jointree, number, conditions)) continue;
    lfirst(list_nth_cell(changed->rtable, number - 1)) = ordinary;
  }
  return changed == nullptr ? level : changed;
}

}  // namespace

Node* condition_of_join(Node* condition, Query* subquery, int number) {
  ShownOutside columns(subquery, number);
  Node* const outside = with_replaced(condition, &columns);
  come_nearer_by(outside, 1);
  return outside;
}

Query* without_lateral(Query* written) { return with_ordinary_entries(with_numbered_lists(in_order(written)), false); }

void take_first_per_unit(Query* level) {
  Query* const written = pg::flattened(level);
  Query* const ordered = in_order(written);
  Query* const changed = with_ordinary_entries(ordered, true);
  if (changed != ordered) *level = *changed;
}

}  // namespace dp::guard
