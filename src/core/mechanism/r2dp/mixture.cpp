#include "core/mechanism/r2dp/mixture.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "core/noise/interrupt.h"

namespace dp::mechanism {
namespace {

// Weights below this are not sampled (mixture_certificate.h has a fixed denominator).
constexpr double kLeastWeight = 0x1p-96;

// Atoms of larger rate are not sampled: e^{-60} of their mass is not at zero.
constexpr double kMostRatePerStep = 60;
constexpr double kMostRate = 1e15;  // on the reals

// A candidate for u0 or u1.
struct Side {
  double rate;
  double log_slack;
  double cost;

  Side(const MixtureProblem& problem, double rate_)
      : rate(rate_), log_slack(problem.log_slack(rate_)), cost(problem.cost(rate_)) {}
};

// p0 = h1/(h1 - h0), the weight of u0 that makes E h = 0.
double low_weight(const Side& low, const Side& high) {
  const double odds = std::exp(high.log_slack - low.log_slack);
  return std::max(std::isinf(odds) ? 1.0 : odds / (1 + odds), kLeastWeight);
}

double cost_of_pair(const Side& low, const Side& high) {
  const double weight = low_weight(low, high);
  return weight * low.cost + (1 - weight) * high.cost;
}

// The way from `from` to `to` cut evenly by logarithms into `count` pieces.
std::vector<double> ladder(double from, double to, int count) {
  std::vector<double> rungs;
  for (int i = 0; i <= count; ++i) rungs.push_back(from * std::pow(to / from, static_cast<double>(i) / count));
  return rungs;
}

// Candidates between least and epsilon, evenly both by their logarithms and by those of the distance from epsilon.
std::vector<double> low_rates(double least, double epsilon) {
  std::vector<double> rates = ladder(least, epsilon * 0.99, 80);
  for (const double gap : ladder(1e-4, 0.3, 40)) rates.push_back(epsilon * (1 - gap));
  std::sort(rates.begin(), rates.end());
  return rates;
}

std::vector<double> high_rates(double epsilon, double most) {
  std::vector<double> rates = ladder(1e-4 * epsilon, most - epsilon, 240);
  for (double& rate : rates) rate += epsilon;
  return rates;
}

std::vector<Side> sides(const MixtureProblem& problem, const std::vector<double>& rates) {
  std::vector<Side> found;
  for (const double rate : rates) found.emplace_back(problem, rate);
  return found;
}

// The rate between the neighbours of the place-th at which `cost` is least.
template <class Cost>
Side polished(const MixtureProblem& problem, const Side& side, const std::vector<double>& rates, std::size_t place,
              Cost cost) {
  const double low = std::log(rates[place == 0 ? 0 : place - 1]);
  const double high = std::log(rates[std::min(place + 1, rates.size() - 1)]);
  const auto at = [&](double log_rate) { return cost(Side(problem, std::exp(log_rate))); };
  const Side found(problem, std::exp(boost::math::tools::brent_find_minima(at, low, high, 40).first));
  return cost(found) < cost(side) ? found : side;
}

}  // namespace

double MixtureProblem::peak(double rate) const {
  return std::isinf(steps) ? rate : 2 * steps * std::tanh(rate / (2 * steps));
}

double MixtureProblem::log_slack(double rate) const {
  const double gap = std::abs(epsilon - rate);
  return std::log(peak(rate)) + std::max(epsilon - rate, 0.0) + std::log(-std::expm1(-gap));
}

double MixtureProblem::cost(double rate) const {
  const bool real = std::isinf(steps);
  const double half_step = real ? 0 : rate / (2 * steps);
  switch (metric) {
    case Metric::usefulness:
      return std::exp(-rate * half_width) / std::cosh(half_step);
    case Metric::l1:
      return real ? 1 / rate : 1 / (steps * std::sinh(2 * half_step));
    case Metric::l2:
      break;
  }
  const double root = real ? rate / 2 : steps * std::sinh(half_step);
  return 1 / (2 * root * root);
}

double MixtureProblem::cost(const Mixture& mixture) const {
  double sum = 0;
  for (const auto& [weight, rate] : mixture) sum += weight * cost(rate);
  return sum;
}

double MixtureProblem::loss(const Mixture& mixture) const {
  double least = mixture.front().rate;
  for (const MixtureAtom& atom : mixture) least = std::min(least, atom.rate);
  double here = 0, there = 0;
  for (const auto& [weight, rate] : mixture) {
    here += weight * peak(rate);
    there += weight * peak(rate) * std::exp(least - rate);
  }
  return std::log(here / there) + least;
}

Mixture optimal_mixture(const MixtureProblem& problem) {
  const double epsilon = problem.epsilon;
  // To the left of the maximum of h, which is not below this, a larger u0 is better for both h and the cost.
  const double least = std::min(epsilon, 1.0) / 8;
  const double most = std::max(std::isinf(problem.steps) ? kMostRate : kMostRatePerStep * problem.steps, 2 * epsilon);
  const std::vector<double> low_rate = low_rates(least, epsilon), high_rate = high_rates(epsilon, most);
  const std::vector<Side> lows = sides(problem, low_rate), highs = sides(problem, high_rate);

  std::size_t low_place = 0, high_place = 0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < lows.size(); ++i) {
    noise::check_interrupt();
    for (std::size_t j = 0; j < highs.size(); ++j) {
      const double cost = cost_of_pair(lows[i], highs[j]);
      if (cost < best) best = cost, low_place = i, high_place = j;
    }
  }
  // At the optimum the two rates do not interact (the line through both is tangent at each), so taking turns converges
  // quadratically.
  Side low = lows[low_place], high = highs[high_place];
  for (int round = 0; round < 4; ++round) {
    low = polished(problem, low, low_rate, low_place, [&](const Side& l) { return cost_of_pair(l, high); });
    high = polished(problem, high, high_rate, high_place, [&](const Side& h) { return cost_of_pair(low, h); });
  }
  if (!(cost_of_pair(low, high) < problem.cost(epsilon) * (1 - 1e-9))) return {{1, epsilon}};
  const double weight = low_weight(low, high);
  return {{weight, low.rate}, {1 - weight, high.rate}};
}

Mixture rescaled(const MixtureProblem& problem, Mixture mixture) {
  const auto scaled = [&](double factor) {
    Mixture result = mixture;
    for (MixtureAtom& atom : result) atom.rate *= factor;
    return result;
  };
  std::uintmax_t iterations = 200;
  const auto excess = [&](double factor) { return problem.loss(scaled(factor)) - problem.epsilon; };
  const auto [low, high] = boost::math::tools::bracket_and_solve_root(
      excess, 1.0, 1.5, true, boost::math::tools::eps_tolerance<double>(50), iterations);
  return scaled(low);
}

}  // namespace dp::mechanism
