#include "guard/relations/per_unit_query.h"

#include "guard/relations/level_query.h"
#include "guard/relations/subqueries.h"
#include "guard/tree/by_number.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// Rows without a unit are in no group.
void leave_out_nobody(Query* query, AttrNumber unit) {
  Expr* const column = target_numbered(query->targetList, unit)->expr;
  Node* const known = pg::is_not_null(copyObjectImpl(column));
  query->jointree->quals = make_and_qual(query->jointree->quals, known);
}

Query* query_of_per_unit(const PerUnitSubquery& per_unit, InnerQuery* what) {
  Query* const query = level_query(per_unit.level, per_unit.tables.sources, what);
  ListCell* cell;
  foreach (cell, query->targetList) lfirst_node(TargetEntry, cell)->resjunk = false;
  ask_subqueries(query, per_unit.tables, what);
  leave_out_nobody(query, per_unit.unit);
  return query;
}

}  // namespace

void put_per_unit(RangeTblEntry* entry, const PerUnitSubquery& per_unit, InnerQuery* what) {
  entry->subquery = query_of_per_unit(per_unit, what);
  List* names = NIL;
  ListCell* cell;
  foreach (cell, entry->subquery->targetList)
    names = lappend(names, makeString(lfirst_node(TargetEntry, cell)->resname));
  entry->eref = makeAlias(entry->eref->aliasname, names);
}

void put_all_per_unit(List* tables, const Sources& sources, InnerQuery* what) {
  for (int table = 1; table <= list_length(sources.tables); ++table) {
    const PerUnitTable* const per_unit = sources.per_unit_at(table);
    if (per_unit != nullptr) put_per_unit(list_nth_node(RangeTblEntry, tables, table - 1), *per_unit->rows, what);
  }
}

}  // namespace dp::guard
