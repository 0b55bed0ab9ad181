#include "guard/release/expected_error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/accumulate/vector.h"
#include "core/mechanism/loss.h"

namespace dp::guard {
namespace {

using Kind = aggregate::Form::Kind;

// Three digits, and all before the point.
const char* three_digits(double number) {
  if (!(number > 0)) return "0";
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(number))), 0, 15);
  return psprintf("%.*f", decimals, number);
}

}  // namespace

const char* expected_error(const AnsweredAs& answered) {
  const Kind kind = answered.form.kind;
  if (kind == Kind::bounds || kind == Kind::variance || kind == Kind::stddev || kind == Kind::population_variance ||
      kind == Kind::population_stddev || aggregate::is_vector(kind)) {
    return nullptr;
  }
  const mechanism::Loss loss = mechanism::loss(answered.law);
  // The mean of |x| of a normal law: that of a sum is a little below, by 6 % for two numbers.
  const double steps =
      answered.summed == 1 ? loss.expected_abs : std::sqrt(answered.summed * loss.expected_sq * 2 / std::numbers::pi);
  const char* const error =
      three_digits(std::ldexp(steps, answered.form.exponent - static_cast<int>(answered.form.refinement)));
  return kind == Kind::mean ? psprintf("%s / rows", error) : error;
}

}  // namespace dp::guard
