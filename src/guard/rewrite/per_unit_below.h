// Per-unit subqueries: below private aggregates a subquery, CTE or view may group protected rows by their privacy
// unit, alone or with further keys, and use PostgreSQL's own aggregates.
//
// What these compute of a person's rows is a value like a column's: it is no answer, and nobody is shown it. Grouped by
// the unit alone each person has one row, whatever the table's limits: nothing is limited, and the noise is that of one
// row. With further keys the rows of a person are limited as those of a table are. All rows of a person count in what
// is computed of them. The aggregates are total (admission/total_aggregates.h), the joins below are those that
// joins.h admits, and rows that belong to nobody are in no group.
//
// It is all that a level reads, behind choices of rows and columns, or stands beside tables and others of its kind as
// one of them (relations/per_unit_subquery.h). A subquery with private aggregates of its own, or under a level that is
// not private, is an answer as before.
#pragma once

#include "guard/relations/per_unit_subquery.h"

namespace dp::guard {

struct PerUnitBelow : PerUnitSubquery {
  Sources rows;  // of the level above: table 1 is that subquery
};

// What the level, which reads a subquery and has private aggregates or is to have them, is per-unit; nothing where
// it reads other things, or these as a table: beside others, or where its aggregates and keys ask subqueries. Raises
// DP002 where the tables below cannot be asked.
std::optional<PerUnitBelow> per_unit_below(Query* level, List* levels, const InnerQueries& inner_queries);

// The subqueries (Query) of that kind below all levels of a query, and those that the WHERE of a level asks which reads
// what only private aggregates may read: their aggregates are no answers.
List* all_per_unit(Query* query, const InnerQueries& inner_queries);

}  // namespace dp::guard
