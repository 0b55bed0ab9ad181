// Subqueries in conditions on what was computed of each person: in HAVING of the subquery that groups by the privacy
// unit, and in WHERE behind it, which is the same.
//
// A group is one person's, so what a key of it is compared with is told to be that person's as in WHERE (subqueries.h):
// a key is the same in all rows of the group. What is computed of several rows is not in the subquery, only beside it.
#pragma once

#include "guard/relations/per_unit_subquery.h"

namespace dp::guard {

// Takes these conditions out of HAVING of per_unit->level, and out of those behind it where it is all that they read
// (`behind`, otherwise nullptr), and puts those that ask subqueries into InnerQueryTables::sublinks_of_groups; what
// only compares with answers stays in HAVING. `around`: the queries around the parts of the subquery. Raises DP002
// where one is not admitted.
void take_per_unit_conditions(PerUnitSubquery* per_unit, Sources* behind, List* around,
                              const InnerQueries& inner_queries);

// Raises DP002 where a subquery in a condition on groups refers to what is computed of several rows, or to a key whose
// case is not fixed.
void check_sublinks_of_groups(Node* condition, const Query* grouped);

}  // namespace dp::guard
