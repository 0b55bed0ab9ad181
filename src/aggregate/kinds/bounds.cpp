// dp_bounds: bounds for the other aggregates, where nobody knows them beforehand (bounds.h).
#include "core/accumulate/bounds.h"

#include <algorithm>

#include "aggregate/call/numeric_grid.h"
#include "aggregate/kinds/histogram.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

bool less(Numeric a, Numeric b) {
  return DatumGetBool(DirectFunctionCall2(numeric_lt, NumericGetDatum(a), NumericGetDatum(b)));
}

// The upper edges of the bins of positive numbers, exactly.
Numeric* edges_of(const PowerBins& bins) {
  auto* const edges = static_cast<Numeric*>(palloc(sizeof(Numeric) * static_cast<Size>(bins.per_side)));
  edges[0] = numeric_power_of_two(bins.lowest);
  for (int i = 1; i < bins.per_side; ++i) {
    const Datum half = NumericGetDatum(edges[i - 1]);
    edges[i] = DatumGetNumeric(DirectFunctionCall2(numeric_add, half, half));
  }
  return edges;
}

struct BoundsCall : HistogramCall {
  Oid type;  // INT2OID, INT4OID, INT8OID, FLOAT8OID or NUMERICOID
  PowerBins bins;
  Numeric* edges;  // of numeric values

  std::optional<int> bin(Datum value) const {
    switch (type) {
      case INT2OID:
        return bins.bin_of(std::int64_t{DatumGetInt16(value)});
      case INT4OID:
        return bins.bin_of(std::int64_t{DatumGetInt32(value)});
      case INT8OID:
        return bins.bin_of(std::int64_t{DatumGetInt64(value)});
      case FLOAT8OID:
        return bins.bin_of(DatumGetFloat8(value));
      default:
        return bin_of(DatumGetNumeric(value));
    }
  }

 private:
  // Compared as numeric: rounded to a float8, a value just above an edge could fall below it.
  std::optional<int> bin_of(Numeric value) const {
    if (numeric_is_nan(value)) return std::nullopt;
    const Numeric magnitude = DatumGetNumeric(DirectFunctionCall1(numeric_abs, NumericGetDatum(value)));
    const Numeric* const power = std::lower_bound(edges, edges + bins.per_side - 1, magnitude, less);
    return bins.bin(less(value, magnitude), static_cast<int>(power - edges));
  }
};

PowerBins bins_for(const Arguments& arguments) {
  switch (arguments.type(0)) {
    case INT2OID:
      return PowerBins::of_integers(16);
    case INT4OID:
      return PowerBins::of_integers(32);
    case INT8OID:
      return PowerBins::of_integers(64);
    case FLOAT8OID:
    case NUMERICOID:
      return PowerBins::of_reals();
    default:
      arguments.refuse_signature();
  }
}

// (value, epsilon [, mechanism])
Call* prepare_bounds(const Arguments& arguments) {
  auto* const call = make_call<BoundsCall>();
  call->type = arguments.type(0);
  call->bins = bins_for(arguments);
  if (call->type == NUMERICOID) call->edges = edges_of(call->bins);
  call->size = call->bins.count();
  fill_counting(call, arguments, 1);
  set_form(call, bounds_form(call->bins, 0), call->size);
  return call;
}

}  // namespace

DP_SQL_FUNCTION(dp_bounds_add) {
  const auto& call = call_of<BoundsCall>(fcinfo);
  return add_to_bucket(fcinfo, call, [&](Datum value) { return call.bin(value); });
}

const Support kBounds{dp_bounds_add, dp_histogram_answer, prepare_bounds, Release::noise, Tag::sample};

}  // namespace dp::aggregate
