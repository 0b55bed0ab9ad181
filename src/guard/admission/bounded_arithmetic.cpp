#include "guard/admission/bounded_arithmetic.h"

#include "guard/admission/number_ranges.h"
#include "guard/admission/numeric_digits.h"

namespace dp::guard {

bool cannot_overflow(Oid function, List* arguments) {
  return stays_in_type(function, arguments) || has_few_digits(function, arguments);
}

}  // namespace dp::guard
