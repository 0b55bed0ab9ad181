// dp_quantile and dp_median: a point between the bounds (quantile.h), chosen by how evenly it divides the rows;
// dp_quantiles, several of them (quantiles_together.h, or quantiles.h where they are very many); dp_min and dp_max, a
// point near the end of the rows (ends.h).
//
// Rows are counted at each point where points are few: whole numbers between near bounds, and a grid of the bounds for
// ends and for permute_and_flip. Else the points of the rows are kept, and one is chosen over the gaps between them
// (gaps.h), by the exponential mechanism, which needs no bounds either (open_grid.h).
#include "aggregate/kinds/quantile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "aggregate/call/kept_points.h"
#include "aggregate/call/value_reader.h"
#include "aggregate/kinds/histogram.h"
#include "core/accumulate/ends.h"
#include "core/accumulate/gaps.h"
#include "core/accumulate/open_grid.h"
#include "core/accumulate/quantiles.h"
#include "core/accumulate/quantiles_together.h"
#include "core/accumulate/short_decimal.h"
#include "core/mechanism/candidate_selection.h"
#include "core/mechanism/catalogue.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

struct GridCall : HistogramCall {
  Reader reader;
  QuantileGrid grid;   // where there are bounds
  OpenGrid open_grid;  // where one is missing

  std::int64_t point(Datum value) const {
    const std::int64_t steps = reader.steps(value);
    return reader.open ? open_grid.point(steps) : grid.point(steps);
  }

  // What is shown of a point. Of one whose rows are kept, which stands for all numbers up to the middle to the next
  // ones, that is the shortest decimal.
  float8 value(std::int64_t point) const {
    const Bounds bounds = shown_bounds();
    const double exact = reader.open ? std::ldexp(open_grid.step(point), reader.exponent)
                                     : grid.value(point, bounds.lower, bounds.upper);
    if (!reader.open && (points == 0 || reader.reads_integers())) return exact;
    if (points == 0 || reader.reads_integers()) return std::clamp(exact, bounds.lower, bounds.upper);
    constexpr double kWithin = 0.49;
    const double apart =
        reader.open ? open_grid.apart(exact) : (bounds.upper - bounds.lower) / static_cast<double>(grid.cells);
    return std::clamp(shortest_decimal(exact, kWithin * apart), bounds.lower, bounds.upper);
  }

 private:
  Bounds shown_bounds() const {
    if (!reader.reads_integers()) return reader.bounds;
    const auto low = static_cast<double>(reader.integer.low), high = static_cast<double>(reader.integer.high);
    // The end of bigint is no double; the last points of those without bounds are rounded beyond it.
    return {low, reader.open && high >= 0x1p63 ? std::nextafter(high, 0) : high};
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

// The digits of points without bounds: relative steps of 2^-25, and of 2^-7 where each point is counted.
constexpr int kFineDigits = 24, kCountedDigits = 6;

// Points of ends are fewer, as their number is part of the rank that is looked for.
enum class Counted { if_few, unless_whole };

constexpr std::int64_t kMostWhole = 100'000;

// (value, ..., lower, upper, epsilon [, mechanism])
void fill(GridCall* call, const Arguments& arguments, int bounds_position, Counted counted) {
  const bool open =
      is_open({arguments.number(bounds_position, "lower bound"), arguments.number(bounds_position + 1, "upper bound")});
  call->reader = Reader::make(arguments, open ? Origin::zero : Origin::lower, kIntegerBits, bounds_position);
  call->epsilon = arguments.epsilon(bounds_position + 2);
  call->mechanism = arguments.mechanism(bounds_position + 3);
  mechanism::require_choice(call->mechanism);
  const bool whole = !open && call->reader.reads_integers() && call->reader.high <= kMostWhole;
  const bool fine = (counted == Counted::if_few || whole) && call->mechanism.family != &mechanism::kPermuteAndFlip;
  if (open) {
    call->open_grid = OpenGrid::make(fine ? kFineDigits : kCountedDigits, call->reader.low, call->reader.high);
  } else {
    call->grid = fine ? QuantileGrid::make_fine(call->reader.high) : QuantileGrid::make(call->reader.high);
  }
  const std::int64_t points = open ? call->open_grid.points() : call->grid.points();
  if (fine && points > QuantileGrid::kMaxCells + 1) {
    call->points = static_cast<std::uint64_t>(points);
    call->mechanism = {&mechanism::kExponential};
  } else {
    call->size = static_cast<int>(points);
  }
  call->changes = mechanism::Changes::one(1);
  call->lattice = call->reader.lattice();
  call->answer_type = FLOAT8OID;
}

Call* prepare(const Arguments& arguments, Fraction fraction, int bounds_position) {
  auto* const call = make_call<QuantileCall>();
  call->fraction = fraction;
  fill(call, arguments, bounds_position, Counted::if_few);
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
  fill(call, arguments, 2, Counted::if_few);
  const auto different = static_cast<std::size_t>(call->different);
  if (different > 1 && different <= kMostTogether && call->mechanism.family != &mechanism::kPermuteAndFlip) {
    TogetherEpsilon::of(call->epsilon);  // before it is charged
    call->choices = kTogether;
  } else {
    epsilon_of_round(call->epsilon, different);
    call->choices = rounds_of_quantiles(different);
  }
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
  fill(call, arguments, 1, Counted::unless_whole);
  return call;
}

Datum add(FunctionCallInfo fcinfo) {
  const auto& call = call_of<GridCall>(fcinfo);
  if (call.points == 0)
    return add_to_bucket(fcinfo, call, [&](Datum value) { return std::optional<int>(call.point(value)); });
  if (PG_ARGISNULL(1)) return same_state(fcinfo);
  return keep_point_of_row(fcinfo, call, call.point(PG_GETARG_DATUM(1)));
}

// From the end, near which the answer is looked for.
noise::Utility rank_of(const EndCall& call) {
  const std::size_t points = call.points > 0 ? call.points : static_cast<std::size_t>(call.size);
  return end_rank(call.epsilon, points, call.changes.l1);
}

// Rows of which the number at each point is known.
class CountedPoints final : public SortedPoints {
 public:
  explicit CountedPoints(std::span<const std::uint64_t> counts) : through_(counts.begin(), counts.end()) {
    std::partial_sum(through_.begin(), through_.end(), through_.begin());
  }
  std::uint64_t size() const override { return through_.back(); }
  std::uint32_t at(std::uint64_t row) const override {
    return static_cast<std::uint32_t>(std::upper_bound(through_.begin(), through_.end(), row) - through_.begin());
  }

 private:
  std::vector<std::uint64_t> through_;
};

std::vector<std::int64_t> together(FunctionCallInfo fcinfo, const GridCall& call, std::span<const Fraction> fractions) {
  const auto of = [&](const SortedPoints& rows, std::int64_t points) {
    return quantiles_together(rows, points - 1, fractions, call.epsilon, call.changes.l1, pg::random_bits());
  };
  if (call.points > 0) return of(final_points(fcinfo), static_cast<std::int64_t>(call.points));
  return of(CountedPoints(final_counts(fcinfo, call)), call.size);
}

// The points of these fractions, which ascend.
std::vector<std::int64_t> chosen_points(FunctionCallInfo fcinfo, const GridCall& call,
                                        std::span<const Fraction> fractions) {
  if (call.choices == kTogether) return together(fcinfo, call, fractions);
  if (call.points > 0)
    return quantiles_in_gaps(final_points(fcinfo), static_cast<std::int64_t>(call.points) - 1, fractions, call.epsilon,
                             call.changes.l1, pg::random_bits());
  return quantile_points(final_counts(fcinfo, call), fractions, call.epsilon, call.changes.l1,
                         [&call](std::span<const noise::Utility> utilities, const noise::Ratio& rate) {
                           return mechanism::choose(call.mechanism, utilities, rate, pg::random_bits());
                         });
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
  PG_RETURN_FLOAT8(call.value(chosen_points(fcinfo, call, {&call.fraction, 1})[0]));
}

DP_SQL_FUNCTION(dp_end_answer) {
  const auto& call = answering_call<EndCall>(fcinfo);
  const auto rank = rank_of(call);
  if (call.points > 0) {
    const SortedPoints& rows = final_points(fcinfo);
    const Stretch whole{0, rows.size(), 0, static_cast<std::int64_t>(call.points) - 1};
    const noise::Utility from_below = call.end == End::least ? rank : static_cast<noise::Utility>(rows.size()) - rank;
    const auto rate = end_rate(call.epsilon, call.changes.l1);
    PG_RETURN_FLOAT8(call.value(choose_by_rank(rows, whole, from_below, 1, 1, rate, pg::random_bits()).point));
  }
  const auto utilities = end_utilities(final_counts(fcinfo, call), call.end, rank);
  const auto rate = end_rate(call.epsilon, call.changes.l1);
  const auto chosen = static_cast<std::int64_t>(mechanism::choose(call.mechanism, utilities, rate, pg::random_bits()));
  PG_RETURN_FLOAT8(call.value(chosen));
}

// In the order of the fractions that were given.
DP_SQL_FUNCTION(dp_quantiles_answer) {
  const auto& call = answering_call<QuantilesCall>(fcinfo);
  const std::span<const Fraction> fractions(call.fractions, static_cast<std::size_t>(call.different));
  const auto points = chosen_points(fcinfo, call, fractions);
  return pg::call([&] {
    auto* const values = static_cast<Datum*>(palloc(static_cast<Size>(call.given) * sizeof(Datum)));
    for (int i = 0; i < call.given; ++i)
      values[i] = Float8GetDatum(call.value(points[static_cast<std::size_t>(call.places[i])]));
    return PointerGetDatum(
        construct_array(values, call.given, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
  });
}

std::optional<ExpectedRanks> expected_ranks(const Call& call) {
  const double rows = static_cast<double>(call.changes.l1) / call.epsilon.value();
  if (call.support == &kQuantile || call.support == &kMedian)
    return ExpectedRanks{static_cast<const QuantileCall&>(call).fraction.range() * rows / Fraction::kPerUnit, false};
  if (call.support == &kQuantiles) {
    const auto& several = static_cast<const QuantilesCall&>(call);
    if (several.different == 1) return ExpectedRanks{several.fractions[0].range() * rows / Fraction::kPerUnit, false};
    const auto at_once = static_cast<double>(call.changes.l1);
    const std::span<const Fraction> fractions(several.fractions, static_cast<std::size_t>(several.different));
    if (call.choices == kTogether) return ExpectedRanks{ranks_off_together(fractions, call.epsilon, at_once), false};
    return ExpectedRanks{1.5 * call.choices * rows, false};
  }
  if (call.support != &kMin && call.support != &kMax) return std::nullopt;
  return ExpectedRanks{static_cast<double>(rank_of(static_cast<const EndCall&>(call))), true};
}

const Support kQuantile{dp_quantile_add, dp_quantile_answer, prepare_quantile, Release::choice, Tag::sample};
const Support kQuantiles{dp_quantiles_add, dp_quantiles_answer, prepare_quantiles, Release::choice, Tag::sample};
const Support kMedian{dp_median_add, dp_quantile_answer, prepare_median, Release::choice, Tag::sample};
const Support kMin{dp_min_add, dp_end_answer, prepare_end<End::least>, Release::choice, Tag::sample};
const Support kMax{dp_max_add, dp_end_answer, prepare_end<End::greatest>, Release::choice, Tag::sample};

}  // namespace dp::aggregate
