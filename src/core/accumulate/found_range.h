// Between which numbers nearly all of some rows lie, where nobody has said it: found privately.
//
// Two choices of a window, each by permute-and-flip at half of epsilon (core/noise/selection.h): of consecutive
// octaves of magnitudes, from one power of 2 to another one; of which only the greatest magnitude is used, M. Then of
// consecutive ones of kCellsOfRange equal cells from -M to M. The utility of a window is
//   u = -(rows outside) - 2 (at_once / epsilon') size,
// its size being its octaves, or the logarithm to base 2 of its cells: so that a window twice as wide has to hold
// twice as many more rows as the noise of the choice is large. Rows beyond M are in no window of cells, alike. One row
// more changes the utilities of all windows by 0 or -1, all in one direction: a choice loses its rate, times the rows
// that change at once. All of it together is epsilon-DP.
//
// With too few rows it may lie anywhere: nobody should go by it without having looked whether rows are in it. Where M
// is far too large, it holds them, but is far too wide as well.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/accumulate/open_grid.h"
#include "core/accumulate/points.h"
#include "core/mechanism/epsilon_delta.h"
#include "core/noise/selection.h"

namespace dp::aggregate {

// In steps of the grid's reader; lower < upper.
struct FoundRange {
  double lower;
  double upper;
  double greatest;  // M
};

inline constexpr int kCellsOfRange = 256;

// Consecutive cells.
struct Window {
  int first;
  int last;
  int cells() const { return last - first + 1; }
};

// All windows of so many cells whose sizes have at most three binary digits.
std::vector<Window> windows_of(int cells);

// Their utilities in parts of a row, of so many rows in each cell, where a window of i + 1 cells has penalty i. With
// whole rows the smallest penalty would be too much at a large epsilon, where none is to be lost.
inline constexpr std::int64_t kPartsOfRow = 1024;
std::vector<noise::Utility> window_utilities(std::span<const std::uint64_t> rows, std::span<const Window> windows,
                                             std::span<const noise::Utility> penalties);

// Where `at_once` rows change at once. Epsilon is at least 2 of its units.
FoundRange find_range(const SortedPoints& rows, const OpenGrid& grid, mechanism::Epsilon epsilon,
                      noise::Uint128 at_once, noise::BitSource& bits);

}  // namespace dp::aggregate
