// The way "rows" of units.h: the inner query reads some rows of each unit, chosen by windows between its table and its
// aggregates.
#pragma once

#include "guard/unit_limit/limited_rows.h"

namespace dp::guard {

// Rows of a unit are kept by that column of the inner query's tables: the ones with the smallest values, or with the
// largest; those where it is NULL come last.
struct RowChoice {
  Var* column;
  bool latest;
};

// Those rows, in the words of EXPLAIN: "the latest by admitted_at". `row_choices`: const RowChoice*, over these tables.
const char* text_of_choices(List* row_choices, List* tables);

// Lets the query read those rows of each unit that may count. `row_choices`: const RowChoice*, by which they are
// chosen, one after the other; NIL: at random.
void choose_rows(const LimitedRows& rows, List* row_choices);

}  // namespace dp::guard
