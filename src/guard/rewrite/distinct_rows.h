// Counts of different rows, count(DISTINCT (ward, sex)), as counts of different texts: no record is admitted below
// private aggregates, since comparing two may fail.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Writes them so, as far as equal values of the row's types have one text.
void count_rows_as_texts(Query* statement);

}  // namespace dp::guard
