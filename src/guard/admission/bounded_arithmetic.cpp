#include "guard/admission/bounded_arithmetic.h"

#include "guard/facts/digits.h"
#include "guard/facts/number_values.h"
#include "guard/facts/proven_numbers.h"
#include "guard/functions/meaning.h"

namespace dp::guard {
namespace {

// What fails only where it leaves its type, or divides by zero.
bool is_arithmetic(Meaning meaning, Oid type) {
  return is_computed_exactly(meaning, type) || (meaning == Meaning::cast && (is_integer(type) || type == NUMERICOID));
}

bool divides_by_zero(Meaning meaning, List* arguments) {
  if (meaning != Meaning::divide && meaning != Meaning::mod) return false;
  const auto divisor = proven_numbers(static_cast<Node*>(lsecond(arguments)));
  return !divisor || (divisor->lower <= 0 && divisor->upper >= 0);
}

bool is_within(const Known<Sound::proven, bounds::Interval>& result, const bounds::Bounds& type) {
  return result && (!type || (type->lower <= result->lower && result->upper <= type->upper));
}

bool stays_in_type(Oid function, List* arguments) {
  const bool is_known = function < FirstNormalObjectId && arguments != NIL;
  const Meaning meaning = is_known ? meaning_of(function) : Meaning::none;
  const Oid type = get_func_rettype(function);
  return is_arithmetic(meaning, type) && !divides_by_zero(meaning, arguments) &&
         is_within(proven_result(function, arguments), numbers_of_type(type));
}

}  // namespace

bool cannot_overflow(Oid function, List* arguments) {
  return stays_in_type(function, arguments) || has_few_digits(function, arguments);
}

}  // namespace dp::guard
