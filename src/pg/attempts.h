// Calculations that say whether they failed instead of raising an error.
#pragma once

#include "pg/server.h"

extern "C" {
#if PG_VERSION_NUM >= 190000
#include "nodes/miscnodes.h"
#endif
#include "utils/date.h"
#include "utils/numeric.h"
}

namespace dp::pg {

#if PG_VERSION_NUM >= 190000
// Calls calculation(arguments..., where it says that it failed).
template <class Calculation, class... Arguments>
auto attempt(Calculation calculation, bool* failed, Arguments... arguments) {
  ErrorSaveContext context{};
  context.type = T_ErrorSaveContext;
  const auto result = calculation(arguments..., static_cast<Node*>(static_cast<void*>(&context)));
  *failed = *failed || context.error_occurred;
  return result;
}
inline Numeric add(Numeric a, Numeric b, bool* failed) { return attempt(numeric_add_safe, failed, a, b); }
inline Numeric subtract(Numeric a, Numeric b, bool* failed) { return attempt(numeric_sub_safe, failed, a, b); }
inline Numeric multiply(Numeric a, Numeric b, bool* failed) { return attempt(numeric_mul_safe, failed, a, b); }
inline Numeric divide(Numeric a, Numeric b, bool* failed) { return attempt(numeric_div_safe, failed, a, b); }
inline Numeric remainder(Numeric a, Numeric b, bool* failed) { return attempt(numeric_mod_safe, failed, a, b); }
inline Timestamp midnight(DateADT date, bool* failed) { return attempt(date2timestamp_safe, failed, date); }
inline TimestampTz local_midnight(DateADT date, bool* failed) { return attempt(date2timestamptz_safe, failed, date); }
#else
inline Numeric add(Numeric a, Numeric b, bool* failed) { return numeric_add_opt_error(a, b, failed); }
inline Numeric subtract(Numeric a, Numeric b, bool* failed) { return numeric_sub_opt_error(a, b, failed); }
inline Numeric multiply(Numeric a, Numeric b, bool* failed) { return numeric_mul_opt_error(a, b, failed); }
inline Numeric divide(Numeric a, Numeric b, bool* failed) { return numeric_div_opt_error(a, b, failed); }
inline Numeric remainder(Numeric a, Numeric b, bool* failed) { return numeric_mod_opt_error(a, b, failed); }
inline Timestamp midnight(DateADT date, bool* failed) {
  int overflow = 0;
  const Timestamp result = date2timestamp_opt_overflow(date, &overflow);
  *failed = *failed || overflow != 0;
  return result;
}
inline TimestampTz local_midnight(DateADT date, bool* failed) {
  int overflow = 0;
  const TimestampTz result = date2timestamptz_opt_overflow(date, &overflow);
  *failed = *failed || overflow != 0;
  return result;
}
#endif

}  // namespace dp::pg
