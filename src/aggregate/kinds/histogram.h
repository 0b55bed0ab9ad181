// What aggregates over counts of buckets or categories have in common: dp_histogram, dp_cumulative, dp_bounds,
// dp_mode, dp_quantile, dp_rr_histogram.
#pragma once

#include <optional>
#include <span>

#include "aggregate/call/histogram_call.h"
#include "aggregate/call/unit_buckets.h"
#include "aggregate/call/unit_sample.h"
#include "aggregate/kinds/categories.h"
#include "core/accumulate/buckets.h"

namespace dp::aggregate {

// (value, categories, epsilon [, mechanism])
struct CategoriesCall : HistogramCall {
  Categories categories;
};

// Reads lower, upper and the number of buckets. `first`: the place of lower; `of`: what errors add to their names. How
// many buckets there may be is still to be checked.
Buckets buckets_argument(const Arguments& arguments, int first = 1, const char* of = "");

// Reads epsilon and mechanism, for noise on each of the counts.
void fill_counting(HistogramCall* call, const Arguments& arguments, int epsilon_position);

// Reads value, categories, epsilon and mechanism into the call and returns it; the caller sets the type of the answer.
CategoriesCall* fill_categories(CategoriesCall* call, const Arguments& arguments);

// Counts the row in the bucket that `find` gives for a value that is not NULL. In a part of a privacy unit the row is
// kept instead, perhaps; by buckets the unit is known.
template <class Find>
Datum add_to_bucket(FunctionCallInfo fcinfo, const HistogramCall& call, Find find) {
  if (call.by_bucket) {
    const std::optional<int> bucket = PG_ARGISNULL(1) ? std::nullopt : find(PG_GETARG_DATUM(1));
    if (bucket) count_in_bucket(call, *bucket);
    PG_RETURN_POINTER(call.units);
  }
  if (call.sample > 0) {
    const std::optional<int> bucket = PG_ARGISNULL(1) ? std::nullopt : find(PG_GETARG_DATUM(1));
    return bucket ? keep_row(fcinfo, call, *bucket) : same_state(fcinfo);
  }
  State* state = PG_ARGISNULL(0) ? nullptr : reinterpret_cast<State*>(PG_GETARG_POINTER(0));
  if (state == nullptr) {
    state = new_state(fcinfo, HistogramState::bytes(call.size), Tag::histogram);
    static_cast<HistogramState*>(state)->size = call.size;
  }
  if (!PG_ARGISNULL(1)) {
    const std::optional<int> bucket = find(PG_GETARG_DATUM(1));
    if (bucket) ++static_cast<HistogramState*>(state)->counts()[*bucket];
  }
  PG_RETURN_POINTER(state);
}

// The counts in a final function's state, all zeros where no row came. Raises an error for a state of another size.
std::span<const std::uint64_t> final_counts(FunctionCallInfo fcinfo, const HistogramCall& call);

// The transition function of all aggregates of categories.
extern "C" DP_EXPORT Datum dp_categories_add(FunctionCallInfo fcinfo);

// The final function of all aggregates of noisy counts: the answer in the form of the call.
extern "C" DP_EXPORT Datum dp_histogram_answer(FunctionCallInfo fcinfo);

}  // namespace dp::aggregate
