// Whole numbers that are made of the difference of two moments, floor(extract(epoch FROM discharged - admitted) /
// 3600), and what conditions say of that difference.
#pragma once

#include <optional>

#include "pg/planner.h"

namespace dp::guard {

// A whole number of units between two moments, rounded in some way.
struct UnitsBetween {
  List* moments;  // later, earlier
  double unit;    // microseconds; 0: that is not known, but that the number has no other sign than the difference
};

// Nothing where the part is none.
std::optional<UnitsBetween> units_between(Node* part);

// What the difference of these moments is compared with, in microseconds.
struct Comparison {
  int strategy;
  int64 with;
};

// a - b < '3 days', a < b, a < b + interval '3 days'. (With time zones a day more is not always 24 hours.)
std::optional<Comparison> comparison_of_difference(Node* condition, List* moments);

}  // namespace dp::guard
