// The privacy loss of the two laws on a declared range, and the smallest scale that keeps epsilon.
//
// The exact answer x lies on 0..W (whole steps on the integers) and changes by at most D; f(k) = e^{-(|k|/b)^p}. All
// sums below are over whole numbers; the continuous formulas have integrals in their place.
//
// Truncated: P(y) = f(y - x)/Z(x), Z(x) = sum of f(y - x) over y = 0..W. The loss between x < x' grows with y, so it is
// worst at y = W: h(x) - h(x') with h(x) = (W - x)^p/b^p + ln Z(x). Below, "first" is h(0) - h(D) and "last"
// h(W-D) - h(W).
//  1. h falls: Z is symmetric about W/2 and unimodal; on [0, W/2] h is the logarithm of a sum of e^{q_y},
//     q_y(x) = ((W - x)^p - |y - x|^p)/b^p, each convex there for p >= 2 since |y - x| <= W - x, so h is convex, and
//     its slope at W/2 is not positive. For p = 1, Z(x+1) <= e^{1/b} Z(x). So only changes of exactly D matter.
//  2. p = 1: (W-x)^p - (W-x')^p is constant and Z log-concave (a convolution of log-concave sequences): "last" is
//     the worst.
//  3. p = 2: every q_y is linear in x, so h is convex on all of [0, W]: "first" is the worst.
//  4. p > 2: by 1. "first" is the worst of all changes inside [0, W/2]. The others are bounded by blocks: over
//     x = u..v the loss is at most ((W-u)^p - (W-u-D)^p)/b^p + ln Z(v)/Z(v+D), as the first part falls with x and,
//     Z being log-concave, the second rises. Blocks are halved until none exceeds "first" by more than one part in
//     10^4.
// Between 1 and 2 neither end is the worst for certain, and there is no such law.
//
// On the boundary (BIT): P(W | x) = T(W - x), T the upper tail, and P(y | x) in proportion to f(y - x) inside. T is
// log-concave, so T(W-x')/T(W-x) is greatest at x' = D, x = 0, and that is no less than any ratio of weights f inside,
// as each ratio f(k-D)/f(k), k >= W, is at least f(W-D)/f(W). So the loss is ln T(W-D)/T(W), at the boundary.
//
// Source: Liu, "Generalized Gaussian Mechanism for Differential Privacy" (2019); its equations 7 and 8 hold for an open
// interval and are unsafe for BIT.
#pragma once

#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/gg/power_sums.h"

namespace dp::mechanism {

enum class RangeLaw { truncated, boundary };

// Not below the loss of the integer law; 1 <= change and 1 <= width are whole numbers (a change above the width is the
// width).
Real certified_loss(RangeLaw, Power p, const Real& b, const Real& width, const Real& change);

// The b at which the continuous law on a range of `width` loses epsilon at `change`.
double continuous_range_scale(RangeLaw, Power p, double width, double change, Epsilon);

// The integer law of smallest b, to one part in 2^31, whose certified_loss() is at most epsilon.
// Throws dp::Error where b would not fit the law.
noise::GeneralisedGaussian certified_range_scale(RangeLaw, Power p, noise::Uint128 width, noise::Uint128 change,
                                                 Epsilon);

}  // namespace dp::mechanism
