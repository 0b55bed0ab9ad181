// Rows that can be read off a query: lists of constants, in the forms in which people and tools write them.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// More are compared with each other for too long, and make too large a choice.
inline constexpr int kMostRows = 400;

// The rows (a List of expressions, one for each column) of VALUES, of a SELECT without FROM, of several of these under
// UNION ALL, of unnest() of an array and of generate_series(), also as a CTE and with a choice of rows and columns
// above VALUES; NIL for any other entry, for one that is not known when an execution starts, and for too many rows.
// What is known already is a Const. `levels`: the queries around the entry, innermost first.
List* constant_rows(const RangeTblEntry* entry, List* levels);

// unnest() of one array.
bool is_unnest(const FuncExpr* call);

// Whether the entry is a call of PostgreSQL's unnest() or generate_series(), whatever of.
bool is_series(const RangeTblEntry* entry);

// About how many rows a query has that shows a series of moments between two days, which the session's time zone says,
// as generate_series(date '2024-01-01', date '2024-12-01', interval '1 month') does; 0: that is not known, or more than
// kMostRows.
int rows_about(Query* query);

// TargetEntry: these expressions as the columns 1, 2, ... of a query.
List* as_columns(List* values);

}  // namespace dp::guard
