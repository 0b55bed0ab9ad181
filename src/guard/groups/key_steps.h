// In which cells a group key that reads one column of numbers or moments is constant.
#pragma once

#include <cstdint>
#include <optional>

#include "pg/planner.h"

namespace dp::guard {

// Whether a column of that type, without domains around it, holds whole numbers or days.
bool is_discrete(Oid type);

// Neither infinite nor NaN, as CHECK constraints and conditions may be. Of types that have ranges.
bool is_finite(Oid type, Datum value);

// A value of a type that is whole; of one that is a number.
std::int64_t as_whole(Oid type, Datum value);
double as_real(Oid type, Datum value);

// Whether it reads that column and no other.
bool reads_alone(Node* expression, const Var* column);

struct KeySteps {
  double step;    // of numbers: cells begin at multiples of it
  List* moments;  // of moments: as in MomentCells (moment_cells.h)
};

// Nothing where the key may change anywhere.
std::optional<KeySteps> steps_of_key(Node* key, const Var* column);

// Whether the expression reads the column, of numbers, only where it rounds it as it is: floor(x), round(x, 2), x::int.
// Then no boundary of its cells is rounded to another side, as by floor(x / 0.3).
bool rounds_as_it_is(Node* expression, const Var* column);

// Those of the conditions that read that column alone and are constant in cells beside the key: date_trunc('month', x)
// has a month's days, WHERE x::date > '2024-05-17' some of these.
List* conditions_with_steps(Node* key, const Var* column, List* conditions);

}  // namespace dp::guard
