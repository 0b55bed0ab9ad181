// r2dp: Laplace noise whose scale is drawn anew for every number, from the law of scales that serves a purpose best:
// that |noise| <= gamma (in units of the answer), or a small E|noise| (l1) or E noise^2 (l2).
//
// Source: Mohammady and others, "R2DP" (2020), corollary 3.3; its theorem 4.4 for two scales is not private and not
// used. Proof: mixture_certificate.h, on the integers that are drawn. That proof is for one number: the loss is not
// linear in the shift, so when m coordinates change at once each one gets epsilon/m and its own sensitivity. The same
// holds for the scale: one that several coordinates share would lose what the smallest scale loses, up to 22.6 instead
// of 5. Where no mixture beats it the law is Laplace's (small epsilon, gamma above the sensitivity), calibrated to the
// joint l1.
#include <cmath>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/r2dp/mixture_certificate.h"
#include "core/mechanism/r2dp/mixture_family.h"
#include "core/mechanism/r2dp/mixture_loss.h"

namespace dp::mechanism {
namespace {

using Metric = MixtureProblem::Metric;
using noise::LaplaceMixture;

enum Place { kGamma, kMetric, kFamily };
constexpr std::string_view kMetrics[] = {"usefulness", "l1", "l2"};  // in the order of MixtureProblem::Metric
constexpr std::string_view kFamilies[] = {"optimal", "gamma", "uniform", "truncated_gaussian", "combined"};
constexpr Key kKeys[] = {
    {"gamma", Key::Type::number}, {"metric", Key::Type::choice, kMetrics}, {"family", Key::Type::choice, kFamilies}};

Metric metric_of(const Mechanism& m) { return static_cast<Metric>(std::get<Choice>(m.values[kMetric]).index); }

void check_r2dp(const Mechanism& m) {
  const auto* gamma = std::get_if<double>(&m.values[kGamma]);
  if (metric_of(m) == Metric::usefulness && gamma == nullptr) {
    throw Error("mechanism \"r2dp\" needs gamma or metric",
                "Give the error that is still useful, r2dp(gamma=5), or what to make small, r2dp(metric=l1).");
  }
  if (metric_of(m) != Metric::usefulness && gamma != nullptr) {
    throw Error("mechanism \"r2dp\" takes gamma or metric, not both",
                "Write r2dp(gamma=5) for |noise| <= 5 as often as possible, or r2dp(metric=l1) without gamma.");
  }
  if (gamma != nullptr && !(*gamma > 0)) {
    throw Error("gamma must be above zero, not " + decimal(*gamma),
                "It is an error in units of the answer, for example r2dp(gamma=5).");
  }
}

Mixture best_mixture(const Mechanism& m, const MixtureProblem& problem) {
  const unsigned family = std::get<Choice>(m.values[kFamily]).index;
  if (family == 0) return optimal_mixture(problem);
  return best_of_family(problem, static_cast<MixtureFamily>(family - 1), LaplaceMixture::kMaxAtoms);
}

double approximate(const noise::Ratio& ratio) {
  return static_cast<double>(ratio.num) / static_cast<double>(ratio.den);
}

Calibration calibrate_r2dp(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  const noise::DiscreteLaplace laplace{epsilon.per(changes.l1)};
  const noise::Ratio share = epsilon.per(changes.coordinates);
  const double steps = static_cast<double>(changes.linf);
  MixtureProblem problem{.epsilon = approximate(share), .metric = metric_of(m), .steps = steps};
  if (problem.metric == Metric::usefulness) {
    const double whole = std::floor(std::ldexp(std::get<double>(m.values[kGamma]), -lattice.exponent));
    problem.half_width = (whole + 0.5) / steps;
  }
  const Mixture best = best_mixture(m, problem);
  const bool better = best.size() > 1 && problem.cost(best) < problem.cost(approximate(laplace.rate) * steps);
  if (better) {
    if (const auto law = certified_mixture(best, share, changes.linf)) return {m, *law, 0};
  }
  return {m, laplace, 0};
}

Description describe_integer(const Mechanism& m, Epsilon epsilon, double sensitivity) {
  const auto changes = Changes::one(static_cast<noise::Uint128>(sensitivity));
  const Law law = calibrate_r2dp(m, epsilon, changes, Lattice::integer).law;
  const auto* laplace = std::get_if<noise::DiscreteLaplace>(&law);
  const LaplaceMixture mixture = laplace ? LaplaceMixture{1, 1, {{{1, laplace->rate}}}} : std::get<LaplaceMixture>(law);
  return {m, laplace ? loss(*laplace) : loss(mixture), [mixture](double t) { return integer_within(mixture, t); },
          [mixture](double t) { return integer_phi(mixture, t); }};
}

Description describe_r2dp(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  if (lattice == Lattice::integer) return describe_integer(m, epsilon, sensitivity);
  MixtureProblem problem{.epsilon = epsilon.value(), .metric = metric_of(m)};
  if (problem.metric == Metric::usefulness) problem.half_width = std::get<double>(m.values[kGamma]) / sensitivity;
  const Mixture best = best_mixture(m, problem);
  const Loss unit = continuous_loss(best);
  const double s = sensitivity;
  return {m,
          {unit.scale * s, unit.expected_abs * s, unit.expected_sq * s * s, unit.entropy_bits + std::log2(s),
           unit.interval95 * s},
          [best, s](double t) { return continuous_within(best, t / s); },
          [best, s](double t) { return continuous_phi(best, t * s); }};
}

}  // namespace

const Family kR2dp{"r2dp", "r2dp(gamma=5)", kKeys, check_r2dp, calibrate_r2dp, describe_r2dp};

}  // namespace dp::mechanism
