#include "guard/rewrite/spread_scans.h"

#include "guard/functions/calls.h"
#include "guard/query/public_rows.h"
#include "guard/relations/row_lists.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Search {
  int list;        // its number in FROM
  Node* elements;  // how many a row has; nullptr: not found
};

bool reads(Node* expression, int table) { return bms_is_member(table, pull_varnos(nullptr, expression)); }

// number <= elements, of the level.
bool find_elements(Node* node, void* context) {
  if (node == nullptr || IsA(node, Query)) return false;
  auto& search = *static_cast<Search*>(context);
  if (!IsA(node, OpExpr) || get_opcode(castNode(OpExpr, node)->opno) != F_INT4LE)
    return pg::walk(node, find_elements, context);
  auto* const left = static_cast<Node*>(linitial(castNode(OpExpr, node)->args));
  auto* const right = static_cast<Node*>(lsecond(castNode(OpExpr, node)->args));
  if (!IsA(left, Var) || castNode(Var, left)->varno != search.list || castNode(Var, left)->varattno != 1) return false;
  if (castNode(Var, left)->varlevelsup > 0 || reads(right, search.list) || !contain_var_clause(right)) return false;
  search.elements = right;
  return true;
}

// SELECT * FROM the list LIMIT greatest(elements, 0)
RangeTblEntry* first_of(RangeTblEntry* list, Node* elements) {
  Query* const query = pg::select_all_from(list);
  auto* const known = makeNode(MinMaxExpr);  // NULL is left out
  known->minmaxtype = INT4OID;
  known->op = IS_GREATEST;
  known->args = list_make2(copyObjectImpl(elements), pg::int4_constant(0));
  known->location = -1;
  put_further_in(known, 1);
  query->limitCount = reinterpret_cast<Node*>(cast_to(INT8OID, known, COERCE_IMPLICIT_CAST));
  query->limitOption = LIMIT_OPTION_COUNT;
  RangeTblEntry* const entry = entry_of_subquery(query, static_cast<Alias*>(copyObjectImpl(list->eref)));
  entry->lateral = true;
  return entry;
}

bool is_list_of_numbers(const RangeTblEntry* entry, const InnerQuery& what) {
  const int number = number_of_public_rows(entry);
  if (number == 0) return false;
  const PublicSubquery subquery = PublicSubquery::of(static_cast<List*>(list_nth(what.subqueries, number - 1)));
  return is_spread(castNode(Query, subquery.query));
}

bool stop(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, stop, context);
  auto* const level = castNode(Query, node);
  pg::walk_query(level, stop, context, 0);
  ListCell* cell;
  foreach (cell, level->rtable) {
    auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (!is_list_of_numbers(entry, *static_cast<const InnerQuery*>(context))) continue;
    Search search{foreach_current_index(cell) + 1, nullptr};
    find_elements(reinterpret_cast<Node*>(level->jointree), &search);
    if (search.elements != nullptr) lfirst(cell) = first_of(entry, search.elements);
  }
  return false;
}

}  // namespace

void stop_at_last_elements(Query* inner, const InnerQuery& what) {
  stop(reinterpret_cast<Node*>(inner), const_cast<InnerQuery*>(&what));
}

}  // namespace dp::guard
