// dp_histogram: counts of equal-width buckets, or of listed categories.
//
// A row lies in one bucket at most, so it changes one counter by one, whatever the number of buckets: each counter gets
// the noise of a single count at the whole epsilon.
#include "aggregate/kinds/histogram.h"

#include <algorithm>
#include <optional>
#include <span>

#include "pg/errors.h"

namespace dp::aggregate {
namespace {

struct BucketsCall : HistogramCall {
  Buckets buckets;

  // NaN and values outside have none.
  std::optional<int> bucket(double value) const {
    if (!(value >= buckets.bounds.lower && value <= buckets.bounds.upper)) return std::nullopt;
    return buckets.holding(value);
  }
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

// (value, categories, epsilon [, mechanism])
Call* prepare_categories(const Arguments& arguments) {
  auto* const call = fill_categories(make_call<CategoriesCall>(), arguments);
  set_form(call, {.kind = Form::Kind::bigints}, call->size);
  return call;
}

}  // namespace

Buckets buckets_argument(const Arguments& arguments) {
  const Bounds bounds = checked_bounds(arguments.number(1, "lower bound"), arguments.number(2, "upper bound"));
  RealGrid::make(bounds, Origin::lower);  // the same limits on bounds as everywhere
  return {bounds, DatumGetInt32(arguments.constant(3, INT4OID, "number of buckets"))};
}

void fill_counting(HistogramCall* call, const Arguments& arguments, int epsilon_position) {
  call->epsilon = arguments.epsilon(epsilon_position);
  call->mechanism = arguments.mechanism(epsilon_position + 1);
  call->changes = mechanism::Changes::one(1);
  call->lattice = mechanism::Lattice::integer;
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
  return add_to_bucket(fcinfo, call, [&](Datum value) { return call.bucket(DatumGetFloat8(value)); });
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
const Support kCategories{dp_categories_add, dp_histogram_answer, prepare_categories, Release::noise, Tag::sample};

}  // namespace dp::aggregate
