// Whole numbers and numbers that are not negative, from the totals down, so that the parts of each still add up to it.
#pragma once

#include "core/consistency/least_squares.h"

namespace dp::consistency {

struct Shape {
  bool whole;
  bool nonnegative;
};

// Changes the values of the fit. Of levels that are not nested one chain of them goes down to the cells; the others are
// sums of cells. A node with variance 0 keeps its answer.
void fit_top_down(const Levels& levels, Shape shape, Fit* fit);

// The numbers x >= 0 with that sum that are nearest to the values: max(value - t variance, 0). Where all variances are
// zero, or the sum is below those that are kept, as near to the sum as can be.
std::vector<Real> onto_simplex(std::span<const Real> values, std::span<const Real> variances, Real sum);

// Whole numbers with that (whole) sum: each rounded down, and what is left given to the largest fractions. Those of
// variance zero are kept where any is not.
std::vector<Real> largest_remainder(std::span<const Real> values, std::span<const Real> variances, Real sum);

// The numbers that never fall and are nearest to the values: neighbours that fall are pooled.
std::vector<Real> monotone(std::span<const Real> values, std::span<const Real> variances);

}  // namespace dp::consistency
