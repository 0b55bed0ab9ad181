// Private calls about dates and timestamps, which are asked as numbers (moments_as_numbers.h): between the ends that
// are declared of a column, else in the years 1900 to 2100.
#pragma once

#include "guard/relations/from_clause.h"
#include "guard/rewrite/private_calls.h"

namespace dp::guard {

// Of an ordinary quantile of moments: `value` as the level has it, `over` the same over the tables.
Node* quantile_of_moments(const Aggref* call, Expr* value, Node* over, const Sources& sources,
                          const AnswerDefaults& defaults);

// Of min or max of dates and timestamps, by dp_min or dp_max of days.
Node* end_of_moments(const Aggref* call, const char* name, Expr* value, Node* over, const Sources& sources,
                     const AnswerDefaults& defaults);

}  // namespace dp::guard
