#include "guard/rewrite/question.h"

#include "budget/catalog/answer_policy_rows.h"
#include "budget/policy/publishing.h"
#include "guard/rewrite/own_subqueries.h"
#include "guard/tree/query_marks.h"
#include "pg/permissions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The numbers that group keys have in sortgroupref: by their place, whatever ORDER BY made of them.
int place_of(const Query* query, int reference) {
  ListCell* cell;
  foreach (cell, query->groupClause) {
    if (static_cast<int>(lfirst_node(SortGroupClause, cell)->tleSortGroupRef) == reference)
      return foreach_current_index(cell) + 1;
  }
  return 0;
}

void renumber(List* references, const Query* query) {
  ListCell* cell;
  foreach (cell, references) lfirst_int(cell) = place_of(query, lfirst_int(cell));
}

bool renumber_below(Node* node, void* query) {
  if (node == nullptr) return false;
  if (IsA(node, GroupingFunc)) renumber(castNode(GroupingFunc, node)->refs, static_cast<const Query*>(query));
  return pg::walk(node, renumber_below, query);
}

void renumber_sets(List* sets, const Query* query) {
  ListCell* cell;
  foreach (cell, sets) {
    auto* const set = lfirst_node(GroupingSet, cell);
    if (set->kind == GROUPING_SET_SIMPLE) {
      renumber(set->content, query);
    } else {
      renumber_sets(set->content, query);
    }
  }
}

void forget_names(Query* query);

bool forget_names_in(Node* node, void*) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, forget_names_in, nullptr);
  forget_names(castNode(Query, node));
  return false;
}

// Also those of a subquery that groups by the unit, and of those in WHERE.
void forget_names(Query* query) {
  forget_names_in(query->jointree->quals, nullptr);
  forget_names_in(reinterpret_cast<Node*>(query->targetList), nullptr);
  ListCell* cell;
  foreach (cell, query->rtable) {
    auto* const entry = lfirst_node(RangeTblEntry, cell);
    pg::ask_no_permissions(query, entry);
    entry->alias = nullptr;
    entry->eref = makeAlias("table", NIL);
    if (entry->subquery != nullptr) forget_names(entry->subquery);
  }
  pg::set_permissions(query, NIL);
  foreach (cell, query->targetList) lfirst_node(TargetEntry, cell)->resname = nullptr;
}

// All curators have to say so, but for what is being published.
bool answers_are_stored(const InnerQuery& what) {
  if (budget::publishing() != nullptr) return true;
  for (int i = 0; i < what.protected_tables(); ++i) {
    if (!budget::answer_policy(what.protected_table(i).relation)) return false;
  }
  return true;
}

}  // namespace

Query* question_of(const Query* inner_query, JoinExpr* shows_all, const InnerQuery& what) {
  if (!answers_are_stored(what)) return nullptr;
  if (shows_all != nullptr) shows_all->jointype = JOIN_LEFT;
  auto* const question = static_cast<Query*>(copyObjectImpl(inner_query));
  if (shows_all != nullptr) shows_all->jointype = JOIN_INNER;
  forget_names(question);
  tell_rows(question, what.subqueries);
  renumber_sets(question->groupingSets, question);
  ListCell* cell;
  foreach (cell, question->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    entry->ressortgroupref = static_cast<Index>(place_of(question, static_cast<int>(entry->ressortgroupref)));
    renumber_below(reinterpret_cast<Node*>(entry->expr), question);
    if (IsA(entry->expr, Aggref) && castNode(Aggref, entry->expr)->args != NIL)
      linitial_node(TargetEntry, castNode(Aggref, entry->expr)->args)->resorigcol = 0;
  }
  foreach (cell, question->groupClause)
    lfirst_node(SortGroupClause, cell)->tleSortGroupRef = static_cast<Index>(foreach_current_index(cell) + 1);
  mark(question, Mark::none);
  return question;
}

}  // namespace dp::guard
