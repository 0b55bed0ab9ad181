// The protected tables that a stored row is about: a column names the first, and an array in another one those that
// were joined to it, NULL or empty where there is none.
#pragma once

#include "budget/catalog/frozen_rows.h"

namespace dp::budget {

// All of them, oid, the first one first. In the current memory context.
List* joined_tables(const NumberedRows& row, int first, int partners);

// Those in an array.
List* tables_of(Datum array);

// The array of those (oid).
Datum partners_datum(List* partners);

}  // namespace dp::budget
