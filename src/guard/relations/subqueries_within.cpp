#include "guard/relations/subqueries_within.h"

#include "guard/relations/single_answers.h"
#include "guard/tree/columns.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// No table has that number.
constexpr int kAsked = kPlaceholders + 2;

struct Search {
  InnerQueryTables* tables;
  List* levels;
  const InnerQueries* inner_queries;
};

List* known_place(const SubLink* link, List* within) {
  ListCell* cell;
  foreach (cell, within) {
    auto* const known = static_cast<List*>(lfirst(cell));
    if (equal(linitial(known), link)) return known;
  }
  return NIL;
}

bool find(Node* node, void* context) {
  if (node == nullptr) return false;
  const auto& here = *static_cast<const Search*>(context);
  if (!IsA(node, SubLink)) return pg::walk(node, find, context);
  auto* const link = castNode(SubLink, node);
  List*& within = here.tables->within;
  if (known_place(link, within) != NIL) return false;
  void* const written = copyObjectImpl(link);
  within = lappend(within, list_make2(written, find_subquery(here.tables, link, here.levels, *here.inner_queries)));
  return false;
}

Node* put_placeholders(Node* node, void* within) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, SubLink)) return pg::mutate(node, put_placeholders, within);
  List* const known = known_place(castNode(SubLink, node), static_cast<List*>(within));
  return known == NIL ? node : static_cast<Node*>(copyObjectImpl(lsecond(known)));
}

void find_in(Node* expression, const char* place, const Search& search) {
  if (!checkExprHasSubLink(expression) && !search.tables->sources.asks_among_columns) return;
  Node* const over = search.tables->sources.over_tables(expression, place);
  Search here = search;
  find(with_single_answers(over, here.levels, *here.inner_queries, &here.tables->answers), &here);
}

}  // namespace

void find_subqueries_within(InnerQueryTables* tables, const Query* level, List* levels, List* aggregates,
                            const InnerQueries& inner_queries) {
  const Search here{tables, levels, &inner_queries};
  ListCell* cell;
  foreach (cell, aggregates) {
    const auto* const call = lfirst_node(Aggref, cell);
    find_in(reinterpret_cast<Node*>(call->aggfilter), "an aggregate", here);
    if (call->args != NIL)
      find_in(reinterpret_cast<Node*>(linitial_node(TargetEntry, call->args)->expr), "an aggregate", here);
  }
  foreach (cell, level->groupClause)
    find_in(get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList), "GROUP BY", here);
}

Node* with_places(Node* expression, const InnerQueryTables& tables) {
  return tables.within == NIL ? expression : put_placeholders(expression, tables.within);
}

Node* AskedColumns::take(Node* node, void* self) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, SubLink)) return pg::mutate(node, take, self);
  auto& columns = *static_cast<AskedColumns*>(self);
  int number = 0;
  ListCell* cell;
  foreach (cell, columns.taken_) {
    if (equal(lfirst(cell), node)) number = foreach_current_index(cell) + 1;
  }
  if (number == 0) {
    columns.taken_ = lappend(columns.taken_, node);
    number = list_length(columns.taken_);
  }
  return reinterpret_cast<Node*>(column_showing(kAsked, number, node));
}

Node* AskedColumns::put(Node* node, void* self) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Query)) {
    Query* const query = pg::mutate_query(castNode(Query, node), put, self, 0);
    query->hasSubLinks = query->hasSubLinks || checkExprHasSubLink(reinterpret_cast<Node*>(query->targetList));
    return reinterpret_cast<Node*>(query);
  }
  if (!IsA(node, Var) || castNode(Var, node)->varno != kAsked) return pg::mutate(node, put, self);
  return static_cast<Node*>(
      copyObjectImpl(list_nth(static_cast<const AskedColumns*>(self)->taken_, castNode(Var, node)->varattno - 1)));
}

void AskedColumns::take_from(Query* query) {
  query->targetList = castNode(List, take(reinterpret_cast<Node*>(query->targetList), this));
}

void AskedColumns::put_into(Query* query) const {
  if (taken_ == NIL) return;
  *query = *castNode(Query, put(reinterpret_cast<Node*>(query), const_cast<AskedColumns*>(this)));
}

}  // namespace dp::guard
