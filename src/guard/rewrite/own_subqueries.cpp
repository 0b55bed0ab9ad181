#include "guard/rewrite/own_subqueries.h"

#include "guard/query/plan_dependencies.h"
#include "guard/query/public_rows.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool note_tables(Node* node, void* facts) {
  if (node == nullptr) return false;
  if (IsA(node, RangeTblEntry)) {
    const auto* const entry = castNode(RangeTblEntry, node);
    auto* const list = static_cast<List**>(facts);
    if (entry->rtekind == RTE_RELATION) *list = with_dependency(*list, Dependency::tables, entry->relid, entry->inh);
    return false;
  }
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), note_tables, facts, QTW_EXAMINE_RTES_BEFORE);
  return pg::walk(node, note_tables, facts);
}

// Names of several may be the same.
const char* name_of(int number, const Sources& sources) {
  ListCell* cell;
  foreach (cell, sources.tables) {
    const auto* const table = lfirst_node(RangeTblEntry, cell);
    if (number_of_public_rows(table) == number) return table->eref->aliasname;
  }
  pg_unreachable();
}

}  // namespace

void add_subqueries(InnerQuery* what, const InnerQueryTables& tables) {
  ListCell *query, *columns, *in;
  forthree(query, tables.sources.subqueries, columns, tables.keys.columns, in, tables.keys.in) {
    note_tables(static_cast<Node*>(lfirst(query)), &what->dependencies);
    what->parameters = lappend(what->parameters, makeNullConst(BYTEAOID, -1, InvalidOid));
    const PublicSubquery subquery{
        static_cast<Node*>(lfirst(query)),   name_of(foreach_current_index(query) + 1, tables.sources),
        static_cast<List*>(lfirst(columns)), static_cast<List*>(lfirst(in)),
        tables.sources.shows_all != nullptr, list_member_int(tables.keys.several, foreach_current_index(query) + 1),
        list_length(what->parameters)};
    what->subqueries = lappend(what->subqueries, subquery.as_list());
  }
}

void tell_rows(Query* question, List* subqueries) {
  ListCell* cell;
  foreach (cell, question->rtable) {
    auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->subquery != nullptr) tell_rows(entry->subquery, subqueries);
    const int number = number_of_public_rows(entry);
    if (number == 0) continue;
    auto* const rows = makeNode(Param);
    rows->paramkind = PARAM_EXTERN;
    rows->paramid = PublicSubquery::of(static_cast<List*>(list_nth(subqueries, number - 1))).value;
    rows->paramtype = BYTEAOID;
    rows->paramtypmod = -1;
    rows->location = -1;
    entry->securityQuals = list_make1(rows);
  }
}

}  // namespace dp::guard
