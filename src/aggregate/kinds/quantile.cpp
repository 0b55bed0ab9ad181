// dp_quantile and dp_median: a point of a grid of the bounds (quantile.h), chosen by how evenly it divides the rows;
// dp_quantiles, several of them (quantiles.h); dp_min and dp_max, a point near the end of the rows (ends.h).
#include "core/accumulate/quantiles.h"

#include <algorithm>

#include "aggregate/call/value_reader.h"
#include "aggregate/kinds/histogram.h"
#include "core/accumulate/ends.h"
#include "core/mechanism/candidate_selection.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

struct GridCall : HistogramCall {
  Reader reader;
  QuantileGrid grid;

  float8 value(std::int64_t point) const {
    if (!reader.reads_integers()) return grid.value(point, reader.bounds.lower, reader.bounds.upper);
    return grid.value(point, static_cast<double>(reader.integer.low), static_cast<double>(reader.integer.high));
  }
};

struct QuantileCall : GridCall {
  Fraction fraction;
};

struct EndCall : GridCall {
  End end;
};

struct QuantilesCall : GridCall {
  Fraction* fractions;  // ascending, each once
  int different;
  int* places;  // of the fractions as they were given, among these
  int given;
};

static_assert(QuantileGrid::kMaxCells < static_cast<std::int64_t>(kMaxBuckets));

// A real grid has at most 2^32 steps, and so much is enough for whole numbers.
constexpr int kIntegerBits = 32;

// (value, ..., lower, upper, epsilon [, mechanism])
void fill(GridCall* call, const Arguments& arguments, int bounds_position) {
  call->reader = Reader::make(arguments, Origin::lower, kIntegerBits, bounds_position);
  call->grid = QuantileGrid::make(call->reader.high);
  call->size = static_cast<int>(call->grid.points());
  call->epsilon = arguments.epsilon(bounds_position + 2);
  call->mechanism = arguments.mechanism(bounds_position + 3);
  mechanism::require_choice(call->mechanism);
  call->changes = mechanism::Changes::one(1);
  call->lattice = call->reader.lattice();
  call->answer_type = FLOAT8OID;
}

Call* prepare(const Arguments& arguments, Fraction fraction, int bounds_position) {
  auto* const call = make_call<QuantileCall>();
  call->fraction = fraction;
  fill(call, arguments, bounds_position);
  return call;
}

[[noreturn]] void refuse_fractions(const char* what) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("fractions of dp_quantiles %s", what),
                  errhint("For example dp_quantiles(age, ARRAY[0.25, 0.5, 0.75], 0, 110, 0.5).")));
  pg_unreachable();
}

Call* prepare_quantiles(const Arguments& arguments) {
  auto* const call = make_call<QuantilesCall>();
  ArrayType* const array = DatumGetArrayTypeP(arguments.constant(1, FLOAT8ARRAYOID, "fractions"));
  Datum* given;
  bool* nulls;
  deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &given, &nulls, &call->given);
  if (ARR_NDIM(array) > 1) refuse_fractions(psprintf("must be a list, not an array of %d dimensions", ARR_NDIM(array)));
  if (call->given < 1 || call->given > static_cast<int>(kMostFractions))
    refuse_fractions(psprintf("must be from 1 to %d, not %d", static_cast<int>(kMostFractions), call->given));
  if (std::find(nulls, nulls + call->given, true) != nulls + call->given) refuse_fractions("must not contain NULL");
  const auto size = static_cast<Size>(call->given);
  call->fractions = static_cast<Fraction*>(palloc(size * sizeof(Fraction)));
  call->places = static_cast<int*>(palloc(size * sizeof(int)));
  const auto as_given = static_cast<Fraction*>(palloc(size * sizeof(Fraction)));
  for (Size i = 0; i < size; ++i) as_given[i] = Fraction::from(DatumGetFloat8(given[i]));
  Fraction* const end = std::copy(as_given, as_given + size, call->fractions);
  std::sort(call->fractions, end);
  Fraction* const last = std::unique(call->fractions, end);
  call->different = static_cast<int>(last - call->fractions);
  for (Size i = 0; i < size; ++i)
    call->places[i] = static_cast<int>(std::lower_bound(call->fractions, last, as_given[i]) - call->fractions);
  fill(call, arguments, 2);
  epsilon_of_round(call->epsilon, static_cast<std::size_t>(call->different));  // before it is charged
  call->choices = rounds_of_quantiles(static_cast<std::size_t>(call->different));
  call->answer_type = FLOAT8ARRAYOID;
  return call;
}

Call* prepare_quantile(const Arguments& arguments) {
  return prepare(arguments, Fraction::from(arguments.number(1, "fraction")), 2);
}

Call* prepare_median(const Arguments& arguments) { return prepare(arguments, {Fraction::kPerUnit / 2}, 1); }

template <End end>
Call* prepare_end(const Arguments& arguments) {
  auto* const call = make_call<EndCall>();
  call->end = end;
  fill(call, arguments, 1);
  return call;
}

Datum add(FunctionCallInfo fcinfo) {
  const auto& call = call_of<GridCall>(fcinfo);
  return add_to_bucket(fcinfo, call,
                       [&](Datum value) { return std::optional<int>(call.grid.point(call.reader.steps(value))); });
}

}  // namespace

// The same code under several names, so that each has its own list of parameters.
DP_SQL_FUNCTION(dp_quantile_add) { return add(fcinfo); }
DP_SQL_FUNCTION(dp_median_add) { return add(fcinfo); }
DP_SQL_FUNCTION(dp_quantiles_add) { return add(fcinfo); }
DP_SQL_FUNCTION(dp_min_add) { return add(fcinfo); }
DP_SQL_FUNCTION(dp_max_add) { return add(fcinfo); }

DP_SQL_FUNCTION(dp_quantile_answer) {
  const auto& call = answering_call<QuantileCall>(fcinfo);
  const auto utilities = quantile_utilities(final_counts(fcinfo, call), call.fraction);
  const auto rate = quantile_rate(call.epsilon, call.fraction, call.changes.l1);
  const auto chosen = static_cast<std::int64_t>(mechanism::choose(call.mechanism, utilities, rate, pg::random_bits()));
  PG_RETURN_FLOAT8(call.value(chosen));
}

DP_SQL_FUNCTION(dp_end_answer) {
  const auto& call = answering_call<EndCall>(fcinfo);
  const auto rank = end_rank(call.epsilon, static_cast<std::size_t>(call.size), call.changes.l1);
  const auto utilities = end_utilities(final_counts(fcinfo, call), call.end, rank);
  const auto rate = end_rate(call.epsilon, call.changes.l1);
  const auto chosen = static_cast<std::int64_t>(mechanism::choose(call.mechanism, utilities, rate, pg::random_bits()));
  PG_RETURN_FLOAT8(call.value(chosen));
}

// In the order of the fractions that were given.
DP_SQL_FUNCTION(dp_quantiles_answer) {
  const auto& call = answering_call<QuantilesCall>(fcinfo);
  const std::span<const Fraction> fractions(call.fractions, static_cast<std::size_t>(call.different));
  const auto points = quantile_points(final_counts(fcinfo, call), fractions, call.epsilon, call.changes.l1,
                                      [&call](std::span<const noise::Utility> utilities, const noise::Ratio& rate) {
                                        return mechanism::choose(call.mechanism, utilities, rate, pg::random_bits());
                                      });
  return pg::call([&] {
    auto* const values = static_cast<Datum*>(palloc(static_cast<Size>(call.given) * sizeof(Datum)));
    for (int i = 0; i < call.given; ++i)
      values[i] = Float8GetDatum(call.value(points[static_cast<std::size_t>(call.places[i])]));
    return PointerGetDatum(
        construct_array(values, call.given, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
  });
}

const Support kQuantile{dp_quantile_add, dp_quantile_answer, prepare_quantile, Release::choice, Tag::sample};
const Support kQuantiles{dp_quantiles_add, dp_quantiles_answer, prepare_quantiles, Release::choice, Tag::sample};
const Support kMedian{dp_median_add, dp_quantile_answer, prepare_median, Release::choice, Tag::sample};
const Support kMin{dp_min_add, dp_end_answer, prepare_end<End::least>, Release::choice, Tag::sample};
const Support kMax{dp_max_add, dp_end_answer, prepare_end<End::greatest>, Release::choice, Tag::sample};

}  // namespace dp::aggregate
