// PostgreSQL's own aggregates that have a private form, told by their numbers in the catalog: one that somebody made
// under the same name is none of them.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The private aggregate that answers for one with bounds and one value, for example dp_sum; nullptr for others.
const char* bounded_form(Oid function);

// The same for one of pairs of two columns, for example dp_corr (shared_pairs.h).
const char* form_of_pairs(Oid function);

// Whether it is a sum, with the form dp_sum.
bool is_sum(Oid function);

// -1 for min, 1 for max, 0 for others. Both have a sort operator, as bool_and and bool_or have.
int extreme_of(Oid function);

// Whether it is dp_histogram or dp_cumulative, with all that it needs or not.
bool counts_buckets(const Aggref* call);

// Raises DP002 for one without a private form, with what to ask in its place.
[[noreturn]] void refuse_without_form(const Aggref* call);

}  // namespace dp::guard
