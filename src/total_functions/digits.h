// How long a numeric is as a text.
#pragma once

#include "total_functions/registry.h"

namespace dp::total {

// In bytes: 1e131071 takes twelve, and 131072 as a text.
inline Size digits_of(Numeric number) {
  char* const written = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(number)));
  const Size digits = strlen(written);
  pfree(written);
  return digits;
}

}  // namespace dp::total
