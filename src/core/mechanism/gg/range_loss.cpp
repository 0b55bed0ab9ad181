#include "core/mechanism/gg/range_loss.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "core/mechanism/error.h"
#include "core/mechanism/gg/generalised_gaussian_delta.h"
#include "core/number/special_functions.h"

namespace dp::mechanism {
namespace {

// W^p - (W - D)^p over b^p.
double power_gap(double p, double b, double width, double change) {
  const double whole = std::pow(width / b, p);
  return change >= width ? whole : -whole * std::expm1(p * std::log1p(-change / width));
}

// The loss of the truncated law where it is worst, in doubles: "first", for p = 1 "last". `weight(n)` is the sum over
// 0..n, or its integral; `overlap` what two of them count twice.
template <class Weight>
double truncated_loss(double p, double b, double width, double change, Weight weight, double overlap) {
  const double inside = std::log(weight(change) + weight(width - change) - overlap) - std::log(weight(width));
  return power_gap(p, b, width, change) + (p == 1 ? inside : -inside);
}

// The b at which `loss` falls to epsilon.
template <class Loss>
double falling_scale(double p, double width, double change, Epsilon epsilon, Loss loss) {
  const double guess = width * std::pow(power_gap(p, width, width, change) / epsilon.value(), 1.0 / p);
  std::uintmax_t iterations = 200;
  const auto excess = [&](double b) { return loss(b) - epsilon.value(); };
  return boost::math::tools::bracket_and_solve_root(excess, guess, 2.0, false,
                                                    boost::math::tools::eps_tolerance<double>(46), iterations)
      .second;
}

double find_range_scale(RangeLaw law, Power power, double width, double change, Epsilon epsilon) {
  const double p = power.value();
  return falling_scale(p, width, change, epsilon, [&](double b) {
    if (law == RangeLaw::boundary && change < width) {
      return power_gap(p, b, width, change) + log_scaled_tail(power, b, width - change) -
             log_scaled_tail(power, b, width);
    }
    if (law == RangeLaw::boundary) return log_upper(power, b, 0) - log_upper(power, b, width);
    return truncated_loss(
        p, b, width, change, [&](double n) { return head(power, b, n); }, 1);
  });
}

// Bounds for the blocks of case 4, where one part in 10^4 is left: 50 digits to be safe, doubles to be fast.
class Blocks {
 public:
  Blocks(Power p, double b, double width, double change, double allowed)
      : p_(p), b_(b), width_(width), change_(change), allowed_(allowed) {}

  // The most that a change of D starting at u..v loses, or less than `allowed`.
  double worst(double u, double v) const {
    const double bound = power_gap(p_.value(), b_, width_ - u, change_) + log_weight(v) - log_weight(v + change_);
    if (bound <= allowed_ || v - u < 1) return bound;
    const double middle = std::floor((u + v) / 2);
    return std::max(worst(u, middle), worst(middle + 1, v));
  }

 private:
  double log_weight(double x) const { return std::log(head(p_, b_, x) + head(p_, b_, width_ - x) - 1); }

  Power p_;
  double b_, width_, change_, allowed_;
};

}  // namespace

Real certified_loss(RangeLaw law, Power p, const Real& b, const Real& width, const Real& asked) {
  static const Real margin("1e-25");
  const Real change = std::min<Real>(asked, width);
  const Real gap = (power_of(width, p) - power_of(Real(width - change), p)) / power_of(b, p) * (1 + margin);
  if (law == RangeLaw::boundary) {
    const Bounds far = scaled_tail_bounds(p, b, width);
    if (change < width) return gap + log(scaled_tail_bounds(p, b, width - change).high / far.low) * (1 + margin);
    // The whole range: from half of all the weight, zero included.
    return gap + log(tail_bounds(p, b, 0).high / far.low) * (1 + margin);
  }
  const Bounds all = head_bounds(p, b, width);
  const Bounds left = head_bounds(p, b, change), right = head_bounds(p, b, width - change);
  if (p == 1) return gap + log((left.high + right.high - 1) / all.low);
  const Real first = gap + log(all.high / (left.low + right.low - 1));
  if (p == 2) return first;
  const auto allowed = static_cast<double>(first) * (1 + 1e-4);
  const auto w = static_cast<double>(width), d = static_cast<double>(change);
  const double from = std::max(std::floor(w / 2) - d, 0.0);
  if (from > w - d) return first;
  // In doubles these bounds are off by much less than the one part in 10^9 (or 10^-12) that is added.
  const double others =
      Blocks(p, static_cast<double>(b), w, d, allowed).worst(std::max(from, 1.0), std::max(w - d, 1.0));
  if (w - d < 1 || others * (1 + 1e-9) + 1e-12 <= first) return first;
  return std::max<Real>(first, others * (1 + 1e-9) + 1e-12);
}

double continuous_range_scale(RangeLaw law, Power power, double width, double change, Epsilon epsilon) {
  const double p = power.value();
  change = std::min(change, width);
  return falling_scale(p, width, change, epsilon, [&](double b) {
    if (law == RangeLaw::boundary) {
      return power_gap(p, b, width, change) + log_scaled_continuous_tail(p, (width - change) / b) -
             log_scaled_continuous_tail(p, width / b);
    }
    const auto weight = [&](double t) { return lower_gamma_share(1.0 / p, std::pow(t / b, p)); };
    return truncated_loss(p, b, width, change, weight, 0);
  });
}

noise::GeneralisedGaussian certified_range_scale(RangeLaw law, Power p, noise::Uint128 width, noise::Uint128 asked,
                                                 Epsilon epsilon) {
  const noise::Uint128 change = std::min<noise::Uint128>(asked, width);
  const Real limit = Real(epsilon.nano) / Epsilon::kPerUnit;
  const double found = find_range_scale(law, p, static_cast<double>(width), static_cast<double>(change), epsilon);
  for (double enlarged = found, step = 0x1p-32;; step *= 8, enlarged = found * (1 + step)) {
    const auto sampled = law_above(p, enlarged, epsilon);
    if (certified_loss(law, p, exact_scale(sampled), Real(width), Real(change)) <= limit) return sampled;
  }
}

}  // namespace dp::mechanism
