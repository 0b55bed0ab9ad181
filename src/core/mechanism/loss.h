// How far off an answer is: the figures that dp_describe shows and by which `auto` chooses.
//
// These are reports in floating point. They never decide a draw or a charge.
#pragma once

#include <cmath>
#include <concepts>
#include <functional>

#include "core/mechanism/law.h"

namespace dp::mechanism {

struct Loss {
  // Laplace, geometric: sensitivity/epsilon; Gaussian: sigma; gg, truncated_gg, bit_gg: b; staircase: width of the
  // step.
  double scale;
  double expected_abs;  // E|noise|
  double expected_sq;   // E noise^2
  double entropy_bits;  // of the noise: Shannon for integers, differential for continuous laws
  double interval95;    // smallest t with P(|noise| <= t) >= 0.95 (a whole number for integers)
};

// Of a law that is sampled, in steps of its lattice. Each stands in the file of its mechanism.
Loss loss(const noise::DiscreteLaplace& law);
Loss loss(const noise::Staircase& law);
Loss loss(const noise::RoundedGeometric& law);  // without the error of rounding, at most half a step
Loss loss(const noise::DiscreteGaussian& law);
Loss loss(const noise::LaplaceMixture& law);
Loss loss(const noise::GeneralisedGaussian& law);
Loss loss(const noise::TruncatedGeneralisedGaussian& law);
Loss loss(const noise::BoundaryInflatedGaussian& law);
Loss loss(const noise::GaussianLevel& law);
Loss loss(const noise::StaircaseVector& law);  // of one of its numbers

// For the variant alone: a law whose own figures are missing does not compile, in place of being made a variant again
// and again.
template <std::same_as<Law> Any>
Loss loss(const Any& law) {
  return std::visit([](const auto& sampler) { return loss(sampler); }, law);
}

// P(|noise| <= t) for t >= 0, of a law that is an addend, in steps of its lattice. Each stands in the file of its
// mechanism.
using Within = std::function<double(double)>;
Within within(const noise::DiscreteLaplace& law);
Within within(const noise::Staircase& law);
Within within(const noise::DiscreteGaussian& law);
Within within(const noise::LaplaceMixture& law);
Within within(const noise::GeneralisedGaussian& law);
Within within(const noise::GaussianLevel& law);
Within within(const noise::StaircaseVector& law);  // of one of its numbers

// Throws std::logic_error for a law that depends on the exact answer.
template <std::same_as<Law> Any>
Within within(const Any& law) {
  return std::visit(
      [](const auto& sampler) -> Within {
        if constexpr (DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>) {
          throw std::logic_error("law is not an addend");
        } else {
          return within(sampler);
        }
      },
      law);
}

// The smallest whole n >= 0 with tail(n) <= miss, for a non-increasing tail(n) = P(|noise| > n) and 0 < miss < 1.
template <class Tail>
double integer_half_width(Tail tail, double miss) {
  double high = 1;
  while (tail(high) > miss) high *= 2;
  double low = -1;  // tail(-1) = 1
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    if (middle == low || middle == high) break;  // beyond 2^53 neighbours are one double
    (tail(middle) > miss ? low : high) = middle;
  }
  return high;
}

template <class Tail>
double integer_interval95(Tail tail) {
  return integer_half_width(tail, 0.05);
}

}  // namespace dp::mechanism
