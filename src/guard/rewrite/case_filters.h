// Aggregates over one arm of a CASE, as aggregates of the rows in that arm: what pivots write.
//
//   count(CASE WHEN status = 'a' THEN 1 END), sum((status = 'a')::int)   count(*) FILTER (WHERE status = 'a')
//   sum(CASE WHEN status = 'a' THEN cost ELSE 0 END)                     sum(cost) FILTER (WHERE status = 'a')
//   avg(CASE status WHEN 'a' THEN cost END)                              avg(cost) FILTER (WHERE status = 'a')
//
// The other rows add nothing to either form; so the answers are the same, and it is seen which arms exclude each other.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The level's own aggregates of that kind, in place. `aggregates`: Aggref, its ordinary ones. False: there are none,
// and all stays as it is.
bool filter_by_cases(Query* level, List* aggregates);

}  // namespace dp::guard
