// The privacy that a calibrated law really gives, from its probabilities alone.
#pragma once

#include <span>

#include "core/mechanism/mechanism.h"

namespace dp::planning {

// One privacy unit changes the coordinates of a vector of whole numbers by at most these amounts. The mechanism is
// calibrated to that (the number of coordinates and their joint norms), each coordinate gets its own noise, and the
// result is
//  - for a pure mechanism the largest |ln P(answer | x) - ln P(answer | x')| over all such pairs of inputs and all
//    answers;
//  - for one with a delta the smallest epsilon' at which the law is (epsilon', delta)-differentially private.
// It is not above epsilon where the calibration keeps its word, up to what a long double rounds (1e-12).
//
// Up to a change of 64 all shifts and all answers in reach are enumerated; beyond it the corners of the law (zero, the
// shift, the edges of stairs), where the ratio of a law and its shifted copy is largest, and evenly spaced ones. Throws
// dp::Error for amounts that are not at most 64 whole numbers from 0 to 2^32 with one above 0, and where an enumeration
// would be too long. On the fine lattice the numbers are steps of it.
double privacy_loss(const mechanism::Mechanism& m, mechanism::Epsilon epsilon, std::span<const double> changes,
                    mechanism::Lattice lattice = mechanism::Lattice::integer);

}  // namespace dp::planning
