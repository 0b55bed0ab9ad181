// What is known of a value that a subquery computes of each person, where a group key is made of it.
#pragma once

#include "budget/policy/ranges.h"
#include "guard/relations/from_clause.h"

namespace dp::guard {

// For the time in which its image is looked for it is a column of the table that the subquery is, of a number that the
// subquery has not.
inline constexpr AttrNumber kComputed = 10'000;

struct ComputedColumn {
  const Var* column;
  budget::ColumnRange range;
  bool may_be_null;
};

// nullptr for another column.
inline const ComputedColumn* computed_column(const Var* column, const Sources& sources) {
  ListCell* cell;
  foreach (cell, sources.computed) {
    const auto* const computed = static_cast<const ComputedColumn*>(lfirst(cell));
    if (equal(computed->column, column)) return computed;
  }
  return nullptr;
}

}  // namespace dp::guard
