#include "core/accumulate/pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dp::aggregate {
namespace {

double finite(double value) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  return std::clamp(value, -kLargest, kLargest);
}

double width(double exponent, std::int64_t range) {
  return std::ldexp(static_cast<double>(range), static_cast<int>(exponent));
}

// Sums over pairs of u v, u (1 - v), (1 - u) v and (1 - u) (1 - v), where u and v are where y and x lie between their
// bounds, from 0 to 1.
struct Products {
  double both, y_alone, x_alone, none;

  double all() const { return both + y_alone + x_alone + none; }
};

// u is u^2 + u (1 - u).
Products products_of(const double* t, bool squares) {
  if (!squares) return {t[0], t[1], t[2], t[3]};
  const double middle = t[4] / 4;
  return {t[0] + (t[1] + t[3]) / 2 + middle, t[2] + (t[1] + t[5]) / 2 + middle, t[6] + (t[3] + t[7]) / 2 + middle,
          t[8] + (t[5] + t[7]) / 2 + middle};
}

// E u^2 - (E u)^2 is E u^2 E (1 - u)^2 - (E u (1 - u))^2, which cancels less where values lie close together.
double variance_of(double above, double mixed, double below, double all) {
  return std::clamp((above * below - mixed * mixed / 4) / (all * all), 0.0, 0.25);
}

template <class State, std::size_t kNumbers>
ExactPairs exact_numbers(const State& state, bool missing) {
  ExactPairs exact{{}, kNumbers + (missing ? 1 : 0)};
  for (std::size_t i = 0; i < kNumbers; ++i) exact.numbers[i] = static_cast<Int128>(state.numbers[i]);
  if (missing) exact.numbers[kNumbers] = static_cast<Int128>(state.missing);
  return exact;
}

}  // namespace

double pair_row(const Form& form) {
  const double once = static_cast<double>(form.range) * static_cast<double>(form.second.range);
  return std::ldexp(has_squares_of_pairs(form.kind) ? once * once : once, form.refinement);
}

PairSays pair_says(const Form& form, const double* t, std::size_t count) {
  const bool squares = has_squares_of_pairs(form.kind);
  const std::size_t numbers = squares ? 9 : 4;
  const double y_width = width(form.exponent, form.range), x_width = width(form.second.exponent, form.second.range);
  const Products sums = products_of(t, squares);
  const double pairs = sums.all();
  PairSays says{};
  says.pairs = pairs;
  says.rows = pairs + (count > numbers ? t[numbers] : 0);
  const bool any = pairs > 0;
  const double u = any ? std::clamp((sums.both + sums.y_alone) / pairs, 0.0, 1.0) : 0.5;
  const double v = any ? std::clamp((sums.both + sums.x_alone) / pairs, 0.0, 1.0) : 0.5;
  says.avgy = form.lower + u * y_width;
  says.avgx = form.second.lower + v * x_width;
  says.any = any;
  if (!any) return says;
  const double covariance =
      std::clamp((sums.both * sums.none - sums.y_alone * sums.x_alone) / (pairs * pairs), -0.25, 0.25);
  says.covar_pop = finite(covariance * y_width * x_width);
  says.covar_samp = finite(pairs > 1.5 ? says.covar_pop * (pairs / (pairs - 1)) : says.covar_pop);
  says.sxy = finite(says.covar_pop * pairs);
  if (!squares) return says;
  const double y = variance_of(t[0] + t[1] + t[2], t[3] + t[4] + t[5], t[6] + t[7] + t[8], pairs);
  const double x = variance_of(t[0] + t[3] + t[6], t[1] + t[4] + t[7], t[2] + t[5] + t[8], pairs);
  says.sxx = finite(x * x_width * x_width * pairs);
  says.syy = finite(y * y_width * y_width * pairs);
  says.spread_x = x > 0, says.spread_y = y > 0;
  if (x > 0 && y > 0) says.corr = std::clamp(covariance / std::sqrt(x * y), -1.0, 1.0);
  says.r2 = says.corr * says.corr;
  if (x > 0) says.slope = finite(covariance / x * (y_width / x_width));
  says.intercept = finite(says.avgy - says.slope * says.avgx);
  return says;
}

ExactPairs exact_pairs(const CovarianceState& state, bool missing) {
  return exact_numbers<CovarianceState, 4>(state, missing);
}

ExactPairs exact_pairs(const RegressionState& state, bool missing) {
  return exact_numbers<RegressionState, 9>(state, missing);
}

std::int64_t whole_pairs(double rows) {
  if (!(rows > 0)) return 0;
  return rows >= 0x1p63 ? std::numeric_limits<std::int64_t>::max() : std::llround(rows);
}

}  // namespace dp::aggregate
