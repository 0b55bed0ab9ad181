// dp_cumulative_count, dp_cumulative_quantile and their like: what an answer of dp_cumulative says, for nothing more.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "core/planning/curve.h"
#include "planning/values.h"

namespace dp::planning {
namespace {

// The columns of the type dp_cumulative.
enum { lower_column = 1, upper_column, counts_column, tree_column, noise_column };

constexpr double kUsual = 0.95;

[[noreturn]] void refuse_curve() {
  check_curve({});  // which it never is
  pg_unreachable();
}

Datum column_of(HeapTupleHeader row, int column) {
  bool null;
  const Datum value = GetAttributeByNum(row, static_cast<AttrNumber>(column), &null);
  if (null) refuse_curve();
  return value;
}

// In the memory of the call.
Curve curve_argument(FunctionCallInfo fcinfo) {
  HeapTupleHeader const row = PG_GETARG_HEAPTUPLEHEADER(0);
  ArrayType* const counts = DatumGetArrayTypeP(column_of(row, counts_column));
  if (ARR_NDIM(counts) != 1 || array_contains_nulls(counts)) refuse_curve();
  const auto size = static_cast<std::size_t>(ArrayGetNItems(ARR_NDIM(counts), ARR_DIMS(counts)));
  const int buckets = static_cast<int>(size);
  const Curve curve{
      {{DatumGetFloat8(column_of(row, lower_column)), DatumGetFloat8(column_of(row, upper_column))}, buckets},
      {buckets, DatumGetInt32(column_of(row, tree_column))},
      {reinterpret_cast<const std::int64_t*>(ARR_DATA_PTR(counts)), size},
      DatumGetFloat8(column_of(row, noise_column))};
  check_curve(curve);
  return curve;
}

Datum whole(double rows) {
  constexpr double kBeyond = 0x1p63;
  if (rows >= kBeyond) return Int64GetDatum(std::numeric_limits<int64>::max());
  return Int64GetDatum(rows < -kBeyond ? std::numeric_limits<int64>::min() : std::llround(rows));
}

struct Range {
  double from;
  double to;
};

Range range_argument(FunctionCallInfo fcinfo, int place) {
  const Range range{PG_GETARG_FLOAT8(place), PG_GETARG_FLOAT8(place + 1)};
  if (range.from <= range.to) return range;
  throw Error("a range must not end before it begins, as " + mechanism::decimal(range.from) + " .. " +
                  mechanism::decimal(range.to) + " does",
              "Give the smaller number first: dp_cumulative_range(curve, 18, 65).");
}

double confidence_argument(FunctionCallInfo fcinfo, int place) {
  return PG_NARGS() > place ? PG_GETARG_FLOAT8(place) : kUsual;
}

}  // namespace

// dp_cumulative_count(curve, value) returns bigint
DP_SQL_FUNCTION(dp_cumulative_count) {
  PG_RETURN_DATUM(whole(rows_below(curve_argument(fcinfo), PG_GETARG_FLOAT8(1))));
}

// dp_cumulative_range(curve, from, to) returns bigint
DP_SQL_FUNCTION(dp_cumulative_range) {
  const Curve curve = curve_argument(fcinfo);
  const auto [from, to] = range_argument(fcinfo, 1);
  PG_RETURN_DATUM(whole(rows_below(curve, to) - rows_below(curve, from)));
}

// dp_cumulative_error(curve, value) returns float8
DP_SQL_FUNCTION(dp_cumulative_error) {
  const Curve curve = curve_argument(fcinfo);
  PG_RETURN_FLOAT8(error_between(curve, curve.buckets.bounds.lower, PG_GETARG_FLOAT8(1), kUsual));
}

// dp_cumulative_error(curve, from, to, confidence) returns float8
DP_SQL_FUNCTION(dp_cumulative_error_of_range) {
  const Curve curve = curve_argument(fcinfo);
  const auto [from, to] = range_argument(fcinfo, 1);
  PG_RETURN_FLOAT8(error_between(curve, from, to, confidence_argument(fcinfo, 3)));
}

// dp_cumulative_quantile(curve, fraction) returns float8
DP_SQL_FUNCTION(dp_cumulative_quantile) {
  const std::optional<double> found = quantile_of(curve_argument(fcinfo), PG_GETARG_FLOAT8(1));
  if (!found) PG_RETURN_NULL();
  PG_RETURN_FLOAT8(*found);
}

// dp_cumulative_interval(curve, fraction, confidence) returns (lower, upper)
DP_SQL_FUNCTION(dp_cumulative_interval) {
  const auto [lower, upper] =
      quantile_interval(curve_argument(fcinfo), PG_GETARG_FLOAT8(1), confidence_argument(fcinfo, 2));
  TupleDesc row;
  if (get_call_result_type(fcinfo, nullptr, &row) != TYPEFUNC_COMPOSITE) elog(ERROR, "return type must be a row type");
  Datum values[] = {Float8GetDatum(lower), Float8GetDatum(upper)};
  bool nulls[] = {false, false};
  return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls));
}

// dp_cumulative_points(curve, confidence) returns rows (value, count, share, error)
DP_SQL_FUNCTION(dp_cumulative_points) {
  const Curve curve = curve_argument(fcinfo);
  const std::vector<double> errors = errors_of_counts(curve, confidence_argument(fcinfo, 1));
  const auto all = static_cast<double>(curve.counts.back());
  pg::call([&] {
    InitMaterializedSRF(fcinfo, 0);
    const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
    for (int i = 0; i < curve.buckets.count; ++i) {
      const std::int64_t count = curve.counts[static_cast<std::size_t>(i)];
      Datum values[] = {Float8GetDatum(curve.buckets.edge(i + 1)), Int64GetDatum(count),
                        Float8GetDatum(all > 0 ? std::clamp(static_cast<double>(count) / all, 0.0, 1.0) : 0),
                        Float8GetDatum(errors[static_cast<std::size_t>(i)])};
      bool nulls[] = {false, false, !(all > 0), false};
      tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
    }
  });
  PG_RETURN_VOID();
}

// dp_cumulative_monotone(curve) returns dp_cumulative
DP_SQL_FUNCTION(dp_cumulative_monotone) {
  HeapTupleHeader const row = PG_GETARG_HEAPTUPLEHEADER(0);
  const Curve curve = curve_argument(fcinfo);
  const std::vector<double> rising = rising_counts(curve);
  return pg::call([&] {
    auto* const counts = static_cast<Datum*>(palloc(rising.size() * sizeof(Datum)));
    std::transform(rising.begin(), rising.end(), counts, whole);
    ArrayType* const array =
        construct_array(counts, curve.buckets.count, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE);
    Datum values[] = {Float8GetDatum(curve.buckets.bounds.lower), Float8GetDatum(curve.buckets.bounds.upper),
                      PointerGetDatum(array), Int32GetDatum(curve.sums.branching), Float8GetDatum(curve.noise)};
    bool nulls[] = {false, false, false, false, false};
    TupleDesc const shape = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));
    HeapTuple const tuple = heap_form_tuple(shape, values, nulls);
    ReleaseTupleDesc(shape);
    return HeapTupleGetDatum(tuple);
  });
}

}  // namespace dp::planning
