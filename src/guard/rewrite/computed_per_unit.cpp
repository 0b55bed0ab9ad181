#include "guard/rewrite/computed_per_unit.h"

#include "guard/functions/aggregates.h"
#include "guard/relations/first_rows.h"
#include "guard/relations/from_clause.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {

bool reads_around(void* tree) { return contain_vars_of_level(static_cast<Node*>(tree), 1); }

bool reads_further(Query* query) {
  return pg::walk_query(
      query, [](Node* node, void*) { return contain_vars_of_level(node, 2); }, nullptr, 0);
}

bool only_chooses(const Query* query) {
  Query bare = *query;
  bare.hasAggs = false;
  bare.groupClause = bare.distinctClause = NIL;
  return query->rtable != NIL && more_than_a_choice(&bare) == nullptr && !query->hasSubLinks && query->cteList == NIL;
}

bool take_compared(Query* query, List** compared) {
  List* own = NIL;
  ListCell* cell;
  foreach (cell, conditions_in(query->jointree->quals)) {
    List*& list = reads_around(lfirst(cell)) ? *compared : own;
    list = lappend(list, lfirst(cell));
  }
  foreach (cell, *compared) {
    if (compared_column(static_cast<Node*>(lfirst(cell))) == nullptr) return false;
  }
  query->jointree->quals = all_of(own);
  return !reads_around(query);
}

List* keys_for(List* compared, Query* query) {
  List* keys = NIL;
  ListCell *cell, *known;
  foreach (cell, compared) {
    TargetEntry* const column = column_for(compared_column(static_cast<Node*>(lfirst(cell))), query);
    const Index reference = assignSortGroupRef(column, query->targetList);
    bool is_known = false;
    foreach (known, keys) is_known = is_known || lfirst_node(SortGroupClause, known)->tleSortGroupRef == reference;
    if (is_known) continue;
    auto* const key = makeNode(SortGroupClause);
    key->tleSortGroupRef = reference;
    pg::order_by(key,
                 lookup_type_cache(exprType(reinterpret_cast<Node*>(column->expr)),
                                   TYPECACHE_LT_OPR | TYPECACHE_GT_OPR | TYPECACHE_EQ_OPR),
                 false);
    keys = lappend(keys, key);
  }
  return keys;
}

void take_hidden_columns(Query* query) {
  List* shown = NIL;
  ListCell* cell;
  foreach (cell, query->targetList) {
    if (!lfirst_node(TargetEntry, cell)->resjunk) shown = lappend(shown, lfirst(cell));
  }
  query->targetList = shown;
  query->sortClause = NIL;
}

namespace {

// Whether these are the columns that are compared: there is one group then, or none.
bool groups_by_compared(const Query* query, List* compared) {
  ListCell *cell, *one;
  foreach (cell, query->groupClause) {
    Node* const key = get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), query->targetList);
    bool is_compared = false;
    foreach (one, compared) is_compared = is_compared || equal(key, compared_column(static_cast<Node*>(lfirst(one))));
    if (!is_compared) return false;
  }
  return true;
}

List* aggregates_in(List* answers) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, pull_var_clause(reinterpret_cast<Node*>(answers), PVC_INCLUDE_AGGREGATES))
    found = list_append_unique(found, lfirst(cell));
  return found;
}

bool is_count(const Node* node) {
  if (!IsA(node, Aggref)) return false;
  const auto* const aggregate = reinterpret_cast<const Aggref*>(node);
  return is_plain_count(aggregate->aggfnoid);
}

struct Showing {
  const Computed& computed;
  int number;
};

// In the place of the question's parts columns of its entry.
Node* put_parts(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  const auto& [computed, number] = *static_cast<const Showing*>(context);
  ListCell* cell;
  foreach (cell, computed.parts) {
    if (!equal(lfirst(cell), node)) continue;
    Var* const shown = column_showing(number, foreach_current_index(cell) + 1, node);
    if (computed.grouped || !is_count(node)) return reinterpret_cast<Node*>(shown);
    auto* const found = makeNode(CoalesceExpr);
    found->coalescetype = INT8OID;
    found->args = list_make2(shown, pg::int8_constant(0));
    found->location = -1;
    return reinterpret_cast<Node*>(found);
  }
  return pg::mutate(node, put_parts, context);
}

}  // namespace

std::optional<Computed> computed_per_unit(const Query* subquery) {
  auto* const query = pg::flattened(static_cast<Query*>(copyObjectImpl(subquery)));
  if (!query->hasAggs || query->distinctClause != NIL || !only_chooses(query) || reads_further(query))
    return std::nullopt;
  Computed computed{query, NIL, NIL, NIL, query->groupClause != NIL};
  if (!take_compared(query, &computed.compared) || computed.compared == NIL ||
      !groups_by_compared(query, computed.compared))
    return std::nullopt;
  take_hidden_columns(query);
  List* names = NIL;
  ListCell* cell;
  foreach (cell, query->targetList) {
    const auto* const column = lfirst_node(TargetEntry, cell);
    computed.answers = lappend(computed.answers, column->expr);
    names = lappend(names, column->resname);
  }
  computed.parts = computed.grouped ? computed.answers : aggregates_in(computed.answers);
  query->targetList = NIL;
  foreach (cell, computed.parts) {
    const auto number = static_cast<AttrNumber>(foreach_current_index(cell) + 1);
    char* name = psprintf("part%d", number);
    ListCell *answer, *known;
    forboth(answer, computed.answers, known, names) {
      if (equal(lfirst(answer), lfirst(cell)) && lfirst(known) != nullptr) name = static_cast<char*>(lfirst(known));
    }
    query->targetList =
        lappend(query->targetList, makeTargetEntry(static_cast<Expr*>(lfirst(cell)), number, name, false));
  }
  query->groupClause = keys_for(computed.compared, query);
  return computed;
}

Node* answer_of(const Computed& computed, int number, int column) {
  Showing showing{computed, number};
  return put_parts(static_cast<Node*>(list_nth(computed.answers, column - 1)), &showing);
}

}  // namespace dp::guard
