// dp_quantile and dp_median: a point of a grid of the bounds (quantile.h), chosen by how evenly it divides the rows.
#include "core/accumulate/quantile.h"

#include "aggregate/call/value_reader.h"
#include "aggregate/kinds/histogram.h"
#include "core/mechanism/candidate_selection.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

struct QuantileCall : HistogramCall {
  Reader reader;
  Fraction fraction;
  QuantileGrid grid;
};

static_assert(QuantileGrid::kMaxCells < static_cast<std::int64_t>(kMaxBuckets));

// A real grid has at most 2^32 steps, and so much is enough for whole numbers.
constexpr int kIntegerBits = 32;

// (value, ..., lower, upper, epsilon [, mechanism])
Call* prepare(const Arguments& arguments, Fraction fraction, int bounds_position) {
  auto* const call = make_call<QuantileCall>();
  call->fraction = fraction;
  call->reader = Reader::make(arguments, Origin::lower, kIntegerBits, bounds_position);
  call->grid = QuantileGrid::make(call->reader.high);
  call->size = static_cast<int>(call->grid.points());
  call->epsilon = arguments.epsilon(bounds_position + 2);
  call->mechanism = arguments.mechanism(bounds_position + 3);
  mechanism::require_choice(call->mechanism);
  call->changes = mechanism::Changes::one(1);
  call->lattice = call->reader.lattice();
  call->answer_type = FLOAT8OID;
  return call;
}

Call* prepare_quantile(const Arguments& arguments) {
  return prepare(arguments, Fraction::from(arguments.number(1, "fraction")), 2);
}

Call* prepare_median(const Arguments& arguments) { return prepare(arguments, {Fraction::kPerUnit / 2}, 1); }

Datum add(FunctionCallInfo fcinfo) {
  const auto& call = call_of<QuantileCall>(fcinfo);
  return add_to_bucket(fcinfo, call,
                       [&](Datum value) { return std::optional<int>(call.grid.point(call.reader.steps(value))); });
}

}  // namespace

// The same code under two names, so that each has its own list of parameters.
DP_SQL_FUNCTION(dp_quantile_add) { return add(fcinfo); }
DP_SQL_FUNCTION(dp_median_add) { return add(fcinfo); }

DP_SQL_FUNCTION(dp_quantile_answer) {
  const auto& call = answering_call<QuantileCall>(fcinfo);
  const auto utilities = quantile_utilities(final_counts(fcinfo, call), call.fraction);
  const auto rate = quantile_rate(call.epsilon, call.fraction, call.changes.l1);
  const auto chosen = static_cast<std::int64_t>(mechanism::choose(call.mechanism, utilities, rate, pg::random_bits()));
  const Reader& reader = call.reader;
  if (!reader.reads_integers()) PG_RETURN_FLOAT8(call.grid.value(chosen, reader.bounds.lower, reader.bounds.upper));
  PG_RETURN_FLOAT8(
      call.grid.value(chosen, static_cast<double>(reader.integer.low), static_cast<double>(reader.integer.high)));
}

const Support kQuantile{dp_quantile_add, dp_quantile_answer, prepare_quantile, Release::choice, Tag::sample};
const Support kMedian{dp_median_add, dp_quantile_answer, prepare_median, Release::choice, Tag::sample};

}  // namespace dp::aggregate
