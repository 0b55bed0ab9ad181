// dp_histogram: counts of equal-width buckets, or of listed categories.
//
// A row lies in one bucket at most, so it changes one counter by one, whatever the number of buckets: each counter gets the
// noise of a single count at the whole epsilon.
#include <algorithm>
#include <optional>

#include "aggregate/grid.h"
#include "aggregate/release.h"

#include "aggregate/call_sql.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

struct HistogramCall : Call {
  int size;  // of the answer
};

struct BucketsCall : HistogramCall {
  Bounds bounds;

  // As PostgreSQL's width_bucket divides, with the last bucket closed on the right. NaN and values outside have none.
  std::optional<int> bucket(double value) const {
    if (!(value >= bounds.lower && value <= bounds.upper)) return std::nullopt;
    const double position = size * ((value - bounds.lower) / (bounds.upper - bounds.lower));
    return std::min(static_cast<int>(position), size - 1);
  }
};

struct CategoriesCall : HistogramCall {
  FmgrInfo* compare;
  Oid collation;
  Datum* sorted;
  int* places;  // places[i]: where sorted[i] stood in the given list

  int order(Datum a, Datum b) const { return DatumGetInt32(FunctionCall2Coll(compare, collation, a, b)); }

  std::optional<int> bucket(Datum value) const {
    int low = 0, high = size;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      const int side = order(value, sorted[middle]);
      if (side == 0) return places[middle];
      (side < 0 ? high : low) = side < 0 ? middle : middle + 1;
    }
    return std::nullopt;
  }
};

void fill_counting(HistogramCall* call, const Arguments& arguments, int epsilon_position) {
  call->epsilon = arguments.epsilon(epsilon_position);
  call->mechanism = arguments.mechanism(epsilon_position + 1);
  call->changes = mechanism::Changes::one(1);
  call->lattice = mechanism::Lattice::integer;
}

void check_size(const char* what, int size) {
  if (size >= 1 && size <= static_cast<int>(kMaxBuckets)) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("number of %s must be from 1 to %d, not %d", what, static_cast<int>(kMaxBuckets), size),
                  errhint("For example dp_histogram(age, 0, 100, 10, 0.5) or dp_histogram(ward, ARRAY['a','b'], 0.5).")));
}

// (value, lower, upper, buckets, epsilon [, mechanism])
Call* prepare_buckets(const Arguments& arguments) {
  if (arguments.type(0) != FLOAT8OID) arguments.refuse_signature();
  auto* const call = make_call<BucketsCall>();
  call->answer_type = INT8ARRAYOID;
  call->bounds = checked_bounds(arguments.number(1, "lower bound"), arguments.number(2, "upper bound"));
  RealGrid::make(call->bounds, Origin::lower);  // the same limits on bounds as everywhere
  call->size = DatumGetInt32(arguments.constant(3, INT4OID, "number of buckets"));
  check_size("buckets", call->size);
  fill_counting(call, arguments, 4);
  return call;
}

// Sorts the categories with the default order of their type.
void sort_categories(CategoriesCall* call, const Datum* given) {
  call->sorted = static_cast<Datum*>(palloc(call->size * sizeof(Datum)));
  call->places = static_cast<int*>(palloc(call->size * sizeof(int)));
  for (int i = 0; i < call->size; ++i) call->places[i] = i;
  std::sort(call->places, call->places + call->size,
            [&](int a, int b) { return call->order(given[a], given[b]) < 0; });
  for (int i = 0; i < call->size; ++i) call->sorted[i] = given[call->places[i]];
}

// (value, categories, epsilon [, mechanism])
Call* prepare_categories(const Arguments& arguments) {
  const Oid type = get_element_type(arguments.type(1));
  if (!OidIsValid(type) || getBaseType(arguments.type(0)) != getBaseType(type)) arguments.refuse_signature();
  auto* const call = make_call<CategoriesCall>();
  call->answer_type = INT8ARRAYOID;
  ArrayType* const array = DatumGetArrayTypeP(arguments.constant(1, arguments.type(1), "categories"));
  TypeCacheEntry* const cache = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
  if (!OidIsValid(cache->cmp_proc_finfo.fn_oid)) {
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
                    errmsg("categories of type %s cannot be compared", format_type_be(type)),
                    errhint("Cast value and categories to a type with an order, for example text.")));
  }
  call->compare = &cache->cmp_proc_finfo;
  call->collation = arguments.collation();

  Datum* given;
  bool* nulls;
  deconstruct_array(array, type, cache->typlen, cache->typbyval, cache->typalign, &given, &nulls, &call->size);
  check_size("categories", call->size);
  if (std::find(nulls, nulls + call->size, true) != nulls + call->size) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("categories must not contain NULL"),
                    errhint("Rows that are NULL are not counted; COALESCE the value to a category to count them.")));
  }
  sort_categories(call, given);
  for (int i = 1; i < call->size; ++i) {
    if (call->order(call->sorted[i - 1], call->sorted[i]) != 0) continue;
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(type, &output, &is_varlena);
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("category \"%s\" is listed twice", OidOutputFunctionCall(output, call->sorted[i])),
                    errhint("List each category once.")));
  }
  fill_counting(call, arguments, 2);
  return call;
}

// Counts the row in the bucket that `find` gives for a value that is not NULL.
template <class Find>
Datum add_to_bucket(FunctionCallInfo fcinfo, const HistogramCall& call, Find find) {
  const std::optional<int> bucket = PG_ARGISNULL(1) ? std::nullopt : find(PG_GETARG_DATUM(1));
  State* state = PG_ARGISNULL(0) ? nullptr : reinterpret_cast<State*>(PG_GETARG_POINTER(0));
  if (state == nullptr) {
    state = new_state(fcinfo, HistogramState::bytes(call.size), Tag::histogram);
    static_cast<HistogramState*>(state)->size = call.size;
  }
  if (bucket) ++static_cast<HistogramState*>(state)->counts()[*bucket];
  PG_RETURN_POINTER(state);
}

}  // namespace

DP_SQL_FUNCTION(dp_buckets_add) {
  const auto& call = call_of<BucketsCall>(fcinfo);
  return add_to_bucket(fcinfo, call, [&](Datum value) { return call.bucket(DatumGetFloat8(value)); });
}

DP_SQL_FUNCTION(dp_categories_add) {
  const auto& call = call_of<CategoriesCall>(fcinfo);
  return add_to_bucket(fcinfo, call, [&](Datum value) { return call.bucket(value); });
}

DP_SQL_FUNCTION(dp_histogram_answer) {
  const auto& call = call_of<HistogramCall>(fcinfo);
  const auto* const state = static_cast<const HistogramState*>(final_state(fcinfo, Tag::histogram));
  if (state != nullptr && state->size != static_cast<std::uint64_t>(call.size)) {
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("histogram state has another number of buckets")));
  }
  auto* const answers = static_cast<Datum*>(palloc(call.size * sizeof(Datum)));
  for (int i = 0; i < call.size; ++i) {
    const Int128 exact = state == nullptr ? 0 : state->counts()[i];
    answers[i] = Int64GetDatum(to_int64(noised(call, exact), call.calibration.refinement));
  }
  PG_RETURN_ARRAYTYPE_P(construct_array(answers, call.size, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

const Support kHistogram{dp_buckets_add, dp_histogram_answer, prepare_buckets};
const Support kCategories{dp_categories_add, dp_histogram_answer, prepare_categories};

}  // namespace dp::aggregate
