// What one privacy unit may change: the input of every calibration.
#pragma once

#include "noise/integers.h"

namespace dp::mechanism {

// The set of possible changes that one privacy unit makes to the vector of integers that is released together.
// The norms are upper bounds over that set, in steps of the lattice on which noise is added.
struct Changes {
  unsigned coordinates;  // how many integers may change at once, >= 1
  noise::Uint128 l1;     // sum of absolute changes
  noise::Uint128 l2;     // Euclidean length, rounded up
  noise::Uint128 linf;   // largest change of one coordinate, >= 1

  // One integer that changes by at most `sensitivity`; also a vector of which a unit changes one coordinate only.
  static constexpr Changes one(noise::Uint128 sensitivity) { return {1, sensitivity, sensitivity, sensitivity}; }

  // `coordinates` non-negative integers whose absolute changes add up to at most `total`: all of it may fall on one.
  static constexpr Changes sharing(unsigned coordinates, noise::Uint128 total) {
    return {coordinates, total, total, total};
  }

  Changes times(noise::Uint128 factor) const {
    using noise::checked_mul;
    return {coordinates, checked_mul(l1, factor), checked_mul(l2, factor), checked_mul(linf, factor)};
  }
};

// The numbers that noise is added to: whole multiples of a step of 2^exponent, in units of the answer.
struct Lattice {
  enum class Kind : bool {
    integer,  // whole numbers: counts, sums of integers; noise of less than one step would be visible rounding
    fine,     // steps so small (see aggregate/grid.h) that a continuous law is approached
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
