// What one privacy unit may change: the input of every calibration.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/noise/integers.h"

namespace dp::mechanism {

// What one privacy unit contributes at most to the groups of one grouping set.
struct Contribution {
  std::uint32_t rows = 1;            // in all groups together
  std::uint32_t groups = 1;          // of which it has rows
  std::uint32_t rows_per_group = 1;  // rows <= groups * rows_per_group
};

// The smallest whole number whose square is at least n, for n <= 2^126.
constexpr noise::Uint128 root_above(noise::Uint128 n) {
  if (n <= 1) return n;  // of nearly all
  noise::Uint128 low = 0, high = noise::Uint128{1} << 63;
  while (low < high) {
    const noise::Uint128 middle = (low + high) / 2;
    if (middle * middle >= n) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// The set of possible changes that one privacy unit makes to the vector of integers that is released together.
// The norms are upper bounds over that set, in steps of the lattice on which noise is added.
struct Changes {
  unsigned coordinates;           // how many integers may change at once, >= 1
  noise::Uint128 l1;              // sum of absolute changes
  noise::Uint128 l2;              // Euclidean length, rounded up
  noise::Uint128 linf;            // largest change of one coordinate, >= 1
  noise::Uint128 l2_squared = 0;  // where l2 is not it: its square before it was rounded; 0 otherwise
  unsigned vector = 0;  // all that changes lies in one vector of that many integers, drawn at once; 0: in several

  // One integer that changes by at most `sensitivity`; also a vector of which a unit changes one coordinate only.
  static constexpr Changes one(noise::Uint128 sensitivity) { return {1, sensitivity, sensitivity, sensitivity}; }

  // `coordinates` non-negative integers whose absolute changes add up to at most `total`: all of it may fall on one.
  static constexpr Changes sharing(unsigned coordinates, noise::Uint128 total) {
    return {coordinates, total, total, total, 0, coordinates};
  }

  // All groups of a grouping set together, where these are the changes by one row in one group, and `released` integers
  // leave each group, at once. Rows add up: in l1 and within a group in every norm. Groups are orthogonal, so that l2
  // is at most l2 sqrt(sum of r^2) over rows r <= rows_per_group of the groups that add up to `rows`, which is l2
  // sqrt(rows_per_group rows). A law that several coordinates share must be valid for all that change together, hence
  // their number.
  Changes by_unit(const Contribution& unit, unsigned released) const {
    using noise::checked_mul;
    const noise::Uint128 by_rows = checked_mul(coordinates, unit.rows);
    const noise::Uint128 by_groups = checked_mul(released, unit.groups);
    const noise::Uint128 square = noise::Uint128{unit.rows} * unit.rows_per_group;
    return {static_cast<unsigned>(std::min(by_rows, by_groups)),
            checked_mul(l1, unit.rows),
            checked_mul(l2, root_above(square)),
            checked_mul(linf, unit.rows_per_group),
            squared_times(square),
            unit.groups == 1 ? released : 0};
  }

  // l2 in steps of 2^-bits, rounded up: closer to what it is than as a whole number.
  noise::Uint128 l2_in_parts(unsigned bits) const {
    unsigned kept = 0;
    while (kept < bits && l2_squared >> (kMostSquareBits - 2 * (kept + 1)) == 0) ++kept;
    return l2_squared == 0 ? l2 << bits : root_above(l2_squared << 2 * kept) << (bits - kept);
  }

  // How fine whole numbers are cut where their noise is to approach a continuous law: into steps of 2^-refinement, so
  // that the largest change of one coordinate has 2^32 of them at most.
  unsigned refinement() const {
    constexpr noise::Uint128 kSteps = noise::Uint128{1} << 32;
    unsigned bits = 0;
    while (linf << (bits + 1) <= kSteps) ++bits;
    return bits;
  }

  Changes times(noise::Uint128 factor) const {
    using noise::checked_mul;
    const noise::Uint128 square = factor >> 32 == 0 ? factor * factor : 0;
    return {coordinates,
            checked_mul(l1, factor),
            checked_mul(l2, factor),
            checked_mul(linf, factor),
            l2_squared == 0 || square == 0 ? 0 : squared_times(square),
            vector};
  }

 private:
  static constexpr unsigned kMostSquareBits = 126;

  // Of l2 by the root of that; 0 where it is larger than root_above() takes.
  noise::Uint128 squared_times(noise::Uint128 square) const {
    if (l2_squared == 0 && l2 >> 63 != 0) return 0;
    const noise::Uint128 before = l2_squared != 0 ? l2_squared : l2 * l2;
    noise::Uint128 product;
    return __builtin_mul_overflow(before, square, &product) || product >> kMostSquareBits != 0 ? 0 : product;
  }
};

// The numbers that noise is added to: whole multiples of a step of 2^exponent, in units of the answer.
struct Lattice {
  enum class Kind : bool {
    integer,  // whole numbers: counts, sums of integers; noise of less than one step would be visible rounding
    fine,     // steps so small (see core/accumulate/grid.h) that a continuous law is approached
  };

  Kind kind;
  int exponent;

  static const Lattice integer;
  static const Lattice fine;  // with a step of one, for descriptions and tests

  friend bool operator==(const Lattice& a, const Lattice& b) { return a.kind == b.kind; }
};
inline constexpr Lattice Lattice::integer{Lattice::Kind::integer, 0};
inline constexpr Lattice Lattice::fine{Lattice::Kind::fine, 0};

}  // namespace dp::mechanism
