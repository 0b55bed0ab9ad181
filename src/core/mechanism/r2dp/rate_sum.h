// The laws of the inverse scale u that the families of mixture_family.h are made of: sums of independent parts.
#pragma once

#include <array>
#include <utility>

#include "core/mechanism/r2dp/mixture.h"

namespace dp::mechanism {

// u = shift + width*U + theta*G + reach*T, independent: U uniform on [0, 1], G gamma of shape k, T on [0, 1] with
// density proportional to e^{tilt t - curve t^2}. A factor for u is chosen last, so each is relative to the others.
struct RateSum {
  double shift = 1;
  double width = 0;
  double k = 1;
  double theta = 0;
  double reach = 0;
  double tilt = 0;
  double curve = 0;
};

struct RateNode {
  double at;
  double weight;
};

// The Laplace transform of the law of u, from which privacy and cost follow: the density of the noise is E u e^{-u|x|}
// / 2.
class RateTransform {
 public:
  explicit RateTransform(const RateSum& sum);

  // ln E e^{-ux}, and the mean and variance of u under the weight e^{-ux}: minus its slope, and its curvature.
  struct Value {
    double log;
    double mean;
    double variance;
  };

  Value at(double x) const;

  double mean() const { return mean_; }

  // ln of E u over E u e^{-ux}: the loss at sensitivity x, with its slope there. Source: R2DP, corollary 3.3.
  std::pair<double, double> loss(double x) const;

  // E 1/u^power to a relative 1e-5, enough to compare parameters; infinite where it does not converge.
  double inverse_moment(int power) const;

 private:
  friend Mixture condensed(const RateSum& sum, double factor, std::size_t atoms);

  static constexpr unsigned kNodes = 80;

  bool needs_gaussian() const;

  RateSum sum_;
  std::array<RateNode, kNodes> gaussian_;  // T's law
  double gaussian_mean_ = 0;
  double mean_;  // E u
};

// At most `atoms` atoms that stand for u * factor.
Mixture condensed(const RateSum& sum, double factor, std::size_t atoms);

}  // namespace dp::mechanism
