#include "guard/admission/bounded_arithmetic.h"

#include "guard/admission/constants.h"
#include "guard/admission/values.h"

namespace dp::guard {
namespace {

// Integers are cast where they stand beside a numeric.
bool is_integer_but_zero(const CalledFunction& cast) {
  if (cast.function != F_NUMERIC_INT2 && cast.function != F_NUMERIC_INT4 && cast.function != F_NUMERIC_INT8)
    return false;
  const Const* const value = constant(cast.arguments, 0);
  return value != nullptr && !value->constisnull && integer(value, 0) != 0;
}

// numeric(p, s) has at most 2000 digits before the point, of 131072 that there can be.
bool is_far_from_zero(List* arguments, int place) {
  const Const* const divisor = constant(arguments, place);
  if (divisor == nullptr) return is_integer_but_zero(called_by(static_cast<Node*>(list_nth(arguments, place))));
  if (divisor->constisnull || divisor->consttype != NUMERICOID) return false;
  Numeric const value = DatumGetNumeric(divisor->constvalue);
  if (numeric_is_nan(value) || numeric_is_inf(value)) return false;
  const Datum size = DirectFunctionCall1(numeric_abs, NumericGetDatum(value));
  return DatumGetBool(DirectFunctionCall2(numeric_ge, size, NumericGetDatum(int64_div_fast_to_numeric(1, 3))));
}

bool has_precision(List* arguments) {
  return exprTypmod(static_cast<Node*>(linitial(arguments))) >= static_cast<int32>(VARHDRSZ);
}

}  // namespace

bool cannot_overflow(Oid function, List* arguments) {
  return function == F_NUMERIC_DIV && has_precision(arguments) && is_far_from_zero(arguments, 1);
}

}  // namespace dp::guard
