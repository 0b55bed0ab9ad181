#include "core/mechanism/r2dp/rate_sum.h"

#include <algorithm>
#include <cmath>

#include "core/mechanism/r2dp/gauss_rule.h"
#include "core/number/special_functions.h"

namespace dp::mechanism {
namespace {

// A part of u no larger than this beside the shift is put at its mean.
constexpr double kSmallPart = 1e-3;

constexpr double kMiddle = 4;  // of the rates that matter: above 1, where the loss is decided

// Gauss-Legendre on [0, 1], in ascending order.
std::array<RateNode, 40> legendre() {
  const LegendreRule rule = legendre_rule_40();
  std::array<RateNode, 40> nodes;
  for (unsigned i = 0; i < 20; ++i) {
    const double x = rule.points[i], w = rule.weights[i];
    nodes[19 - i] = {(1 - x) / 2, w / 2};
    nodes[20 + i] = {(1 + x) / 2, w / 2};
  }
  return nodes;
}

// A gamma law of shape k cut into many points, evenly by their logarithms: the density of ln t is analytic and dies out
// on both sides, so the trapezoidal rule is exact to many digits. What lies to the left of the first point is put
// there.
std::vector<RateNode> gamma_points(double k) {
  constexpr int kPoints = 60;
  // From y = ln k the density of y = ln t falls by e^{-k(e^d - 1 - d)}, by e^{-30} or more at both ends.
  const double spread = std::sqrt(60 / k);
  const double from = std::max(std::log(k) - spread - 30 / k, std::log(1e-12));
  const double step = (std::log(k) + std::log1p(spread + 60 / k) - from) / kPoints;
  std::vector<RateNode> nodes;
  for (int i = 0; i <= kPoints; ++i) {
    const double y = from + i * step;
    nodes.push_back({std::exp(y), step * std::exp(k * y - std::exp(y) - std::lgamma(k))});
  }
  nodes.front().weight = nodes.front().weight / 2 + lower_gamma_share(k, nodes.front().at);
  double total = 0;
  for (const RateNode& node : nodes) total += node.weight;
  for (RateNode& node : nodes) node.weight /= total;
  return nodes;
}

// Few atoms for many points. The rule is Gauss's in z = u/(u + kMiddle), of which both e^{-u} and 1/u are smooth
// functions, while polynomials in u are of no interest where u is large.
Mixture gauss_atoms(Mixture points, std::size_t atoms) {
  for (MixtureAtom& point : points) point.rate /= point.rate + kMiddle;
  Mixture rule = gauss_rule(recurrence_of(points, atoms));
  double total = 0;  // 1, but for rounding
  for (const MixtureAtom& atom : rule) total += atom.weight;
  for (MixtureAtom& atom : rule) atom = {atom.weight / total, atom.rate * kMiddle / (1 - atom.rate)};
  return rule;
}

}  // namespace

RateTransform::RateTransform(const RateSum& sum) : sum_(sum) {
  // Half of the nodes lie in the first part of [0, 1], evenly by the logarithm of 1 + reach t. There e^{-ux} falls on a
  // scale of 1/reach, which, where the reach is large, no rule for the whole of [0, 1] sees.
  static const std::array<RateNode, kNodes / 2> nodes = legendre();
  constexpr double kFirst = 0.1;
  const double stretch = std::log1p(kFirst * sum.reach) + 1e-6;
  double total = 0;
  const auto put = [&](unsigned place, double t, double weight) {
    gaussian_[place] = {t, weight * std::exp(sum.tilt * t - sum.curve * t * t)};
    total += gaussian_[place].weight;
  };
  for (unsigned i = 0; i < kNodes / 2; ++i) {
    const auto [at, weight] = nodes[i];
    const double unit = kFirst / std::expm1(stretch);
    put(i, unit * std::expm1(stretch * at), unit * weight * stretch * std::exp(stretch * at));
    put(kNodes / 2 + i, kFirst + (1 - kFirst) * at, (1 - kFirst) * weight);
  }
  for (RateNode& node : gaussian_) {
    node.weight /= total;
    gaussian_mean_ += node.weight * node.at;
  }
  mean_ = at(0).mean;
}

bool RateTransform::needs_gaussian() const { return sum_.reach > kSmallPart * sum_.shift; }

RateTransform::Value RateTransform::at(double x) const {
  Value v{-sum_.shift * x, sum_.shift, 0};
  if (sum_.width > 0) {
    const double z = sum_.width * x;
    v.log += z < 1e-5 ? -z / 2 : std::log(-std::expm1(-z) / z);
    v.mean += sum_.width * (z < 1e-5 ? 0.5 - z / 12 : 1 / z - 1 / std::expm1(z));
    v.variance += sum_.width * sum_.width *
                  (z < 0.1 ? 1.0 / 12 - z * z / 240 : 1 / (z * z) - 0.25 / std::pow(std::sinh(z / 2), 2));
  }
  if (sum_.theta > 0) {
    const double mean_of_one = sum_.theta / (1 + sum_.theta * x);
    v.log -= sum_.k * std::log1p(sum_.theta * x);
    v.mean += sum_.k * mean_of_one;
    v.variance += sum_.k * mean_of_one * mean_of_one;
  }
  if (!needs_gaussian()) {
    v.log -= sum_.reach * gaussian_mean_ * x;
    v.mean += sum_.reach * gaussian_mean_;
    return v;
  }
  double total = 0, first = 0, second = 0;
  const double first_exponent = sum_.reach * x * gaussian_[0].at;  // the least: keeps the sum above zero
  for (const RateNode& node : gaussian_) {
    const double part = node.weight * std::exp(first_exponent - sum_.reach * x * node.at);
    total += part;
    first += part * node.at;
    second += part * node.at * node.at;
  }
  const double mean = first / total;
  v.log += std::log(total) - first_exponent;
  v.mean += sum_.reach * mean;
  v.variance += sum_.reach * sum_.reach * std::max(second / total - mean * mean, 0.0);
  return v;
}

std::pair<double, double> RateTransform::loss(double x) const {
  const Value v = at(x);
  return {std::log(mean_ / v.mean) - v.log, v.mean + v.variance / v.mean};
}

// The integral of x^{power-1} E e^{-ux}, by the trapezoidal rule in ln x: the integrand is analytic and dies out on
// both sides. To the left of the first point E e^{-ux} is 1, so the terms there are a geometric series.
double RateTransform::inverse_moment(int power) const {
  constexpr double kStep = 0.6;
  if (sum_.width == 0 && sum_.theta == 0) {
    double sum = 0;
    for (const RateNode& node : gaussian_) sum += node.weight / std::pow(sum_.shift + sum_.reach * node.at, power);
    return sum;
  }
  const double from = -std::log(mean_) - 8.0;
  double sum = std::exp(power * from) / std::expm1(power * kStep), largest = 0;
  for (double y = from; y < from + 200; y += kStep) {
    const double term = std::exp(power * y + at(std::exp(y)).log);
    sum += term;
    largest = std::max(largest, term);
    if (term < 1e-7 * largest) return sum * kStep;
  }
  return std::numeric_limits<double>::infinity();
}

// By adding one part after another. A part too small to matter is put at its mean; where each of many points meets
// each of another part's, the many are condensed first.
Mixture condensed(const RateSum& sum, double factor, std::size_t atoms) {
  constexpr std::size_t kMany = 30;
  Mixture points{{1, sum.shift * factor}};
  const auto add = [&](double size, const auto& nodes) {
    if (size <= kSmallPart * sum.shift) {
      double mean = 0;
      for (const auto& [at, share] : nodes) mean += share * at;
      for (MixtureAtom& point : points) point.rate += factor * size * mean;
      return;
    }
    if (points.size() > kMany) points = gauss_atoms(std::move(points), kMany);
    Mixture sums;
    for (const auto& [weight, rate] : points) {
      for (const auto& [at, share] : nodes) sums.push_back({weight * share, rate + factor * size * at});
    }
    points = std::move(sums);
  };
  add(sum.width, legendre());
  add(sum.reach, RateTransform(sum).gaussian_);
  if (sum.theta > 0) add(sum.theta, gamma_points(sum.k));
  return gauss_atoms(std::move(points), atoms);
}

}  // namespace dp::mechanism
