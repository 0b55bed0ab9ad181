// Groups of a level that are chosen privately before the rest is asked, where both cannot be one question: limits of
// privacy units are chosen for groups that are known.
//
//   SELECT city, sum(cost) FROM visits GROUP BY city
//
// is asked as two:
//
//   SELECT city, sum(cost) FROM visits
//   WHERE city = ANY (ARRAY(SELECT city FROM visits GROUP BY city)) OR city IS NULL GROUP BY city
//
// Each key whose values are not public has a list of its own; the groups are all their combinations. Where the rest is
// several questions (questions_apart.h) a list is a CTE that all of them read, so that it is drawn once.
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

// Adds these conditions to the level, which was tried as that inner query. `levels`: the queries around it, starting
// with itself, whose CTEs get more readers. Returns the new queries, List of Query, which are private themselves and
// not split yet. Raises DP002 where the level reads answers, which would be drawn twice, or no key is to be chosen.
List* list_groups(Query* level, List* levels, const InnerQueryParts& tried, const InnerQueries& inner_queries);

// Raises DP002: the groups of the inner query have to be known first, and are not, for no list of a key's values is
// asked, as of type character.
[[noreturn]] void refuse_groups_first(const InnerQueryParts& inner_query);

}  // namespace dp::guard
