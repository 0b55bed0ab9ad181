#include "guard/rewrite/answers_for_each.h"

#include "guard/rewrite/computed_per_unit.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

bool is_true(Node* condition) {
  return condition == nullptr || (IsA(condition, Const) && !castNode(Const, condition)->constisnull &&
                                  DatumGetBool(castNode(Const, condition)->constvalue));
}

// Takes the entry out of the tree where it is joined to all rows of it by LEFT JOIN ... ON true.
bool take_from_left_join(Node** tree, int entry) {
  if (!IsA(*tree, JoinExpr)) return false;
  auto* const join = castNode(JoinExpr, *tree);
  if (join->jointype == JOIN_LEFT && is_entry(join->rarg, entry) && is_true(join->quals)) {
    *tree = join->larg;
    return true;
  }
  return (join->jointype == JOIN_LEFT || join->jointype == JOIN_INNER) && take_from_left_join(&join->larg, entry);
}

// The columns of a LATERAL subquery of one row as subqueries of their own.
class OwnSubqueries : public Replacement {
 public:
  OwnSubqueries(const Query* query, int number) : query_(query), number_(number) {}

  Node* in_place_of(const Var* column) override {
    if (static_cast<int>(column->varno) != number_ || column->varattno <= 0) return nullptr;
    auto* const query = static_cast<Query*>(copyObjectImpl(query_));
    query->targetList = list_make1(copyObjectImpl(target_numbered(query->targetList, column->varattno)));
    linitial_node(TargetEntry, query->targetList)->resno = 1;
    auto* const link = makeNode(SubLink);
    link->subLinkType = EXPR_SUBLINK;
    link->subselect = reinterpret_cast<Node*>(query);
    link->location = -1;
    return reinterpret_cast<Node*>(link);
  }

 private:
  const Query* query_;
  int number_;
};

}  // namespace

bool take_out_joined_to_all(FromExpr* from, int entry) {
  ListCell* cell;
  foreach (cell, from->fromlist) {
    auto* item = static_cast<Node*>(lfirst(cell));
    const bool found = take_from_left_join(&item, entry);
    lfirst(cell) = item;
    if (found) return true;
  }
  if (list_length(from->fromlist) == 1 && is_entry(static_cast<Node*>(linitial(from->fromlist)), entry)) return false;
  List* conditions = conditions_in(from->quals);
  if (!take_out_of_from(from, entry, &conditions)) return false;
  from->quals = all_of(conditions);
  return true;
}

void ask_for_each(Query* query) {
  Query* const level = pg::flattened(query);
  bool changed = false;
  ListCell* cell;
  foreach (cell, from_indexes(level)) {
    const int number = lfirst_int(cell);
    const RangeTblEntry* const entry = entry_numbered(number, level->rtable);
    if (!entry->lateral || entry->rtekind != RTE_SUBQUERY || !entry->subquery->hasAggs ||
        entry->subquery->groupClause != NIL || !only_chooses(entry->subquery) || !names_denied(entry->subquery) ||
        uses_of(level, number).whole)
      continue;
    auto* const from = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
    if (!take_out_joined_to_all(from, number)) continue;
    level->jointree = from;
    OwnSubqueries subqueries(entry->subquery, number);
    replace_in_level(level, &subqueries);
    leave_unread(level, number);
    level->hasSubLinks = changed = true;
  }
  if (changed) *query = *level;
}

}  // namespace dp::guard
