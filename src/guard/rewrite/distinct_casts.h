// Counts of different values without casts that change none of them into another: count(DISTINCT id::text) is
// count(DISTINCT id). So what is known of a column, above all that it names the privacy unit, is known of its texts.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Writes them so.
void count_without_casts(Query* statement);

// Lets each count of different values, of the first of its arguments, count those that are given in place of it; where
// that is nullptr it stays as it is.
void count_in_place_of_values(Query* statement, Expr* (*in_place_of)(Expr* value));

}  // namespace dp::guard
