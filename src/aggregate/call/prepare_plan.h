// The start of an execution: every aggregate of ours gets its parameters checked before a row is read.
#pragma once

#include "aggregate/call/call.h"
#include "core/accumulate/vector.h"

namespace dp::aggregate {

// The support functions that an aggregate of the catalog runs on; nullptr where they are not ours.
const Support* support_of(Oid aggregate);

// Whether that aggregate of the catalog runs on our support functions.
bool is_private_aggregate(Oid aggregate);

// Whether it is one whose answer can be made of parts by privacy unit (unit_aggregates.h).
bool answers_by_unit(Oid aggregate);

// Whether such parts keep some rows of the unit, chosen at random, and not the state of all (unit_sample.h).
bool keeps_rows(const Aggref* call);

// Whether its answer says nothing of how many rows there are: a quantile, the most frequent value, or a spread without
// bounds. By its number alone but for the latter.
bool is_scale_free(Oid aggregate);
bool is_scale_free(const Aggref* call);

// Whether it adds noise to a count of each bucket and can be made of parts by privacy unit.
bool counts_buckets(Oid aggregate);

// Whether it is dp_variance or its like with an infinite bound (core/accumulate/open_spread.h).
bool is_open_spread(const Aggref* call);

// Of so many rows at most where one aggregate keeps the states of all units.
int most_kept_in_tables();

// "totals", "moments", "covariance" or "regression" for the aggregate that answers by such a vector (vector_datum.h);
// nullptr for others.
const char* name_of_vector(Oid aggregate);

// What it asks of a column that the numbers of another aggregate may say, too (core/accumulate/vector.h); whole:
// nothing. `values`: whether it has a first argument that rows give.
Part part_of_column(Oid aggregate, bool values);

// Whether it is about pairs of two columns, its first two arguments (kinds/pairs.cpp).
bool answers_about_pairs(Oid aggregate);

// Whether a limit that is chosen for it is one of the rows of a unit, and not of what these add up to.
bool is_limited_by_rows(const Aggref* call);

// Whether it is dp_count. Of DISTINCT units it counts each once, however many rows the unit has.
bool is_count(Oid aggregate);

// Whether it is dp_sum with an infinite bound: nobody says between which values its argument lies, and what a privacy
// unit adds is limited privately (limit_choice.h).
bool is_open_sum(const Aggref* call);

// Prepares the aggregates of a plan, which answer through the gate (nullptr: by themselves); to be called when the plan
// has been initialised, in the memory of the query, and in each process that runs a part of it. Aggregates that were
// prepared before are left as they are. The gate lives as long as the plan.
void prepare(PlanState* node, Gate* gate);

// Whether an aggregate of ours answers in that node, which has been prepared, and not through a gate.
bool answers_without_gate(const AggState* node);

// From now on every plan of this server is prepared. Called once, from shared_preload_libraries.
void set_prepared();

// Whether plans are prepared; where they are not, the aggregates refuse to run (DP004).
bool are_prepared();

}  // namespace dp::aggregate
