// The way "values" of units.h: of each unit those different values count that no unit before it has taken, chosen by
// windows between the inner query's tables and its counts of different values.
//
//   SELECT dp_count(DISTINCT x) FROM t
// becomes
//   SELECT dp_count(DISTINCT x) FROM (
//       SELECT x, unit_takes(unit, x, h, k) OVER (ORDER BY u, unit, h) AS taken FROM (
//           SELECT unit, x, unit_hash(unit) AS u, unit_hash(x) AS h FROM t)) WHERE taken
// By groups that is PARTITION BY the keys. Where k rows of a unit count in all its groups together, each group has a
// share of them, as many as it has among k rows chosen at random.
#pragma once

#include "guard/unit_limit/limited_rows.h"

namespace dp::guard {

// Whether all private aggregates of the query, few of them, count different values, and the limits are of rows, or of
// groups and rows in each. Groups that are chosen privately are counted by units, of which one may take another's place
// there.
bool can_take_values(const LimitedRows& taken);

// Lets the query count those values of each unit.
void take_values(const LimitedRows& taken);

}  // namespace dp::guard
