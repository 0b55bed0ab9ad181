// The subquery of a question about people, as it runs (people_rows.h).
#pragma once

#include "guard/relations/people_rows.h"

namespace dp::guard {

// Puts it into the entry that stands for it. Its columns are those of the subquery, in their order, also those that it
// only groups by. Raises DP002 for what is not admitted.
void put_people(RangeTblEntry* entry, const PeopleRows& people, InnerQuery* what);

// The same for all of them among the sources' tables. `tables`: RangeTblEntry, copies of these.
void put_all_people(List* tables, const Sources& sources, InnerQuery* what);

}  // namespace dp::guard
