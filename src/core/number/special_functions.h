// Boost's functions of doubles, and its integrals, behind functions that are compiled once, in special_functions.cpp:
// where all use its templates, these take most of the time in which a file is compiled. (real.h does the same for its
// numbers of 50 digits.)
//
// The functions are as precise as a double allows. They throw std::domain_error outside the arguments that they name,
// and std::overflow_error where the value is beyond a double.
#pragma once

#include <functional>
#include <span>

namespace dp {

// Of s > 0 and x >= 0. Gamma(s); the integrals of t^{s-1} e^{-t} from x on, and up to x; these two over Gamma(s).
double gamma_function(double s);
double upper_gamma(double s, double x);
double lower_gamma(double s, double x);
double upper_gamma_share(double s, double x);
double lower_gamma_share(double s, double x);
// The x with that share below, from 0 to below 1.
double inverse_lower_gamma_share(double s, double share);

// The share of the beta law of a > 0 and b > 0 below x, 0 <= x <= 1, and above.
double lower_beta_share(double a, double b, double x);
double upper_beta_share(double a, double b, double x);

// The integral of f by the 31 points of Gauss and Kronrod. Where the estimate of its error is above that share of it,
// the range is halved, and so on up to `halvings` times. *error becomes that estimate.
double integral(const std::function<double(double)>& f, double from, double to, unsigned halvings, double tolerance,
                double* error = nullptr);

// Gauss's and Legendre's rule of 40 points on [-1, 1], of which half are given, ascending: -x has the weight of x.
struct LegendreRule {
  std::span<const double> points;
  std::span<const double> weights;
};
LegendreRule legendre_rule_40();

}  // namespace dp
