#include "core/number/special_functions.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace dp {

double gamma_function(double s) { return boost::math::tgamma(s); }
double upper_gamma(double s, double x) { return boost::math::tgamma(s, x); }
double lower_gamma(double s, double x) { return boost::math::tgamma_lower(s, x); }
double upper_gamma_share(double s, double x) { return boost::math::gamma_q(s, x); }
double lower_gamma_share(double s, double x) { return boost::math::gamma_p(s, x); }
double inverse_lower_gamma_share(double s, double share) { return boost::math::gamma_p_inv(s, share); }

double lower_beta_share(double a, double b, double x) { return boost::math::ibeta(a, b, x); }
double upper_beta_share(double a, double b, double x) { return boost::math::ibetac(a, b, x); }

double integral(const std::function<double(double)>& f, double from, double to, unsigned halvings, double tolerance,
                double* error) {
  return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(f, from, to, halvings, tolerance, error);
}

LegendreRule legendre_rule_40() {
  using Rule = boost::math::quadrature::gauss<double, 40>;
  return {Rule::abscissa(), Rule::weights()};
}

}  // namespace dp
