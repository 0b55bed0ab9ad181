// The law that is sampled for a mixture: its loss is the worst ratio of its pmf, at most epsilon, and hardly less. And
// its figures, from its pmf.
#include "core/mechanism/r2dp/mixture_certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/mechanism/r2dp/mixture_family.h"
#include "core/mechanism/r2dp/mixture_loss.h"
#include "support/mixture_law.h"

namespace dp::test {
namespace {

using mechanism::certified_mixture;
using mechanism::Mixture;
using mechanism::mixture_loss;
using mechanism::MixtureFamily;
using mechanism::MixtureProblem;
using noise::LaplaceMixture;
using noise::ratio;
using noise::Uint128;

constexpr auto kUsefulness = MixtureProblem::Metric::usefulness;
constexpr auto kL1 = MixtureProblem::Metric::l1;
constexpr auto kL2 = MixtureProblem::Metric::l2;

// ln of the greatest ratio of the pmf at two places at most `sensitivity` apart, by looking at all of them near zero.
Real worst_ratio(const LaplaceMixture& law, std::int64_t sensitivity) {
  const MixtureLaw pmf(law);
  std::vector<Real> logs;
  for (std::int64_t x = -2 * sensitivity; x <= 2 * sensitivity; ++x) logs.push_back(log(pmf.mass(x)));
  Real worst = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    for (std::size_t j = i; j < logs.size() && j - i <= static_cast<std::size_t>(sensitivity); ++j) {
      worst = std::max<Real>(worst, abs(logs[i] - logs[j]));
    }
  }
  return worst;
}

// Theorem 4.4 of the R2DP paper says that scale 10 with probability .9, else 1, loses .2362. It loses .4744.
TEST(MixtureLoss, OfTwoScalesIsNotThePapersBernoulliFormula) {
  const auto on_steps = [](std::uint64_t steps) {
    return LaplaceMixture{10, 2, {{{9, ratio(1, 10 * steps)}, {1, ratio(1, steps)}}}};
  };
  EXPECT_NEAR(static_cast<double>(mixture_loss(on_steps(1 << 20), 1 << 20)), 0.4744, 1e-4);
  EXPECT_NEAR(static_cast<double>(worst_ratio(on_steps(40), 40)), 0.4744, 1e-3);
  EXPECT_NEAR((MixtureProblem{1, kL1}.loss({{0.9, 0.1}, {0.1, 1}})), 0.4744, 1e-4);
}

TEST(MixtureLoss, IsTheWorstRatioOfThePmf) {
  const LaplaceMixture laws[] = {{3, 2, {{{1, ratio(1, 3)}, {2, ratio(5, 2)}}}},
                                 {10, 3, {{{1, ratio(1, 50)}, {2, ratio(1, 2)}, {7, ratio(4, 1)}}}},
                                 {1, 1, {{{1, ratio(2, 7)}}}}};
  for (const LaplaceMixture& law : laws) {
    for (const std::int64_t sensitivity : {1, 2, 7, 20}) {
      EXPECT_LE(abs(mixture_loss(law, sensitivity) - worst_ratio(law, sensitivity)), 1e-40);
    }
  }
}

// Not above epsilon at all, not below but for one part in a million.
void expect_certified(const MixtureProblem& problem, const Mixture& mixture, Uint128 sensitivity) {
  const auto nano = static_cast<std::uint64_t>(std::llround(problem.epsilon * 1e9));
  const auto law = certified_mixture(mixture, ratio(nano, 1'000'000'000), sensitivity);
  ASSERT_TRUE(law.has_value());
  const Real epsilon = Real(nano) / 1'000'000'000;
  const Real loss =
      sensitivity <= 10 ? worst_ratio(*law, static_cast<std::int64_t>(sensitivity)) : mixture_loss(*law, sensitivity);
  EXPECT_LE(loss, epsilon);
  EXPECT_GE(loss, epsilon * (1 - Real(1e-6)));
  Uint128 total = 0;
  for (unsigned i = 0; i < law->count; ++i) {
    total += law->atoms[i].weight;
    EXPECT_GE(law->atoms[i].weight, 1u);
    EXPECT_GE(law->atoms[i].rate.num, 1u);
  }
  EXPECT_TRUE(total == law->total);
}

TEST(CertifiedMixture, LosesEpsilon) {
  int mixtures = 0;
  for (const double epsilon : {1.5, 2.0, 5.0, 8.0, 20.0, 60.0, 100.0, 1000.0}) {
    for (const Uint128 sensitivity : {Uint128{1}, Uint128{4}, Uint128{1000}, Uint128{1} << 32, Uint128{1} << 63}) {
      const auto steps = static_cast<double>(sensitivity);
      for (const double part : {0.01, 0.1, 0.5}) {
        for (const auto metric : {kUsefulness, kL1, kL2}) {
          SCOPED_TRACE(testing::Message() << epsilon << ' ' << steps << ' ' << part << ' ' << static_cast<int>(metric));
          const MixtureProblem problem{epsilon, metric, (std::floor(part * steps) + 0.5) / steps, steps};
          const Mixture best = optimal_mixture(problem);
          if (best.size() == 1) continue;
          ++mixtures;
          expect_certified(problem, best, sensitivity);
        }
      }
    }
  }
  EXPECT_GT(mixtures, 200);
}

TEST(CertifiedMixture, FamiliesLoseEpsilon) {
  for (const double epsilon : {2.0, 5.0, 30.0}) {
    for (const Uint128 sensitivity : {Uint128{4}, Uint128{1000}, Uint128{1} << 32}) {
      for (int family = 0; family < 4; ++family) {
        SCOPED_TRACE(testing::Message() << epsilon << ' ' << static_cast<double>(sensitivity) << ' ' << family);
        const auto steps = static_cast<double>(sensitivity);
        const MixtureProblem problem{epsilon, kUsefulness, 0.05, steps};
        const Mixture best = best_of_family(problem, static_cast<MixtureFamily>(family), LaplaceMixture::kMaxAtoms);
        if (best.size() > 1) expect_certified(problem, best, sensitivity);
      }
    }
  }
}

// A mixture that is wrong by a little is put right; one that cannot be is refused.
TEST(CertifiedMixture, WeightsAreMovedUntilItHolds) {
  const MixtureProblem problem{5, kL1};
  expect_certified(problem, {{0.29, 2.6}, {0.71, 11.1}}, 1000);
  expect_certified(problem, {{0.31, 2.6}, {0.69, 11.1}}, 1000);
  EXPECT_FALSE(certified_mixture({{0.5, 5.1}, {0.5, 11}}, ratio(5, 1), 1000).has_value());
}

TEST(MixtureFigures, OnTheReals) {
  // The l1 optimum at epsilon 5; entropy, interval and phi by other means.
  const Mixture mixture{{1 - 0.701399200739238, 2.601895593121156}, {0.701399200739238, 11.104181640922029}};
  const mechanism::Loss figures = mechanism::continuous_loss(mixture);
  EXPECT_NEAR(figures.scale, 0.11674888586208802, 1e-12);
  EXPECT_NEAR(figures.expected_abs, 0.1779281119209672, 1e-12);
  EXPECT_NEAR(figures.expected_sq, 0.09959160765503754, 1e-12);
  EXPECT_NEAR(figures.entropy_bits, -0.15655054842584804, 1e-9);
  EXPECT_NEAR(figures.interval95, 0.6894011400976053, 1e-10);
  EXPECT_NEAR(mechanism::continuous_phi(mixture, 2), 0.8670588597546252, 1e-12);
  EXPECT_NEAR(mechanism::continuous_within(mixture, figures.interval95), 0.95, 1e-10);
  // Of Laplace itself: log2(2e/u).
  EXPECT_NEAR(mechanism::continuous_loss({{1, 1e-3}}).entropy_bits, std::log2(2000 * std::exp(1.0)), 1e-9);
}

TEST(MixtureFigures, OnTheIntegersFromThePmf) {
  const LaplaceMixture laws[] = {{3, 2, {{{1, ratio(1, 3)}, {2, ratio(5, 2)}}}},
                                 {10, 3, {{{1, ratio(1, 900)}, {2, ratio(1, 2)}, {7, ratio(40, 1)}}}},
                                 {2, 2, {{{1, ratio(1, 4000)}, {1, ratio(1, 1000)}}}}};
  for (const LaplaceMixture& law : laws) {
    const auto pmf = [&law](double x) {
      double sum = 0;
      for (unsigned i = 0; i < law.count; ++i) {
        const auto& [weight, rate] = law.atoms[i];
        const double r = static_cast<double>(rate.num) / static_cast<double>(rate.den);
        sum += static_cast<double>(weight) / static_cast<double>(law.total) * std::tanh(r / 2) * std::exp(-r * x);
      }
      return sum;
    };
    double abs_sum = 0, sq_sum = 0, entropy = 0, phi = 0, mass = 0, interval = -1;
    for (std::int64_t x = 0; x < 200'000; ++x) {
      const double p = pmf(static_cast<double>(x)) * (x == 0 ? 1 : 2), each = x == 0 ? p : p / 2;
      const auto size = static_cast<double>(x);
      if (p == 0) break;
      abs_sum += p * size;
      sq_sum += p * size * size;
      entropy -= p * std::log2(each);
      phi += p * std::cos(0.3 * size);
      mass += p;
      if (mass < 0.95) interval = size;
      if (x == 5) {
        EXPECT_NEAR(mechanism::integer_within(law, 5.7), mass, 1e-12);
      }
    }
    const mechanism::Loss figures = mechanism::loss(law);
    EXPECT_NEAR(figures.expected_abs / abs_sum, 1, 1e-9);
    EXPECT_NEAR(figures.expected_sq / sq_sum, 1, 1e-9);
    EXPECT_NEAR(figures.entropy_bits, entropy, 1e-8);
    EXPECT_NEAR(mechanism::integer_phi(law, 0.3), phi, 1e-9);
    EXPECT_EQ(figures.interval95, interval + 1);
  }
}

// Far more steps than can be added up: the figures are the continuous ones, in steps.
TEST(MixtureFigures, OnFineSteps) {
  const Uint128 steps = Uint128{1} << 40;
  const LaplaceMixture law{10, 2, {{{3, ratio(2, steps)}, {7, ratio(11, steps)}}}};
  const mechanism::Loss fine = mechanism::loss(law), real = mechanism::continuous_loss({{0.3, 2}, {0.7, 11}});
  EXPECT_NEAR(fine.expected_abs / 0x1p40, real.expected_abs, 1e-9);
  EXPECT_NEAR(fine.entropy_bits - 40, real.entropy_bits, 1e-7);
  EXPECT_NEAR(fine.interval95 / 0x1p40, real.interval95, 1e-9);
}

}  // namespace
}  // namespace dp::test
