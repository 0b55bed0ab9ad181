// Amounts as SQL numerics, exactly and in their shortest form.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

inline Datum shortest_numeric(std::int64_t quanta, int digits) {
  return DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(int64_div_fast_to_numeric(quanta, digits)));
}

inline Datum epsilon_numeric(std::int64_t nano) { return shortest_numeric(nano, 9); }
inline Datum delta_numeric(std::int64_t atto) { return shortest_numeric(atto, 18); }

}  // namespace dp::budget
