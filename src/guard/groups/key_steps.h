// In which cells a group key that reads one column of numbers or moments is constant.
#pragma once

#include <cstdint>
#include <optional>

#include "pg/planner.h"

namespace dp::guard {

// The widths of cells of moments, in seconds.
constexpr double kDay = 86'400, kQuarterHour = 900, kHour = 3'600, kMinute = 60, kSecond = 1;

// Whether a column of that type, without domains around it, holds whole numbers or days; or moments.
bool is_whole(Oid type);
bool is_timestamp(Oid type);

// Neither infinite nor NaN, as CHECK constraints and conditions may be. Of types that have ranges.
bool is_finite(Oid type, Datum value);

// A value of a type that is whole; of one that is a number.
std::int64_t as_whole(Oid type, Datum value);
double as_real(Oid type, Datum value);

// Whether it reads that column and no other.
bool reads_alone(Node* expression, const Var* column);

struct KeySteps {
  double step;     // cells begin at multiples of it: a number, or seconds
  List* zones;     // String: time zones that the key names
  bool elsewhere;  // it reads what the clock shows in another zone than the column's
};

// Nothing where the key may change anywhere.
std::optional<KeySteps> steps_of_key(Node* key, const Var* column);

// Those of the conditions that read that column alone and are constant in cells beside the key: date_trunc('month', x)
// has a month's days, WHERE x::date > '2024-05-17' some of these.
List* conditions_with_steps(Node* key, const Var* column, List* conditions);

}  // namespace dp::guard
