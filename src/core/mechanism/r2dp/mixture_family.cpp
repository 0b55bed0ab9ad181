#include "core/mechanism/r2dp/mixture_family.h"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "core/mechanism/r2dp/rate_sum.h"
#include "core/mechanism/r2dp/simplex.h"
#include "core/noise/interrupt.h"

namespace dp::mechanism {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The search's problem: on the reals, whatever the lattice.
class Search {
 public:
  explicit Search(const MixtureProblem& problem) : problem_(problem) {}

  // The factor for u at which the loss is epsilon; infinite where none below 1e15 is.
  double factor(const RateTransform& transform) const {
    const double most = 1e15 / transform.mean();
    if (!(transform.loss(most).first > problem_.epsilon)) return kNever;
    const auto excess = [&](double x) {
      const auto [loss, slope] = transform.loss(x);
      return std::pair{loss - problem_.epsilon, slope};
    };
    const double guess = problem_.epsilon / transform.loss(0).second;
    std::uintmax_t iterations = 100;
    return boost::math::tools::newton_raphson_iterate(excess, guess, 0.0, most, 20, iterations);
  }

  double cost(const RateSum& sum) const {
    noise::check_interrupt();
    const RateTransform transform(sum);
    const double factor_ = factor(transform);
    if (std::isinf(factor_)) return kNever;
    switch (problem_.metric) {
      case MixtureProblem::Metric::usefulness:
        return std::exp(transform.at(factor_ * problem_.half_width).log);
      case MixtureProblem::Metric::l1:
        return transform.inverse_moment(1) / factor_;
      case MixtureProblem::Metric::l2:
        break;
    }
    return 2 * transform.inverse_moment(2) / (factor_ * factor_);
  }

 private:
  const MixtureProblem& problem_;
};

// The best of a ladder of values of one parameter, then improved between its neighbours.
template <class Make>
RateSum best_along(const Search& search, double from, double to, int count, Make make) {
  const double step = (to - from) / count;
  const auto at = [&](double p) { return search.cost(make(p)); };
  double best = from, least = kNever;
  for (int i = 0; i <= count; ++i) {
    const double cost = at(from + i * step);
    if (cost < least) least = cost, best = from + i * step;
  }
  const double found = boost::math::tools::brent_find_minima(at, best - step, best + step, 26).first;
  return make(at(found) < least ? found : best);
}

RateSum gamma(double log_k) { return {.shift = 0, .k = std::exp(log_k), .theta = 1}; }
RateSum uniform(double log_width) { return {.width = std::exp(log_width)}; }

RateSum truncated_gaussian(const std::array<double, 3>& p) {
  return {.reach = std::exp(p[0]), .tilt = p[1], .curve = std::exp(p[2])};
}

RateSum combined(const std::array<double, 6>& p) {
  RateSum sum = truncated_gaussian({p[0], p[1], p[2]});
  sum.k = std::exp(p[3]);
  sum.theta = std::exp(p[4]);
  sum.width = std::exp(p[5]);
  return sum;
}

// Where the parameters are searched. Narrower would leave out members of the family; wider only repeats them, with less
// of [0, 1] used.
bool inside(const std::array<double, 3>& p) { return p[0] < 14 && std::abs(p[1]) < 30 && p[2] > -12 && p[2] < 4; }

// The best few starting points, each improved.
template <std::size_t N, class Cost>
Vertex<N> best_from(const std::vector<std::array<double, N>>& starts, Cost cost, std::size_t few, int evaluations) {
  std::vector<Vertex<N>> tried;
  for (const auto& start : starts) tried.push_back({start, cost(start)});
  few = std::min(few, tried.size());
  const auto better = [](const Vertex<N>& a, const Vertex<N>& b) { return a.value < b.value; };
  std::partial_sort(tried.begin(), tried.begin() + static_cast<std::ptrdiff_t>(few), tried.end(), better);
  Vertex<N> best = tried.front();
  for (std::size_t i = 0; i < few; ++i) {
    const Vertex<N> found = minimise<N>(cost, tried[i].at, 0.7, 1e-6, evaluations);
    if (found.value < best.value) best = found;
  }
  return minimise<N>(cost, best.at, 0.2, 1e-8, evaluations);
}

Vertex<3> best_truncated_gaussian(const Search& search) {
  std::vector<std::array<double, 3>> starts;
  for (const double log_reach : {0.5, 1.5, 2.5, 3.5, 4.5, 6.0}) {
    for (const auto& [tilt, log_curve] : {std::pair{-6.0, -4.0}, {0.0, -4.0}, {4.0, -4.0}, {0.0, 2.0}, {5.0, 2.0}}) {
      starts.push_back({log_reach, tilt, log_curve});
    }
  }
  const auto cost = [&](const std::array<double, 3>& p) {
    return inside(p) ? search.cost(truncated_gaussian(p)) : kNever;
  };
  return best_from(starts, cost, 3, 150);
}

Vertex<6> best_combined(const Search& search) {
  constexpr double kNothing = -9;
  const Vertex<3> gaussian = best_truncated_gaussian(search);
  std::vector<std::array<double, 6>> starts{{gaussian.at[0], gaussian.at[1], gaussian.at[2], 0, kNothing, kNothing}};
  for (const double log_k : {-1.5, -0.5, 0.5}) {
    for (const double log_theta : {1.0, 2.0, 3.0, 4.0, 5.0}) {
      starts.push_back({kNothing, 0, -4, log_k, log_theta, kNothing});
      starts.push_back({kNothing, 0, -4, log_k, log_theta, 1.0});
    }
  }
  const auto cost = [&](const std::array<double, 6>& p) {
    const bool fits = inside({p[0], p[1], p[2]}) && std::abs(p[3]) < 6 && p[4] < 14 && p[5] < 14;
    return fits ? search.cost(combined(p)) : kNever;
  };
  return best_from(starts, cost, 3, 600);
}

RateSum best_sum(const MixtureProblem& problem, MixtureFamily family) {
  const Search search(problem);
  switch (family) {
    case MixtureFamily::gamma:
      return best_along(search, std::log(0.02), std::log(1e4), 40, gamma);
    case MixtureFamily::uniform:
      return best_along(search, -4, 12, 40, uniform);
    case MixtureFamily::truncated_gaussian:
      return truncated_gaussian(best_truncated_gaussian(search).at);
    case MixtureFamily::combined:
      break;
  }
  return combined(best_combined(search).at);
}

}  // namespace

Mixture best_of_family(const MixtureProblem& problem, MixtureFamily family, std::size_t atoms) {
  const Mixture laplace{{1, problem.epsilon}};
  if (optimal_mixture(problem).size() == 1) return laplace;  // no law beats it, so none of the family
  const RateSum sum = best_sum(problem, family);
  const double factor = Search(problem).factor(RateTransform(sum));
  if (std::isinf(factor)) return laplace;
  Mixture mixture = condensed(sum, factor, atoms);
  mixture = rescaled(problem, std::move(mixture));
  return problem.cost(mixture) < problem.cost(laplace) * (1 - 1e-9) ? mixture : laplace;
}

}  // namespace dp::mechanism
