#include "guard/admission/modifier.h"

#include <algorithm>

#include "pg/nodes.h"

namespace dp::guard {
namespace {

// At most `precision - scale` digits before the point and `scale` behind it; NaN is of every precision.
bool is_within(Numeric number, int32 modifier) {
  if (numeric_is_nan(number)) return true;
  if (numeric_is_inf(number)) return false;
  const int precision = (modifier >> 16) & 0xffff;
  const int scale = ((modifier & 0x7ff) ^ 1024) - 1024;
  if (DatumGetInt32(DirectFunctionCall1(numeric_scale, NumericGetDatum(number))) > std::max(scale, 0)) return false;
  const char* const written =
      DatumGetCString(DirectFunctionCall1(numeric_out, DirectFunctionCall1(numeric_abs, NumericGetDatum(number))));
  const auto before = written[0] == '0' ? 0 : static_cast<int>(strcspn(written, "."));
  return before <= std::max(precision - scale, 0);
}

bool are_within_modifier(ArrayType* array, Oid type, int32 modifier) {
  const pg::ArrayElements elements = pg::taken_apart(array);
  for (int i = 0; i < elements.count; ++i) {
    if (!elements.nulls[i] && !is_within_modifier(elements.values[i], type, modifier)) return false;
  }
  return true;
}

}  // namespace

bool is_within_modifier(Datum value, Oid type, int32 modifier) {
  type = getBaseTypeAndTypmod(type, &modifier);
  if (modifier < VARHDRSZ) return true;
  if (type == NUMERICOID) return is_within(DatumGetNumeric(value), modifier - VARHDRSZ);
  if (type == VARCHAROID || type == BPCHAROID) {
    const text* const written = DatumGetTextPP(value);
    return pg_mbstrlen_with_len(VARDATA_ANY(written), static_cast<int>(VARSIZE_ANY_EXHDR(written))) <=
           modifier - VARHDRSZ;
  }
  const Oid element = get_element_type(type);
  return !OidIsValid(element) || are_within_modifier(DatumGetArrayTypeP(value), element, modifier);
}

}  // namespace dp::guard
