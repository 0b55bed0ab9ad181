// The middle one of several independent draws of a noise.
#pragma once

#include <functional>

namespace dp::planning {

// E|M| where M is the lower median of k >= 1 independent draws, the ceil(k/2)-th smallest, of a symmetric noise with
// within(t) = P(|noise| <= t).
//
// Exact up to rounding: with F the distribution function of the noise, P(M <= x) = I_{F(x)}(m, k-m+1) at m = ceil(k/2),
// and E|M| is the sum over n >= 0 (noise with an atom at 0: whole numbers) or the integral over t >= 0 of P(|M| > t).
// Source: order statistics.
double median_error(const std::function<double(double)>& within, int k);

}  // namespace dp::planning
