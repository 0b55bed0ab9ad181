// The cells of a column's range within which a group key does not change, so that one point of each tells all values of
// the key.
#pragma once

#include <cstdint>
#include <optional>

#include "budget/policy/domains.h"
#include "budget/policy/ranges.h"
#include "pg/planner.h"

namespace dp::guard {

// Too many anyway: more are not counted.
inline constexpr std::int64_t kUncounted = 1'000'000'000'000'000;

// More moments are not looked for.
inline constexpr std::int64_t kMostMoments = 300'000;

struct Cells {
  Oid type;            // of the column, without domains around it
  Datum lower, upper;  // both included
  bool exact;          // each point is a value of the column, and there are no others
  double step;         // of numbers: cells begin at multiples of it
  List* moments;       // of moments: as in MomentCells (moment_cells.h)

  // How many points there can be at most; of moments about how many.
  std::int64_t most() const;

  // In the session's time zone, where that counts.
  budget::Domain points() const;

  // As a plan can hold it, and back.
  List* as_list() const;
  static Cells of(const List* list);

 private:
  budget::Domain moment_points() const;
};

// The cells of a column with that range, as far as `conditions` (all hold; comparisons with constants) let values of it
// through; nothing where the key may change anywhere.
std::optional<Cells> cells_of(Node* key, const Var* column, const budget::ColumnRange& range, List* conditions);

}  // namespace dp::guard
