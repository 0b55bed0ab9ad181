#include "guard/rewrite/window_levels.h"

#include <algorithm>

#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "pg/permissions.h"

namespace dp::guard {
namespace {

bool adds_windows(const Query* statement) {
  return statement->commandType == CMD_SELECT && statement->hasWindowFuncs && !statement->hasAggs &&
         !statement->hasSubLinks && !statement->hasTargetSRFs && statement->groupClause == NIL &&
         statement->groupingSets == NIL && statement->havingQual == nullptr && statement->setOperations == nullptr &&
         statement->rowMarks == NIL && statement->cteList == NIL && statement->jointree->quals == nullptr &&
         list_length(statement->rtable) == 1 && list_length(statement->jointree->fromlist) == 1;
}

// Whether it is the groups of tables and nothing more. It is no view, of which somebody else's permissions hold.
bool shows_groups(const RangeTblEntry* entry) {
  if (entry->rtekind != RTE_SUBQUERY || entry->security_barrier || OidIsValid(entry->relid) || entry->lateral)
    return false;
  const Query* const groups = entry->subquery;
  if (groups->commandType != CMD_SELECT || groups->groupClause == NIL || groups->groupingSets != NIL ||
      groups->hasWindowFuncs || groups->hasSubLinks || groups->hasTargetSRFs || groups->distinctClause != NIL ||
      groups->limitCount != nullptr || groups->limitOffset != nullptr || groups->setOperations != nullptr ||
      groups->rowMarks != NIL || groups->cteList != NIL ||
      contain_volatile_functions(reinterpret_cast<Node*>(groups->targetList)))
    return false;
  ListCell* cell;
  foreach (cell, groups->rtable) {
    const RTEKind kind = lfirst_node(RangeTblEntry, cell)->rtekind;
    if (kind != RTE_RELATION && kind != RTE_JOIN) return false;
  }
  return true;
}

// What the subquery shows in the place of its columns.
class Shown final : public Replacement {
 public:
  explicit Shown(const Query* groups) : groups_(groups) {}
  Node* in_place_of(const Var* column) override {
    if (column->varattno <= 0) return nullptr;
    return static_cast<Node*>(copyObjectImpl(target_numbered(groups_->targetList, column->varattno)->expr));
  }

 private:
  const Query* groups_;
};

Index last_reference(const Query* query) {
  Index last = 0;
  ListCell* cell;
  foreach (cell, query->targetList) last = std::max(last, lfirst_node(TargetEntry, cell)->ressortgroupref);
  return last;
}

// The clauses by which the subquery groups, as ones of the statement, whose columns are what it showed.
List* clauses_of(const Query* groups, Query* statement) {
  List* clauses = NIL;
  ListCell *cell, *shown;
  foreach (cell, groups->groupClause) {
    auto* const clause = static_cast<SortGroupClause*>(copyObjectImpl(lfirst(cell)));
    Node* const key = get_sortgroupclause_expr(clause, groups->targetList);
    TargetEntry* found = nullptr;
    foreach (shown, statement->targetList)
      if (equal(lfirst_node(TargetEntry, shown)->expr, key)) found = lfirst_node(TargetEntry, shown);
    if (found == nullptr) {
      const auto number = static_cast<AttrNumber>(list_length(statement->targetList) + 1);
      found = makeTargetEntry(static_cast<Expr*>(copyObjectImpl(key)), number, nullptr, true);
      statement->targetList = lappend(statement->targetList, found);
    }
    if (found->ressortgroupref == 0) found->ressortgroupref = last_reference(statement) + 1;
    clause->tleSortGroupRef = found->ressortgroupref;
    clauses = lappend(clauses, clause);
  }
  return clauses;
}

}  // namespace

void take_windows_to_groups(Query* statement) {
  if (!adds_windows(statement)) return;
  const auto* const entry = linitial_node(RangeTblEntry, statement->rtable);
  if (!shows_groups(entry) || !names_denied(entry->subquery)) return;
  Query* const groups = entry->subquery;
  Shown shown(groups);
  replace_in_level(statement, &shown);
  statement->rtable = groups->rtable;
  pg::move_permissions(groups, statement);
  statement->jointree = groups->jointree;
  statement->groupClause = clauses_of(groups, statement);
  statement->groupDistinct = groups->groupDistinct;
  statement->havingQual = groups->havingQual;
  statement->hasAggs = groups->hasAggs;
}

}  // namespace dp::guard
