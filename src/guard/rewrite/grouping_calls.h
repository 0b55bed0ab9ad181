// GROUPING() over the group keys of an inner query.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Over all keys, which are the first columns.
GroupingFunc* grouping_of_keys(List* group_clause, List* columns);

// The same call over the keys in the form in which they run, as the columns have them. It is changed.
Node* over_running_keys(GroupingFunc* grouping, List* columns);

// The numbers (from 0) of the keys in the call, appended to the list.
List* with_keys_of(List* numbers, const GroupingFunc* grouping, List* group_clause);

// Sets are told apart by the 31 bits of GROUPING(): raises DP002 where there are more keys.
void require_few_keys(const List* keys);

}  // namespace dp::guard
