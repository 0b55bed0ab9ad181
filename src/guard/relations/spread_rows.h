// LATERAL functions whose number of rows depends on the row beside them: unnest(v.tags), generate_series(1, v.days),
// jsonb_array_elements(v.lines).
//
// Of each row as many as kMostSpread, the first ones: they are those of the numbers 1, 2, ... for which there is an
// element, so that no row makes more work than that.
#pragma once

#include <optional>

#include "pg/planner.h"

namespace dp::guard {

inline constexpr int kMostSpread = 100;

struct Spread {
  List* values;     // Node: its columns, over the level and the number
  Node* condition;  // for the number to be that of a row
};

// What the entry shows for that number; nothing for other entries, and for a series whose step is not written in the
// query, and positive. An array of several dimensions has no rows.
std::optional<Spread> spread_of(const RangeTblEntry* entry, const Var* number);

}  // namespace dp::guard
