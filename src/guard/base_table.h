// The one table that a query level reads, seen through views, subqueries and CTEs that only choose rows and columns of it.
//
// The core of a private query has one base table at range-table index 1, whatever the tools wrapped around it; so everything
// that looks at a core (admission, names of aggregates, permissions) has one simple form to look at.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The queries around a query, innermost first, and itself in front of them; a list of its own.
inline List* around(Query* query, List* levels) { return lcons(query, list_copy(levels)); }

struct BaseTable {
  RangeTblEntry* table;  // an RTE_RELATION; nullptr where the level does not read exactly one table in that way
  List* columns;         // TargetEntry: what the level's from item shows, over the table at index 1; NIL: the table's own columns
  List* conditions;      // of the subqueries in between, over the table at index 1
  List* barriers;        // such conditions of security_barrier views: to be tested first, innermost first
  List* passed;          // RangeTblEntry: views on the way, whose permissions are still to be checked
  const char* obstacle;  // where there is no table: what stands in the way, for a message
  int location;          // of the obstacle, -1 where unknown
};

// `levels` are the queries around it, innermost first, starting with the level itself: CTEs are looked up in them.
// Leaves the query as it is.
BaseTable base_table(Query* level, List* levels);

// Counts the level's from item, and what stands behind it, as a reference to its CTE no longer: the level is to read its base
// table instead.
void forget_from_item(Query* level, List* levels);

// Puts what the from item shows in the place of references to it (at range-table index `index`); the result reads the table at
// index 1. `entry` is the from item.
Node* over_base_table(Node* expression, const BaseTable& base, int index, RangeTblEntry* entry);

}  // namespace dp::guard
