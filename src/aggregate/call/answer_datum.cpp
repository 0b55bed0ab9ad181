#include "aggregate/call/answer_datum.h"

#include <cmath>
#include <limits>

#include "aggregate/call/cumulative_datum.h"
#include "aggregate/call/numeric_grid.h"
#include "aggregate/call/pair_datum.h"
#include "aggregate/call/vector_datum.h"
#include "core/accumulate/bounds.h"
#include "core/accumulate/half_width.h"
#include "core/accumulate/noisy_answer.h"
#include "core/accumulate/vector.h"
#include "pg/types_by_name.h"

namespace dp::aggregate {
namespace {

// With as many decimals as a step of 2^exponent has.
Datum numeric_answer(Int128 steps, int exponent) {
  if (exponent == 0) return NumericGetDatum(to_numeric(steps));
  const Datum exact = DirectFunctionCall2(numeric_mul, NumericGetDatum(to_numeric(steps)),
                                          NumericGetDatum(numeric_power_of_two(exponent)));
  return DirectFunctionCall2(numeric_round, exact, Int32GetDatum(decimals_of_steps(exponent)));
}

double width(const Form& form) { return std::ldexp(static_cast<double>(form.range), form.exponent); }

bool is_of_population(const Form& form) {
  return form.kind == Form::Kind::population_variance || form.kind == Form::Kind::population_stddev;
}

// How many noisy numbers the answer is a quotient of; 0 where it is none.
int numbers_of_quotient(const Form& form) {
  switch (form.kind) {
    case Form::Kind::mean:
      return 2;
    case Form::Kind::variance:
    case Form::Kind::stddev:
    case Form::Kind::population_variance:
    case Form::Kind::population_stddev:
      return 3;
    default:
      return 0;
  }
}

// The variance as a share of the squared width.
double spread(const Form& form, noise::Int128View noisy) {
  if (is_of_population(form)) return population_position({noisy[0], noisy[1], noisy[2]});
  const double range = static_cast<double>(form.range);
  return variance_position({noisy[0], noisy[1], noisy[2]}, std::ldexp(range * range, form.refinement));
}

// A variance, given as a share of the squared width, in the form of the answer.
double of_spread(const Form& form, double share) {
  // The root is taken before multiplying by the width, because the squared width may overflow a float8.
  if (form.kind == Form::Kind::stddev || form.kind == Form::Kind::population_stddev)
    return std::sqrt(share) * width(form);
  return std::fmin(share * width(form) * width(form), std::numeric_limits<double>::max());
}

Datum array_answer(const Form& form, noise::Int128View noisy) {
  auto* const answers = static_cast<Datum*>(palloc(noisy.size * sizeof(Datum)));
  for (std::size_t i = 0; i < noisy.size; ++i) answers[i] = Int64GetDatum(to_int64(noisy[i], form.refinement));
  const auto all = static_cast<int>(noisy.size), row = static_cast<int>(form.range);
  int sizes[] = {row == 0 ? all : all / row, row}, first[] = {1, 1};
  ArrayType* const array = construct_md_array(answers, nullptr, row == 0 ? 1 : 2, sizes, first, INT8OID, sizeof(int64),
                                              FLOAT8PASSBYVAL, TYPALIGN_DOUBLE);
  pfree(answers);
  return PointerGetDatum(array);
}

// {lower, upper}; both are NULL where no bin passes.
Datum bounds_answer(const Form& form, noise::Int128View noisy) {
  const std::optional<Bounds> found = found_bounds(form, noisy);
  const Bounds bounds = found.value_or(Bounds{});
  Datum ends[] = {Float8GetDatum(bounds.lower), Float8GetDatum(bounds.upper)};
  bool nulls[] = {!found, !found};
  int size = std::size(ends), first = 1;
  return PointerGetDatum(
      construct_md_array(ends, nulls, 1, &size, &first, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

// The answer where all noise has been the same.
Datum shifted(const Form& form, noise::Int128View noisy, Int128 by) {
  auto* const moved = static_cast<Int128*>(palloc(noisy.size * sizeof(Int128)));
  for (std::size_t i = 0; i < noisy.size; ++i) {
    if (__builtin_add_overflow(noisy[i], by, &moved[i])) moved[i] = by > 0 ? noise::kInt128Max : -noise::kInt128Max;
  }
  const Datum answer = answer_of(form, {moved, noisy.size}, nullptr);
  pfree(moved);
  return answer;
}

}  // namespace

Oid answer_type(Form::Kind kind) {
  switch (kind) {
    case Form::Kind::bigint:
      return INT8OID;
    case Form::Kind::numeric:
      return NUMERICOID;
    case Form::Kind::bigints:
      return INT8ARRAYOID;
    case Form::Kind::bounds:
      return FLOAT8ARRAYOID;
    case Form::Kind::totals:
    case Form::Kind::all_moments:
    case Form::Kind::covariance:
    case Form::Kind::regression:
      return vector_type(kind);
    case Form::Kind::cumulative:
      return pg::own_type("dp_cumulative");
    default:
      return FLOAT8OID;
  }
}

int decimals_of_steps(int exponent) {
  return exponent < 0 ? static_cast<int>(std::ceil(-exponent * std::log10(2.0))) : 0;
}

Datum answer_of(const Form& form, noise::Int128View noisy, const VectorErrors* errors) {
  switch (form.kind) {
    case Form::Kind::bigint:
      return Int64GetDatum(to_int64(noisy[0], form.refinement));
    case Form::Kind::numeric:
      return numeric_answer(to_whole(noisy[0], form.refinement), form.exponent);
    case Form::Kind::float8:
      return Float8GetDatum(to_double(noisy[0], form.exponent - form.refinement));
    case Form::Kind::mean:
      return Float8GetDatum(form.lower + width(form) * mean_position({noisy[0], noisy[1]}));
    case Form::Kind::variance:
    case Form::Kind::stddev:
    case Form::Kind::population_variance:
    case Form::Kind::population_stddev:
      return Float8GetDatum(of_spread(form, spread(form, noisy)));
    case Form::Kind::bigints:
      return array_answer(form, noisy);
    case Form::Kind::bounds:
      return bounds_answer(form, noisy);
    case Form::Kind::totals:
    case Form::Kind::all_moments:
    case Form::Kind::covariance:
    case Form::Kind::regression:
      return vector_answer(form, noisy, *errors);
    case Form::Kind::cumulative:
      return cumulative_answer(form, noisy, errors->of_each);
    case Form::Kind::of_covariance:
    case Form::Kind::of_regression:
      return pair_part(form, noisy, form.part);
  }
  pg_unreachable();
}

std::optional<Margin> margin_of(const Form& form, const mechanism::Law& law, double confidence, int summed) {
  require_confidence(confidence);
  if (form.kind == Form::Kind::bounds || is_vector(form.kind) || is_cumulative(form.kind) || !has_half_width(law))
    return std::nullopt;
  if (is_of_pairs(form.kind))
    return Margin{0, nullptr, new (palloc(sizeof(PairNoise))) PairNoise(law, summed, confidence)};
  const int numbers = numbers_of_quotient(form);
  if (numbers == 0) return Margin{half_width_of_sums(law, summed, 1, confidence), nullptr};
  return Margin{0, new (palloc(sizeof(QuotientNoise))) QuotientNoise(law, summed, numbers, confidence)};
}

Ends ends_of(const Form& form, noise::Int128View noisy, const Margin& margin) {
  if (margin.pairs != nullptr) {
    const double error = error_of(form, noisy, margin);
    const Datum answer = pair_part(form, noisy, form.part);
    if (pair_part_type(form.part) == INT8OID) {
      const auto count = static_cast<double>(DatumGetInt64(answer));
      return Ends{Int64GetDatum(whole_pairs(count - error)), Int64GetDatum(whole_pairs(count + error))};
    }
    constexpr double kLargest = std::numeric_limits<double>::max();
    const double value = DatumGetFloat8(answer);
    return Ends{Float8GetDatum(std::fmax(value - error, -kLargest)),
                Float8GetDatum(std::fmin(value + error, kLargest))};
  }
  switch (numbers_of_quotient(form)) {
    case 2: {
      const Interval at = mean_interval({noisy[0], noisy[1]}, *margin.quotients);
      return Ends{Float8GetDatum(form.lower + width(form) * at.lower),
                  Float8GetDatum(form.lower + width(form) * at.upper)};
    }
    case 3: {
      const double range = static_cast<double>(form.range);
      const MomentTriple triple{noisy[0], noisy[1], noisy[2]};
      const Interval at = is_of_population(form) ? population_interval(triple, *margin.quotients)
                                                 : variance_interval(triple, *margin.quotients,
                                                                     std::ldexp(range * range, form.refinement));
      return Ends{Float8GetDatum(of_spread(form, at.lower)), Float8GetDatum(of_spread(form, at.upper))};
    }
    default:
      return Ends{shifted(form, noisy, -margin.steps), shifted(form, noisy, margin.steps)};
  }
}

double error_of(const Form& form, noise::Int128View noisy, const Margin& margin) {
  if (margin.pairs != nullptr) return *error_of_pair_part(form, noisy, margin.pairs, form.part);
  switch (form.kind) {
    // Whole steps: what is off by less than half a step is not off.
    case Form::Kind::bigint:
    case Form::Kind::bigints:
      return to_double(to_whole(margin.steps, form.refinement), 0);
    case Form::Kind::numeric:
      return to_double(to_whole(margin.steps, form.refinement), form.exponent);
    case Form::Kind::float8:
      return to_double(margin.steps, form.exponent - form.refinement);
    default: {
      const Ends ends = ends_of(form, noisy, margin);
      const double answer = DatumGetFloat8(answer_of(form, noisy, nullptr));
      return std::fmax(DatumGetFloat8(ends.upper) - answer, answer - DatumGetFloat8(ends.lower));
    }
  }
}

}  // namespace dp::aggregate
