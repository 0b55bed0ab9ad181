// staircase: uniform steps inside geometric stairs, the least noisy pure mechanism for one number of large sensitivity.
//
// Source: Geng, Viswanath, "The Optimal Mechanism in Differential Privacy" (2014). The law's ratio is at most e^epsilon for
// every shift up to the width of a stair, but reaches it for a shift of 1 already. So when m coordinates change at once
// each one gets epsilon/m and its own sensitivity, and basic composition gives epsilon; the joint l1 would not be private.
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <complex>
#include <numbers>

#include "mechanism/catalogue.h"

namespace dp::mechanism {
namespace {

using noise::Uint128;

constexpr std::string_view kMetrics[] = {"l1", "l2"};
constexpr Key kKeys[] = {{"metric", Key::Type::choice, kMetrics}};

// Sums over the stairs j with weight a^j, a = e^{-epsilon}, relative to their total.
struct Stairs {
  double epsilon;
  double alpha = std::exp(-epsilon);
  double mean = 1 / std::expm1(epsilon);                      // E j
  double mean_sq = mean * (1 + alpha) / -std::expm1(-epsilon);  // E j^2
};

// The continuous law at sensitivity 1 with flat step s in (0, 1].
Loss continuous_loss(const Stairs& stairs, double s) {
  const double alpha = stairs.alpha;
  const double w = s + alpha * (1 - s);
  const double first = (s * s + alpha * (1 - s * s)) / w;
  const double expected_abs = stairs.mean + first / 2;
  const double expected_sq = stairs.mean_sq + stairs.mean * first + (s * s * s + alpha * (1 - s * s * s)) / (3 * w);
  const double peak = -std::expm1(-stairs.epsilon) / (2 * w);
  const double index = stairs.mean + alpha * (1 - s) / w;
  const double entropy = index * stairs.epsilon / std::numbers::ln2 - std::log2(peak);
  // P(|X| > j) = a^j; the rest of the 0.05 is found inside stair j, whose density is constant on two pieces.
  const double stair = std::floor(std::log(20.0) / stairs.epsilon);
  const double within = (1 - 0.05 * std::exp(stairs.epsilon * stair)) * w / -std::expm1(-stairs.epsilon);
  const double position = within <= s ? within : s + (within - s) / alpha;
  return {s, expected_abs, expected_sq, entropy, stair + position};
}

// The integer law with stairs of `width` and flat step r, 1 <= r <= width.
Loss integer_loss(const Stairs& stairs, double width, double r) {
  const double alpha = stairs.alpha;
  const double w = r + alpha * (width - r);
  const double side = w / -std::expm1(-stairs.epsilon);  // weight of {0, 1, 2, ...}
  const double total = 2 * side - 1;
  const auto sum = [](double n) { return n * (n - 1) / 2; };                  // 0 + ... + (n-1)
  const auto sum_sq = [](double n) { return (n - 1) * n * (2 * n - 1) / 6; };  // of squares
  const double first = (sum(r) + alpha * (sum(width) - sum(r))) / w;
  const double second = (sum_sq(r) + alpha * (sum_sq(width) - sum_sq(r))) / w;
  const double both_sides = 2 * side / total;
  const double expected_abs = both_sides * (width * stairs.mean + first);
  const double expected_sq =
      both_sides * (width * width * stairs.mean_sq + 2 * width * stairs.mean * first + second);
  const double index = both_sides * (stairs.mean + alpha * (width - r) / w);
  const double entropy = index * stairs.epsilon / std::numbers::ln2 + std::log2(total);
  const auto tail = [&](double n) {
    const double stair = std::floor((n + 1) / width);
    const double position = n + 1 - stair * width;
    const double passed = position <= r ? position : r + alpha * (position - r);
    return 2 * std::exp(-stairs.epsilon * stair) * (side - passed) / total;
  };
  return {r, expected_abs, expected_sq, entropy, integer_interval95(tail)};
}

// The characteristic function of one flat piece: the integral of e^{itx} over [from, to], or its sum over whole x.
std::complex<double> flat_integral(double t, double from, double to) {
  const double half = t * (to - from) / 2;
  return (to - from) * (half == 0 ? 1 : std::sin(half) / half) * std::polar(1.0, t * (from + to) / 2);
}
std::complex<double> flat_sum(double t, double from, double to) {
  const double length = to - from;
  const double size = std::sin(t / 2) == 0 ? length : std::sin(t * length / 2) / std::sin(t / 2);
  return size * std::polar(1.0, t * (from + to - 1) / 2);
}

// Of all stairs of that width on one side, where `first` is the first one's: sum over j of a^j e^{i t j width}.
std::complex<double> all_stairs(const Stairs& stairs, double t, double width, std::complex<double> first) {
  const double angle = t * width;
  const double half = std::sin(angle / 2);
  return first / std::complex(-std::expm1(-stairs.epsilon) + 2 * stairs.alpha * half * half,
                              -stairs.alpha * std::sin(angle));
}

double continuous_within(const Stairs& stairs, double s, double t) {
  const double stair = std::floor(t);
  const double position = t - stair;
  const double passed = position <= s ? position : s + stairs.alpha * (position - s);
  return -std::expm1(-stairs.epsilon * stair) -
         std::exp(-stairs.epsilon * stair) * std::expm1(-stairs.epsilon) * passed / (s + stairs.alpha * (1 - s));
}

double continuous_phi(const Stairs& stairs, double s, double t) {
  const auto first = flat_integral(t, 0, s) + stairs.alpha * flat_integral(t, s, 1);
  const double peak = -std::expm1(-stairs.epsilon) / (s + stairs.alpha * (1 - s));  // of both sides together
  return std::abs(peak * all_stairs(stairs, t, 1, first).real());
}

// Weight of {0, 1, ..., n} and of one side, in terms of the weight of zero.
struct IntegerWeights {
  Stairs stairs;
  double width, r;

  double side() const { return (r + stairs.alpha * (width - r)) / -std::expm1(-stairs.epsilon); }

  double total() const { return 2 * side() - 1; }

  double up_to(double n) const {
    const double stair = std::floor((n + 1) / width);
    const double position = n + 1 - stair * width;
    const double passed = position <= r ? position : r + stairs.alpha * (position - r);
    return -std::expm1(-stairs.epsilon * stair) * side() + std::exp(-stairs.epsilon * stair) * passed;
  }

  double within(double t) const { return (2 * up_to(std::floor(t)) - 1) / total(); }

  double phi(double t) const {
    const auto first = flat_sum(t, 0, r) + stairs.alpha * flat_sum(t, r, width);
    return std::abs((2 * all_stairs(stairs, t, width, first).real() - 1) / total());
  }
};

bool minimises_sq(const Mechanism& m) { return std::get<Choice>(m.values[0]).index == 1; }

double error_of(const Mechanism& m, const Loss& loss) { return minimises_sq(m) ? loss.expected_sq : loss.expected_abs; }

// The step only decides how good the noise is, never whether it is private; so doubles may choose it.
double best_continuous_step(const Mechanism& m, const Stairs& stairs) {
  const auto error = [&](double log_s) { return error_of(m, continuous_loss(stairs, std::exp(log_s))); };
  return std::exp(boost::math::tools::brent_find_minima(error, std::max(-700.0, -stairs.epsilon - 1), 0.0, 52).first);
}

double best_integer_step(const Mechanism& m, const Stairs& stairs, double width) {
  const auto error = [&](double r) { return error_of(m, integer_loss(stairs, width, r)); };
  const double found = boost::math::tools::brent_find_minima(error, 1.0, std::max(width, 1.0), 52).first;
  const double base = std::clamp(std::floor(found), 1.0, width);
  double best = base;
  for (int offset = -2; offset <= 3; ++offset) {
    const double r = std::clamp(base + offset, 1.0, width);
    if (error(r) < error(best)) best = r;
  }
  return best;
}

Calibration calibrate_staircase(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice) {
  const noise::Ratio share = epsilon.per(changes.coordinates);
  const double value = static_cast<double>(share.num) / static_cast<double>(share.den);
  const double width = static_cast<double>(changes.linf);
  const double step = best_integer_step(m, Stairs{value}, width);
  const Uint128 whole = step >= width ? changes.linf : static_cast<Uint128>(step);
  return {m, noise::Staircase{share, changes.linf, whole}, 0};
}

Description describe_staircase(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  const Stairs stairs{epsilon.value()};
  if (lattice == Lattice::integer) {
    const double r = best_integer_step(m, stairs, sensitivity);
    const IntegerWeights weights{stairs, sensitivity, r};
    return {m, integer_loss(stairs, sensitivity, r), [weights](double t) { return weights.within(t); },
            [weights](double t) { return weights.phi(t); }};
  }
  const double s = best_continuous_step(m, stairs);
  const Loss unit = continuous_loss(stairs, s);
  return {m,
          {unit.scale * sensitivity, unit.expected_abs * sensitivity, unit.expected_sq * sensitivity * sensitivity,
           unit.entropy_bits + std::log2(sensitivity), unit.interval95 * sensitivity},
          [=](double t) { return continuous_within(stairs, s, t / sensitivity); },
          [=](double t) { return continuous_phi(stairs, s, t * sensitivity); }};
}

}  // namespace

Loss loss(const noise::Staircase& law) {
  const double epsilon = static_cast<double>(law.epsilon.num) / static_cast<double>(law.epsilon.den);
  return integer_loss(Stairs{epsilon}, static_cast<double>(law.width), static_cast<double>(law.step));
}

const Family kStaircase{"staircase", "staircase(metric=l2)", kKeys, accept_keys, calibrate_staircase, describe_staircase};

}  // namespace dp::mechanism
