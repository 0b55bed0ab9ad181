#include "guard/rewrite/people_query.h"

#include "guard/tables/level_query.h"
#include "guard/tables/subqueries.h"

namespace dp::guard {

// Rows without a unit are in no group.
static void leave_out_nobody(Query* query, AttrNumber unit) {
  Expr* const column = list_nth_node(TargetEntry, query->targetList, unit - 1)->expr;
  auto* const known = makeNode(NullTest);
  known->arg = static_cast<Expr*>(copyObjectImpl(column));
  known->nulltesttype = IS_NOT_NULL;
  known->location = -1;
  query->jointree->quals = make_and_qual(query->jointree->quals, reinterpret_cast<Node*>(known));
}

Query* query_of_people(const People& people, InnerQuery* what) {
  Query* const query = level_query(people.level, people.tables.sources, what);
  ListCell* cell;
  foreach (cell, query->targetList) lfirst_node(TargetEntry, cell)->resjunk = false;
  ask_subqueries(query, people.tables, what);
  leave_out_nobody(query, people.unit);
  return query;
}

}  // namespace dp::guard
