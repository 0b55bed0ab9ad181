// The subquery of a question about people, as it runs (people.h).
#pragma once

#include "guard/rewrite/people.h"

namespace dp::guard {

// Its columns are those of the subquery, in their order, also those that it only groups by. Raises DP002 for what is
// not admitted.
Query* query_of_people(const People& people, InnerQuery* what);

}  // namespace dp::guard
