// What truncated_gg and bit_gg share: keys, the range on the lattice, calibration and description.
#pragma once

#include "core/mechanism/gg/range_loss.h"
#include "core/mechanism/mechanism.h"

namespace dp::mechanism {

// p, lower, upper: the range of the answer, in its own units.
extern const Key kRangeKeys[3];

// Throws dp::Error unless p is from 1 to 16 and lower < upper.
void check_range(const Mechanism&);

// The range in whole steps of the lattice: those that lie inside it.
struct CalibratedRange {
  noise::GeneralisedGaussian noise;
  noise::Int128 low;
  noise::Int128 high;
};

// The smallest b that is certified to lose at most epsilon at a change of one coordinate by changes.linf.
// Throws dp::Error for several coordinates, and where the range holds fewer than two steps or more than 2^110.
CalibratedRange calibrate_range(RangeLaw, const Mechanism&, Epsilon, const Changes&, Lattice);

// Of an answer in the middle of the range.
Description describe_range(RangeLaw, const Mechanism&, Epsilon, double sensitivity, Lattice);

}  // namespace dp::mechanism
