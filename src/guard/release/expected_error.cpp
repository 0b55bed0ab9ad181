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

const char* expected_error(const aggregate::Call& call) {
  const Kind kind = call.form.kind;
  if (call.coordinates == 0 || kind == Kind::bounds || kind == Kind::variance || kind == Kind::stddev ||
      kind == Kind::population_variance || kind == Kind::population_stddev) {
    return nullptr;
  }
  const double steps = mechanism::loss(call.calibration.law).expected_abs;
  const char* const error =
      three_digits(std::ldexp(steps, call.form.exponent - static_cast<int>(call.calibration.refinement)));
  return kind == Kind::mean ? psprintf("%s / rows", error) : error;
}

}  // namespace dp::guard
