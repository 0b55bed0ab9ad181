#include "guard/relations/per_unit_conditions.h"

#include "guard/admission/refusal.h"
#include "guard/forms/extension_forms.h"
#include "guard/relations/single_answers.h"
#include "guard/relations/subqueries.h"
#include "guard/tree/columns.h"
#include "guard/tree/entry_columns.h"
#include "guard/tree/fault.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The expressions of the grouped subquery in the place of its columns.
class Computed : public Replacement {
 public:
  explicit Computed(const Query* grouped) : grouped_(grouped) {}

  Node* in_place_of(const Var* column) override {
    const TargetEntry* const entry = shown_column(grouped_, column->varattno);
    if (entry == nullptr) raise_tree_fault("a condition reads a column that the grouped subquery does not show");
    return static_cast<Node*>(copyObjectImpl(entry->expr));
  }

 private:
  const Query* grouped_;
};

// Whether a subquery in the node holds an aggregate of the query around them all, `depth` queries above.
bool aggregates_outside(Node* node, void* context) {
  if (node == nullptr) return false;
  int depth = *static_cast<const int*>(context);
  if (IsA(node, Aggref) && depth > 0 && static_cast<int>(castNode(Aggref, node)->agglevelsup) >= depth) return true;
  if (!IsA(node, Query)) return pg::walk(node, aggregates_outside, context);
  ++depth;
  return pg::walk_query(castNode(Query, node), aggregates_outside, &depth, 0);
}

bool groups_by_citext(const Query* grouped) {
  ListCell* cell;
  foreach (cell, grouped->groupClause) {
    Node* const key = get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), grouped->targetList);
    if (in_one_case(key) != key) return true;
  }
  return false;
}

}  // namespace

void check_sublinks_of_groups(Node* condition, const Query* grouped) {
  int depth = 0;
  if (aggregates_outside(condition, &depth)) {
    DP_REFUSE(
        exprLocation(condition), errmsg("a subquery refers to what is computed of several rows, within itself"),
        errhint("Compare the whole subquery with it, HAVING sum(x) > (SELECT sum(y) FROM t WHERE ...), and within "
                "the subquery the columns that are grouped by."));
  }
  if (groups_by_citext(grouped)) {
    DP_REFUSE(exprLocation(condition), errmsg("a subquery is asked for groups of citext, whose case is not fixed"),
              errhint("Group by lower(x::text), or by the privacy unit alone."));
  }
}

void take_per_unit_conditions(PerUnitSubquery* per_unit, Sources* behind, List* around,
                              const InnerQueries& inner_queries) {
  Query* const grouped = per_unit->level;
  List *having = NIL, *sublinks = NIL, *around_sublinks = NIL;
  const auto take = [&](Node* written, List* levels) {
    Node* const condition = with_single_answers(written, levels, inner_queries, &per_unit->tables.answers);
    if (!checkExprHasSubLink(condition)) {
      having = lappend(having, condition);
      return;
    }
    check_sublinks_of_groups(condition, grouped);
    sublinks = lappend(sublinks, per_unit->tables.sources.over_tables(condition, "HAVING"));
    around_sublinks = lappend(around_sublinks, levels);
  };
  ListCell *cell, *levels;
  foreach (cell, make_ands_implicit(reinterpret_cast<Expr*>(grouped->havingQual)))
    take(static_cast<Node*>(lfirst(cell)), around);
  if (behind != nullptr) {
    forboth(cell, behind->sublinks, levels, behind->around_sublinks) {
      Computed computed(grouped);
      take(with_replaced(lfirst(cell), &computed), static_cast<List*>(lfirst(levels)));
    }
    behind->sublinks = behind->around_sublinks = NIL;
  }
  grouped->havingQual = having == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(having));
  per_unit->tables.sublinks_of_groups = find_subqueries(&per_unit->tables, sublinks, around_sublinks, inner_queries);
}

}  // namespace dp::guard
