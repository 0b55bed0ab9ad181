// Between which moments a group key is constant that reads one column of moments.
//
// What numbers do is asked of the evaluator (facts/courses.h), also of the seconds of a moment; what is said here is of
// moments alone. They are read from the outside in, while the evaluator goes from the inside out: at + '1 month' and
// at AT TIME ZONE 'x' have neither steps nor a slope. What a rounding around them makes of it depends on its step and
// on each clock in between, in their order: so the step goes down and collects them.
//
// What rounds a moment changes where a clock shows a multiple of a step. That clock may be another than the column's:
// of a zone, or moved by a span. How far it is ahead of the column is constant but where that zone's clocks were
// changed, to the second. So nothing is assumed of zones: neither that they differ by quarters of an hour, nor that
// days begin at midnight.
#pragma once

#include <cstdint>
#include <optional>

#include "pg/planner.h"

namespace dp::guard {

// Cells of one reading of the column.
struct MomentCells {
  List* clock = NIL;          // what makes of the column what is rounded, first to last: conversions (below)
  std::int64_t step = 0;      // microseconds; 0: nothing rounds
  std::int64_t origin = 0;    // a moment on that clock at which a cell begins
  bool local_origin = false;  // no: a timestamp with time zone, which the session's clock shows as that moment
  bool closed = false;        // the moment at which a cell begins may belong to the one before
  bool blurred = false;       // or the microsecond before it to this one
  std::int64_t begins = 0;    // where clocks were changed, at the first multiple of this as well; 0: not
  // Cells begin as far from there as clocks differ, within the range and so long before and after; -1: they do not.
  std::int64_t reach = -1;

  // As a plan can hold it, and back.
  List* as_list() const;
  static MomentCells of(const List* list);
};

// Conversions: to what a zone's clock shows at a moment, and back; nullptr: the session's zone. Or a Const, the span by
// which the clock is ahead.
Node* to_clock(const char* zone);
Node* from_clock(const char* zone);

// Those of a key, as lists; nothing where it may change anywhere.
std::optional<List*> moment_cells_of(Node* key, const Var* column);

// The ends, and one moment in each of the cells between them, in the session's time zone; ascending. Nothing where
// there are more than `most`.
struct Moments {
  std::int64_t size;
  Timestamp* values;
};
std::optional<Moments> moments_of_cells(const List* cells, Timestamp lower, Timestamp upper, std::int64_t most);

// About how many, without looking at each.
double about_moments(const List* cells, Timestamp lower, Timestamp upper);

}  // namespace dp::guard
