#include "aggregate/call/vector_datum.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "aggregate/call/answer_datum.h"
#include "aggregate/call/cumulative_datum.h"
#include "aggregate/call/numeric_grid.h"
#include "aggregate/call/pair_datum.h"
#include "core/accumulate/half_width.h"
#include "core/accumulate/interval.h"
#include "core/accumulate/vector.h"
#include "pg/types_by_name.h"

namespace dp::aggregate {
namespace {

constexpr int kMostParts = 8;

// A vector, and one of its parts after the other with its error.
class Parts {
 public:
  Parts(const Form& form, noise::Int128View noisy, const VectorErrors& errors)
      : form_(form), vector_(form, noisy), numbers_(static_cast<int>(noisy.size)), errors_(errors) {}

  void add_all() {
    add(Int64GetDatum(vector_.rows()), error_of_rows(numbers_));
    add(Int64GetDatum(vector_.count()), error_of_rows(is_squared() ? 3 : 2));
    add(sum(), error_of_sum());
    const MeanPair pair = vector_.pair();
    const Int128 numbers[] = {pair.above, pair.below};
    add_part(Form::Kind::mean, {numbers, std::size(numbers)}, errors_.sums);
    if (!is_squared()) return;
    if (errors_.is_known) parts_[count_ - 1].error = error_of_mean(pair);
    using Kind = Form::Kind;
    for (const Kind kind : {Kind::variance, Kind::stddev, Kind::population_variance, Kind::population_stddev})
      add_part(kind, {vector_.noisy().values, 3}, errors_.spread);
  }

  Datum value(Part part) const { return of(part).value; }

  std::optional<double> error(Part part) const {
    if (!errors_.is_known || part == Part::whole || part == Part::totals) return std::nullopt;
    return std::fmin(of(part).error, std::numeric_limits<double>::max());
  }

  // As many as that type has.
  Datum row(Oid type) const {
    Datum values[2 * kMostParts];
    bool nulls[2 * kMostParts] = {};
    TupleDesc const shape = lookup_rowtype_tupdesc(type, -1);
    const int count = Min(shape->natts / 2, count_);
    for (int i = 0; i < count; ++i) {
      values[i] = parts_[i].value;
      values[count + i] = Float8GetDatum(std::fmin(parts_[i].error, std::numeric_limits<double>::max()));
      nulls[count + i] = !errors_.is_known;
    }
    HeapTuple const tuple = heap_form_tuple(shape, values, nulls);
    ReleaseTupleDesc(shape);
    return HeapTupleGetDatum(tuple);
  }

 private:
  struct Said {
    Datum value;
    double error;
  };

  const Said& of(Part part) const { return parts_[static_cast<int>(part) - 1]; }

  bool is_squared() const { return vector_.is_squared(); }

  // Of the sum of so many numbers, read as rows: whole ones, so that less than half a row is nothing.
  double error_of_rows(int numbers) const {
    if (!errors_.is_known) return 0;
    const double steps = numbers > 3 ? errors_.of_four : errors_.sums->mean.width(1, 1, numbers == 3 ? 1 : 0);
    return std::floor(steps / static_cast<double>(vector_.row()) + 0.5);
  }

  // Of squares.
  double error_of_mean(const MeanPair& pair) const {
    const Interval at = mean_interval_of_moments(
        MomentTriple{vector_.noisy()[0], vector_.noisy()[1], vector_.noisy()[2]}, *errors_.sums);
    const double position = mean_position(pair);
    return std::fmax(at.upper - position, position - at.lower) *
           std::ldexp(static_cast<double>(form_.range), form_.exponent);
  }

  void add(Datum value, double error) { parts_[count_++] = {value, error}; }

  // The part that some of the numbers say by themselves.
  void add_part(Form::Kind kind, noise::Int128View noisy, QuotientNoise* noise) {
    Form form = form_;
    form.kind = kind;
    add(answer_of(form, noisy, nullptr), errors_.is_known ? error_of(form, noisy, Margin{0, noise}) : 0);
  }

  int decimals() const { return decimals_of_steps(form_.exponent); }

  // number * factor / divisor, with a few digits more than the sum shows.
  Datum quotient(Int128 number, Numeric factor, Uint128 divisor) const {
    const Datum product =
        DirectFunctionCall2(numeric_mul, NumericGetDatum(to_numeric(number)), NumericGetDatum(factor));
    const Datum digits = DirectFunctionCall2(numeric_round, product, Int32GetDatum(decimals() + 4));
    return DirectFunctionCall2(numeric_div, digits, NumericGetDatum(to_numeric(static_cast<Int128>(divisor))));
  }

  Datum sum() const {
    const Datum below = quotient(vector_.of_values(), numeric_from_double(form_.lower), vector_.row());
    const Datum above = quotient(vector_.above(), numeric_power_of_two(form_.exponent), vector_.step());
    const Datum sum = DirectFunctionCall2(numeric_add, below, above);
    return DirectFunctionCall2(numeric_round, sum, Int32GetDatum(decimals()));
  }

  // What one in each number, in its direction, adds to the sum.
  double error_of_sum() const {
    const double of_row = form_.lower / static_cast<double>(vector_.row());
    const double of_step = std::ldexp(1.0, form_.exponent) / static_cast<double>(vector_.step());
    if (!errors_.is_known) return 0;
    const double error = errors_.sums->mean.width(std::fabs(of_row), std::fabs(of_row + of_step),
                                                  is_squared() ? std::fabs(of_row + 2 * of_step) : 0);
    return decimals() == 0 ? std::floor(error + 0.5) : error;
  }

  const Form& form_;
  NoisyVector vector_;
  int numbers_;
  const VectorErrors& errors_;
  Said parts_[kMostParts];
  int count_ = 0;
};

// A numeric, as a sum of that type: the ends of its range for what lies beyond.
Datum sum_as(Datum number, Oid type) {
  if (type == NUMERICOID) return number;
  if (type == FLOAT8OID) return DirectFunctionCall1(numeric_float8_no_overflow, number);
  const auto whole = [](int64 end) { return NumericGetDatum(int64_to_numeric(end)); };
  const Datum low = DirectFunctionCall2(numeric_larger, number, whole(PG_INT64_MIN));
  return DirectFunctionCall1(numeric_int8, DirectFunctionCall2(numeric_smaller, low, whole(PG_INT64_MAX)));
}

}  // namespace

const char* vector_name(Form::Kind kind) {
  switch (kind) {
    case Form::Kind::totals:
      return "totals";
    case Form::Kind::covariance:
      return "covariance";
    case Form::Kind::regression:
      return "regression";
    default:
      return "moments";
  }
}

Oid vector_type(Form::Kind kind) {
  switch (kind) {
    case Form::Kind::totals:
      return pg::own_type("dp_totals");
    case Form::Kind::covariance:
      return pg::own_type("dp_covariance");
    case Form::Kind::regression:
      return pg::own_type("dp_regression");
    default:
      return pg::own_type("dp_moments");
  }
}

Part part_of_vector_column(Form::Kind kind, int column) {
  if (is_of_pairs(kind)) return part_of_pair_column(kind, column);
  return column <= kMostParts ? static_cast<Part>(column) : Part::whole;
}

const VectorErrors* errors_of_vector(const Form& form, const mechanism::Law& law, int summed, double confidence) {
  if (!is_cumulative(form.kind)) return is_vector(form.kind) ? errors_of_parts(form, law, summed, confidence) : nullptr;
  auto* const errors = static_cast<VectorErrors*>(palloc0(sizeof(VectorErrors)));
  errors->is_known = true;
  errors->of_each = noise_of_numbers(form, law, summed);
  errors->confidence = confidence;
  return errors;
}

const VectorErrors* errors_of_parts(const Form& form, const mechanism::Law& law, int summed, double confidence) {
  auto* const errors = static_cast<VectorErrors*>(palloc0(sizeof(VectorErrors)));
  errors->is_known = has_half_width(law);
  if (!errors->is_known) return errors;
  if (is_of_pairs(form.kind)) {
    errors->pairs = new (palloc(sizeof(PairNoise))) PairNoise(law, summed, confidence);
    return errors;
  }
  const auto noise = [&](int numbers) {
    return new (palloc(sizeof(QuotientNoise))) QuotientNoise(law, summed, numbers, confidence);
  };
  errors->sums = noise(2);
  if (!has_squares(form.kind)) return errors;
  errors->spread = noise(3);
  if (!is_vector(form.kind)) return errors;
  constexpr int kNumbers = 4;
  errors->of_four = kNumbers * static_cast<double>(half_width_of_sums(law, summed, kNumbers, confidence));
  if (std::holds_alternative<noise::DiscreteLaplace>(law) || std::holds_alternative<noise::GaussianLevel>(law))
    errors->of_four =
        std::min(errors->of_four, static_cast<double>(half_width_of_sums(law, kNumbers * summed, 1, confidence)));
  return errors;
}

std::optional<double> error_of_part(const Form& form, noise::Int128View noisy, const VectorErrors& errors, Part part) {
  if (is_cumulative(form.kind)) return cumulative_error(form, errors.of_each, errors.confidence);
  if (is_of_pairs(form.kind))
    return error_of_pair_part(form, noisy, errors.pairs, part == Part::whole ? form.part : part);
  Parts parts(form, noisy, errors);
  parts.add_all();
  return parts.error(part);
}

Datum vector_answer(const Form& form, noise::Int128View noisy, const VectorErrors& errors) {
  if (is_of_pairs(form.kind)) return pair_row_answer(form, noisy, errors.pairs, vector_type(form.kind));
  Parts parts(form, noisy, errors);
  parts.add_all();
  return parts.row(vector_type(form.kind));
}

Datum part_of_answer(const Form& form, noise::Int128View noisy, const VectorErrors& errors, Part part, Oid type) {
  if (is_of_pairs(form.kind))
    return part == Part::covariances ? pair_row_answer(form, noisy, errors.pairs, type) : pair_part(form, noisy, part);
  Parts parts(form, noisy, errors);
  parts.add_all();
  if (part == Part::totals) return parts.row(type);
  const Datum value = parts.value(part);
  return part == Part::sum ? sum_as(value, type) : value;
}

}  // namespace dp::aggregate
