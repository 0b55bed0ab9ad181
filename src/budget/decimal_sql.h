// Amounts as SQL numerics, exactly.
#pragma once

#include "budget/amount.h"

#include "pg/server.h"

namespace dp::budget {

inline Datum numeric(const Decimal& decimal) {
  return DirectFunctionCall3(numeric_in, CStringGetDatum(decimal.text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

}  // namespace dp::budget
