// The numbers that add up and are nearest to the answers of all levels: weighted least squares, by which every level
// gains from what the others say.
//
// Nested levels are a tree: two passes, one up and one down (Hay, Rastogi, Miklau and Suciu, PVLDB 2010, with unequal
// variances). Others (CUBE) by conjugate gradients, which are exact after as many steps as there are levels where every
// group of a level is as uncertain as the others.
#pragma once

#include "core/consistency/levels.h"

namespace dp::consistency {

// Of each node.
struct Fit {
  std::vector<Real> value;
  std::vector<Real> variance;  // of that value; where it would take too long, that of the answer, which is larger
};

Fit least_squares(const Levels& levels);

// Whether some answer is further from its value than `width` (of each node, in standard deviations of its answer)
// times the standard deviation of what is between the two: then the levels are not about the same rows.
bool contradicts(const Levels& levels, const Fit& fit, Real width);

}  // namespace dp::consistency
