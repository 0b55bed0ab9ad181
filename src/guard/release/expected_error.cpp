#include "guard/release/expected_error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aggregate/call/cumulative_datum.h"
#include "aggregate/kinds/quantile.h"
#include "core/accumulate/pairs.h"
#include "core/accumulate/prefix_sums.h"
#include "core/accumulate/vector.h"
#include "core/mechanism/loss.h"

namespace dp::guard {
namespace {

using Kind = aggregate::Form::Kind;
using aggregate::Part;

// Three digits, and all before the point.
const char* three_digits(double number) {
  if (!(number > 0)) return "0";
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(number))), 0, 15);
  return psprintf("%.*f", decimals, number);
}

// Of what a vector says, each a sum of some of its numbers (core/accumulate/vector.h); nullptr where it depends on the
// data. Of the average the most that it is, as of dp_avg.
const char* of_part(const aggregate::Form& form, double deviation, Part part) {
  const double mean_of_normal = std::sqrt(2 / std::numbers::pi), range = static_cast<double>(form.range);
  const bool squares = aggregate::has_squares(form.kind);
  const double row = std::ldexp(squares ? range * range : range, form.refinement);
  const double of_row = form.lower / row;
  const double of_step = std::ldexp(squares ? 0.5 / range : 1, form.exponent - static_cast<int>(form.refinement));
  const double error = deviation * mean_of_normal;
  switch (part) {
    case Part::rows:
      return three_digits(error * std::sqrt(squares ? 4 : 3) / row);
    case Part::count:
      return three_digits(error * std::sqrt(squares ? 3 : 2) / row);
    case Part::sum:
      return three_digits(error * std::hypot(of_row, of_row + of_step, squares ? of_row + 2 * of_step : 0));
    case Part::avg:
      return psprintf("%s / rows", three_digits(error * of_step * (squares ? std::sqrt(5) : 1)));
    case Part::whole:
    case Part::totals:
      return psprintf("rows %s, sum %s, avg %s", of_part(form, deviation, Part::rows),
                      of_part(form, deviation, Part::sum), of_part(form, deviation, Part::avg));
    default:
      return nullptr;
  }
}

// The same of pairs.
const char* of_pairs(const aggregate::Form& form, double deviation, Part part) {
  if (part == Part::whole) part = form.part;
  const double error = deviation * std::sqrt(2 / std::numbers::pi) / aggregate::pair_row(form);
  const int numbers = aggregate::has_squares_of_pairs(form.kind) ? 9 : 4;
  const char* const pairs = three_digits(error * std::sqrt(numbers));
  switch (part) {
    case Part::rows:
      return three_digits(error * std::sqrt(numbers + 1));
    case Part::pairs:
      return pairs;
    case Part::whole:
    case Part::covariances:
      return psprintf("rows %s, count %s", of_pairs(form, deviation, Part::rows), pairs);
    default:
      return nullptr;
  }
}

}  // namespace

const char* expected_ranks(const aggregate::Call& call) {
  const auto expected = aggregate::expected_ranks(call);
  if (!expected) return nullptr;
  return psprintf("%s ranks%s", three_digits(expected->ranks), expected->from_end ? " from the end" : "");
}

const char* expected_error(const AnsweredAs& answered) {
  const Kind kind = answered.form.kind;
  const mechanism::Loss loss = mechanism::loss(answered.law);
  if (aggregate::is_of_pairs(kind))
    return of_pairs(answered.form, std::sqrt(answered.summed * loss.expected_sq), answered.part);
  if (aggregate::is_vector(kind) || answered.part != Part::whole)
    return of_part(answered.form, std::sqrt(answered.summed * loss.expected_sq), answered.part);
  if (kind == Kind::cumulative) {
    const double noise = aggregate::noise_of_numbers(answered.form, answered.law, answered.summed);
    const aggregate::PrefixVariances variances(aggregate::sums_of_form(answered.form));
    return three_digits(noise * std::sqrt(variances.mean() * 2 / std::numbers::pi));
  }
  if (kind == Kind::bounds || kind == Kind::variance || kind == Kind::stddev || kind == Kind::population_variance ||
      kind == Kind::population_stddev) {
    return nullptr;
  }
  // The mean of |x| of a normal law: that of a sum is a little below, by 6 % for two numbers.
  const double steps =
      answered.summed == 1 ? loss.expected_abs : std::sqrt(answered.summed * loss.expected_sq * 2 / std::numbers::pi);
  const char* const error =
      three_digits(std::ldexp(steps, answered.form.exponent - static_cast<int>(answered.form.refinement)));
  return kind == Kind::mean ? psprintf("%s / rows", error) : error;
}

}  // namespace dp::guard
