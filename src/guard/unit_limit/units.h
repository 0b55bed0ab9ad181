// Contribution bounding: limits what one privacy unit contributes to an inner query, mostly by a subquery between its
// rows and its aggregates.
//
// A unit with one row needs nothing. Otherwise the first of these ways that serves the policy and the query:
//
// - tables: where all aggregates can be made of parts, units are told apart by their bytes, and there are no group keys
//   or a few thousand groups that are all known. There is no subquery: the aggregates keep the states of the units
//   themselves (aggregate/unit/unit_states.h), several times as fast as PostgreSQL's hashing of as many groups. Without
//   keys samples of rows lie there as well, where they are small. With keys there is no GROUP BY either: rows in no
//   group that is shown take no share of a unit's limits, and the release node asks for the answer of each group
//   (aggregate/call/group_aggregates.h).
// - parts: the subquery groups by unit and group keys and makes the state of each unit in each group. Where a unit has
//   too many groups it numbers them, and where it has too many rows (max_rows_per_unit) it gives each group a share.
//   The inner query adds up what each unit may contribute (core/accumulate/unit_state.h). Where all aggregates can be
//   made of parts: dp_count, dp_sum, dp_avg, dp_variance, dp_stddev; and, with some of a unit's rows, dp_histogram,
//   dp_bounds, dp_quantile, dp_median.
// - values: where all aggregates count different values, a unit counts those that no unit before it has taken
//   (taken_values.h).
// - rows: the subquery numbers the rows of each unit, in a random order that depends on the unit's own rows alone, and
//   the inner query reads the first ones (chosen_rows.h). For all other aggregates, and for DISTINCT beside them;
//   and for all where the policy says which rows count.
//
// The latter three are ordinary plans of PostgreSQL, which run in parallel and spill to disk as all do. Rows whose unit
// is NULL belong to nobody and do not count.
#pragma once

#include "guard/query/inner_query.h"
#include "guard/unit_limit/chosen_rows.h"

namespace dp::guard {

// A privacy unit whose contribution is to be limited.
struct LimitedUnit {
  const char* path;  // its name, for EXPLAIN; nullptr: each row is a unit
  const Var*
      column;     // of the inner query's tables, or a place for what is computed from them (relations/full_joins.h):
                  // names the unit of a row
  bool nullable;  // that column can be NULL
  bool one_row;   // a unit has one row at most; else there is a limit,
  bool chooses_limits;  // or it is chosen once the rows are read (aggregate/call/limit_choice.h)
  ContributionBounds limits;
  List* row_choices;    // const RowChoice*: which rows count of a unit that has too many; NIL: any, at random
  int rows_asked;       // conditions of the question leave so many rows of a unit; 0: any number
  std::int64_t groups;  // so many there may be, about, where all keys are public
};

// Limits the finished inner query, and says in inner_query->what what a unit contributes to it. Raises DP002 where a
// limit that nobody has declared cannot be chosen: it can in the way "tables", for counts, sums, averages and
// variances. So are those of sums whose values have no bounds, whatever is declared: where they cannot be, nothing is
// changed, and why is returned, in words that follow "for"; else nullptr.
const char* limit_units(InnerQueryParts* inner_query, const LimitedUnit& limited);

}  // namespace dp::guard
