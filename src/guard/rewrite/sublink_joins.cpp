#include "guard/rewrite/sublink_joins.h"

#include "pg/walk.h"

namespace dp::guard {
namespace {

// Takes the conditions that ask out of those inner joins of the tree whose rows are all kept.
void take_sublinks(Node* tree, List** sublinks) {
  if (!IsA(tree, JoinExpr)) return;
  auto* const join = castNode(JoinExpr, tree);
  if (join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT) take_sublinks(join->larg, sublinks);
  if (join->jointype == JOIN_INNER || join->jointype == JOIN_RIGHT) take_sublinks(join->rarg, sublinks);
  if (join->jointype != JOIN_INNER || !checkExprHasSubLink(join->quals)) return;
  List* kept = NIL;
  ListCell* cell;
  foreach (cell, make_ands_implicit(reinterpret_cast<Expr*>(join->quals))) {
    List*& conditions = checkExprHasSubLink(static_cast<Node*>(lfirst(cell))) ? *sublinks : kept;
    conditions = lappend(conditions, lfirst(cell));
  }
  join->quals = kept == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(kept));
}

bool ask_below(Node* node, void*) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, ask_below, nullptr);
  ask_in_where(castNode(Query, node));
  return false;
}

}  // namespace

void ask_in_where(Query* query) {
  if (query->hasSubLinks && query->jointree != nullptr) {
    List* sublinks = NIL;
    ListCell* cell;
    foreach (cell, query->jointree->fromlist) take_sublinks(static_cast<Node*>(lfirst(cell)), &sublinks);
    foreach (cell, sublinks)
      query->jointree->quals = make_and_qual(query->jointree->quals, static_cast<Node*>(lfirst(cell)));
  }
  pg::walk_query(query, ask_below, nullptr, 0);
}

}  // namespace dp::guard
