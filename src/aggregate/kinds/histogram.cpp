// dp_histogram: counts of equal-width buckets, of the cells that buckets of two values make, or of listed categories.
//
// A row lies in one bucket, or one cell, at most, so it changes one counter by one, whatever their number: each counter
// gets the noise of a single count at the whole epsilon.
#include "aggregate/kinds/histogram.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "pg/errors.h"

namespace dp::aggregate {
namespace {

struct BucketsCall : HistogramCall {
  Buckets buckets;
};

struct CellsCall : HistogramCall {
  Cells cells;
};

// (value, lower, upper, buckets, epsilon [, mechanism])
Call* prepare_buckets(const Arguments& arguments) {
  if (arguments.type(0) != FLOAT8OID) arguments.refuse_signature();
  auto* const call = make_call<BucketsCall>();
  call->buckets = buckets_argument(arguments);
  call->size = call->buckets.count;
  check_size(arguments.function(), "buckets", call->size, "age, 0, 100, 10, 0.5");
  fill_counting(call, arguments, 4);
  set_form(call, {.kind = Form::Kind::bigints}, call->size);
  return call;
}

// (x, y, x_lower, x_upper, x_buckets, y_lower, y_upper, y_buckets, epsilon [, mechanism])
Call* prepare_cells(const Arguments& arguments) {
  if (arguments.type(0) != FLOAT8OID || arguments.type(1) != FLOAT8OID) arguments.refuse_signature();
  constexpr const char* kExample = "age, days, 0, 110, 11, 0, 60, 12, 0.5";
  auto* const call = make_call<CellsCall>();
  call->cells = {buckets_argument(arguments, 2, " of x"), buckets_argument(arguments, 5, " of y")};
  check_size(arguments.function(), "buckets of x", call->cells.x.count, kExample);
  check_size(arguments.function(), "buckets of y", call->cells.y.count, kExample);
  check_size(arguments.function(), "cells", call->cells.count(), kExample);
  call->size = static_cast<int>(call->cells.count());
  fill_counting(call, arguments, 8);
  set_form(call, {.kind = Form::Kind::bigints, .range = call->cells.y.count}, call->size);
  return call;
}

// (value, categories, epsilon [, mechanism])
Call* prepare_categories(const Arguments& arguments) {
  auto* const call = fill_categories(make_call<CategoriesCall>(), arguments);
  set_form(call, {.kind = Form::Kind::bigints}, call->size);
  return call;
}

}  // namespace

Buckets buckets_argument(const Arguments& arguments, int first, const char* of) {
  const Bounds bounds = checked_bounds(arguments.number(first, psprintf("lower bound%s", of)),
                                       arguments.number(first + 1, psprintf("upper bound%s", of)));
  RealGrid::make(bounds, Origin::lower);  // the same limits on bounds as everywhere
  return {bounds, DatumGetInt32(arguments.constant(first + 2, INT4OID, psprintf("number of buckets%s", of)))};
}

void fill_counting(HistogramCall* call, const Arguments& arguments, int epsilon_position) {
  call->epsilon = arguments.epsilon(epsilon_position);
  call->mechanism = arguments.mechanism(epsilon_position + 1);
  call->changes = mechanism::Changes::one(1);
  call->lattice = mechanism::Lattice::integer;
  call->noise = std::pow(call->size, 0.75);  // what is cut falls on all of them, as on groups (limit_choice.cpp)
}

CategoriesCall* fill_categories(CategoriesCall* call, const Arguments& arguments) {
  const Oid type = get_element_type(arguments.type(1));
  if (!OidIsValid(type) || getBaseType(arguments.type(0)) != getBaseType(type)) arguments.refuse_signature();
  ArrayType* const array = DatumGetArrayTypeP(arguments.constant(1, arguments.type(1), "categories"));
  call->categories =
      Categories::make(arguments.function(), array, type, arguments.collation(),
                       "Rows that are NULL are not counted; COALESCE the value to a category to count them.");
  call->size = call->categories.size;
  fill_counting(call, arguments, 2);
  return call;
}

std::span<const std::uint64_t> final_counts(FunctionCallInfo fcinfo, const HistogramCall& call) {
  const auto size = static_cast<std::size_t>(call.size);
  const auto* const state = static_cast<const HistogramState*>(final_state(fcinfo, Tag::histogram));
  if (state == nullptr) return {static_cast<const std::uint64_t*>(palloc0(size * sizeof(std::uint64_t))), size};
  if (state->size != size) {
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("histogram state has another number of buckets")));
  }
  return {state->counts(), size};
}

DP_SQL_FUNCTION(dp_buckets_add) {
  const auto& call = call_of<BucketsCall>(fcinfo);
  return add_to_bucket(fcinfo, call, [&](Datum value) { return call.buckets.containing(DatumGetFloat8(value)); });
}

// A pair of which one is NULL lies in no cell.
DP_SQL_FUNCTION(dp_cells_add) {
  const auto& call = call_of<CellsCall>(fcinfo);
  return add_to_bucket(fcinfo, call, [&](Datum x) {
    return PG_ARGISNULL(2) ? std::nullopt : call.cells.containing(DatumGetFloat8(x), PG_GETARG_FLOAT8(2));
  });
}

DP_SQL_FUNCTION(dp_categories_add) {
  const auto& call = call_of<CategoriesCall>(fcinfo);
  return add_to_bucket(fcinfo, call, [&](Datum value) { return call.categories.find(value); });
}

DP_SQL_FUNCTION(dp_histogram_answer) {
  const auto& call = answering_call<HistogramCall>(fcinfo);
  const auto counts = final_counts(fcinfo, call);
  auto* const exact = static_cast<Int128*>(palloc(counts.size() * sizeof(Int128)));
  std::copy(counts.begin(), counts.end(), exact);
  return answer(call, {exact, counts.size()});
}

const Support kHistogram{dp_buckets_add, dp_histogram_answer, prepare_buckets, Release::noise, Tag::sample};
// Of a privacy unit with several rows some are chosen before they are counted: its states have one value of a row.
const Support kCells{dp_cells_add, dp_histogram_answer, prepare_cells};
const Support kCategories{dp_categories_add, dp_histogram_answer, prepare_categories, Release::noise, Tag::sample};

}  // namespace dp::aggregate
