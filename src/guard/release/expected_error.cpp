#include "guard/release/expected_error.h"

#include <algorithm>
#include <cmath>

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
      kind == Kind::population_stddev) {
    return nullptr;
  }
  const double steps = mechanism::loss(answered.law).expected_abs;
  const char* const error =
      three_digits(std::ldexp(steps, answered.form.exponent - static_cast<int>(answered.form.refinement)));
  return kind == Kind::mean ? psprintf("%s / rows", error) : error;
}

}  // namespace dp::guard
