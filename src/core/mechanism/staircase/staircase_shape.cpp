#include "core/mechanism/staircase/staircase_shape.h"

#include <complex>
#include <numbers>

namespace dp::mechanism {
namespace {

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
  return first /
         std::complex(-std::expm1(-stairs.epsilon) + 2 * stairs.alpha * half * half, -stairs.alpha * std::sin(angle));
}

}  // namespace

Loss ContinuousStaircase::loss() const {
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

double ContinuousStaircase::within(double t) const {
  const double stair = std::floor(t);
  const double position = t - stair;
  const double passed = position <= s ? position : s + stairs.alpha * (position - s);
  return -std::expm1(-stairs.epsilon * stair) -
         std::exp(-stairs.epsilon * stair) * std::expm1(-stairs.epsilon) * passed / (s + stairs.alpha * (1 - s));
}

double ContinuousStaircase::phi(double t) const {
  const auto first = flat_integral(t, 0, s) + stairs.alpha * flat_integral(t, s, 1);
  const double peak = -std::expm1(-stairs.epsilon) / (s + stairs.alpha * (1 - s));  // of both sides together
  return std::abs(peak * all_stairs(stairs, t, 1, first).real());
}

double IntegerStaircase::side() const { return (r + stairs.alpha * (width - r)) / -std::expm1(-stairs.epsilon); }

double IntegerStaircase::up_to(double n) const {
  const double stair = std::floor((n + 1) / width);
  const double position = n + 1 - stair * width;
  const double passed = position <= r ? position : r + stairs.alpha * (position - r);
  return -std::expm1(-stairs.epsilon * stair) * side() + std::exp(-stairs.epsilon * stair) * passed;
}

Loss IntegerStaircase::loss() const {
  const double alpha = stairs.alpha;
  const double w = r + alpha * (width - r);
  const auto sum = [](double n) { return n * (n - 1) / 2; };                   // 0 + ... + (n-1)
  const auto sum_sq = [](double n) { return (n - 1) * n * (2 * n - 1) / 6; };  // of squares
  const double first = (sum(r) + alpha * (sum(width) - sum(r))) / w;
  const double second = (sum_sq(r) + alpha * (sum_sq(width) - sum_sq(r))) / w;
  const double both_sides = 2 * side() / total();
  const double expected_abs = both_sides * (width * stairs.mean + first);
  const double expected_sq = both_sides * (width * width * stairs.mean_sq + 2 * width * stairs.mean * first + second);
  const double index = both_sides * (stairs.mean + alpha * (width - r) / w);
  const double entropy = index * stairs.epsilon / std::numbers::ln2 + std::log2(total());
  const auto tail = [this](double n) {
    const double stair = std::floor((n + 1) / width);
    const double position = n + 1 - stair * width;
    const double passed = position <= r ? position : r + stairs.alpha * (position - r);
    return 2 * std::exp(-stairs.epsilon * stair) * (side() - passed) / total();
  };
  return {r, expected_abs, expected_sq, entropy, integer_interval95(tail)};
}

double IntegerStaircase::within(double t) const { return (2 * up_to(std::floor(t)) - 1) / total(); }

double IntegerStaircase::phi(double any) const {
  const double t = std::remainder(any, 2 * std::numbers::pi);  // of whole numbers: a period
  const auto first = flat_sum(t, 0, r) + stairs.alpha * flat_sum(t, r, width);
  return std::abs((2 * all_stairs(stairs, t, width, first).real() - 1) / total());
}

}  // namespace dp::mechanism
