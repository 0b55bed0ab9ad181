// Whether a group key can be NULL. A public key that cannot be NULL has no group for NULL.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// False only where the expression, over the tables of that range table and their joins, is certain not to be NULL: made
// of columns that are NOT NULL, by functions that return a value for every value. What lies within a millennium of the
// ends of time, where dp_trunc and the total casts give NULL, does not count.
bool may_be_null(Node* expression, List* tables, Node* joins);

// The same of the form in which an inner query runs it: where a function fails as it is written, its total form is
// NULL.
bool may_be_null_as_run(Node* expression, List* tables, Node* joins);

// The column of the one table that a subquery reads, where it shows that; otherwise nullptr.
const Var* column_of_one_table(const SubLink* subquery);

// Whether the expression is not NULL in every row in which none of its columns is.
bool keeps_values(Node* expression);

// Whether it is not NULL in every row in which all of its columns have finite values.
bool keeps_finite_values(Node* expression);

// Whether each of the columns (TargetEntry) is NULL where the row is missing that it is computed from.
bool is_null_without_row(List* columns);

}  // namespace dp::guard
