// Values as bytes that are compared.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Appends the value with its length before it, so that values that follow each other are told apart; the same bytes for
// whatever form it is stored in.
void append_value(StringInfo bytes, Datum value, int16 length, bool by_value);
void append_value(StringInfo bytes, Datum value, Oid type);

}  // namespace dp::guard
