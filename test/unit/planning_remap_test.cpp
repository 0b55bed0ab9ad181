// Readings of a geometric count against the linear programmes OPT1 and OPT2 over all private mechanisms, solved
// elsewhere
// (of another program, copied here; its solver is good to 4e-7).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/planning/minimax_remap.h"
#include "support/errors.h"

namespace dp::planning {
namespace {

using mechanism::Epsilon;
using test::message_of;

constexpr ReadingLoss kLosses[] = {ReadingLoss::abs, ReadingLoss::sq, ReadingLoss::bin};

struct Row {
  int n;
  double epsilon;
  ReadingLoss loss;
  bool minimax;  // else the prior is binomial with p = 0.3
  double optimum;
};

constexpr Row kRows[] = {
    {5, 0.5, ReadingLoss::abs, true, 1.1260844573486486},   {5, 0.5, ReadingLoss::abs, false, 0.689802020736445},
    {5, 0.5, ReadingLoss::sq, true, 2.810071054551282},     {5, 0.5, ReadingLoss::sq, false, 0.9156237610877707},
    {5, 0.5, ReadingLoss::bin, true, 0.6847365545166438},   {5, 0.5, ReadingLoss::bin, false, 0.5836680763256393},
    {5, 1.0, ReadingLoss::abs, true, 0.6837100560179568},   {5, 1.0, ReadingLoss::abs, false, 0.5624289066260818},
    {5, 1.0, ReadingLoss::sq, true, 1.1312337700928474},    {5, 1.0, ReadingLoss::sq, false, 0.6824769087277227},
    {5, 1.0, ReadingLoss::bin, true, 0.5136698924247928},   {5, 1.0, ReadingLoss::bin, false, 0.4713248741035477},
    {5, 2.0, ReadingLoss::abs, true, 0.26622981706434834},  {5, 2.0, ReadingLoss::abs, false, 0.2395232531531869},
    {5, 2.0, ReadingLoss::sq, true, 0.32850784626015733},   {5, 2.0, ReadingLoss::sq, false, 0.2802266613377111},
    {5, 2.0, ReadingLoss::bin, true, 0.23651334984831587},  {5, 2.0, ReadingLoss::bin, false, 0.21684267989962308},
    {10, 0.5, ReadingLoss::abs, true, 1.4789862627580557},  {10, 0.5, ReadingLoss::abs, false, 0.9501479963998399},
    {10, 0.5, ReadingLoss::sq, true, 4.43267072893979},     {10, 0.5, ReadingLoss::sq, false, 1.6230420002914039},
    {10, 0.5, ReadingLoss::bin, true, 0.7388980144496202},  {10, 0.5, ReadingLoss::bin, false, 0.6647533636422341},
    {10, 1.0, ReadingLoss::abs, true, 0.8030271250084047},  {10, 1.0, ReadingLoss::abs, false, 0.6762113689711555},
    {10, 1.0, ReadingLoss::sq, true, 1.5323908529651546},   {10, 1.0, ReadingLoss::sq, false, 0.991800042836957},
    {10, 1.0, ReadingLoss::bin, true, 0.5362019336893847},  {10, 1.0, ReadingLoss::bin, false, 0.5125797438463217},
    {10, 2.0, ReadingLoss::abs, true, 0.2754418731393976},  {10, 2.0, ReadingLoss::abs, false, 0.26790282113619485},
    {10, 2.0, ReadingLoss::sq, true, 0.3594424549462149},   {10, 2.0, ReadingLoss::sq, false, 0.3337326830803814},
    {10, 2.0, ReadingLoss::bin, true, 0.23839760075797622}, {10, 2.0, ReadingLoss::bin, false, 0.23497563595110485},
};

std::vector<double> binomial(int n, double p) {
  std::vector<double> prior;
  for (int i = 0; i <= n; ++i) {
    const double ways = std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1);
    prior.push_back(std::exp(ways + i * std::log(p) + (n - i) * std::log1p(-p)));
  }
  return prior;
}

TEST(PlanningRemap, AgreesWithTheLinearProgrammes) {
  for (const Row& row : kRows) {
    const Channel channel{Epsilon::from(row.epsilon), row.n};
    const double got = row.minimax ? minimax_remap(channel.epsilon, row.n, row.loss).loss
                                   : expected_loss(channel, binomial(row.n, 0.3), row.loss);
    EXPECT_NEAR(got, row.optimum, 1e-6 * row.optimum) << row.n << " " << row.epsilon << " " << row.minimax;
  }
}

// The expected loss in linear time against the sum over all pairs of counts and answers, read as dp_remap reads them.
TEST(PlanningRemap, ExpectedLossIsTheSumOverAllPairs) {
  std::mt19937 random(5);
  std::vector<std::vector<double>> priors{binomial(60, 0.3), binomial(301, 0.02), {1}, {0.5, 0.5}};
  priors.emplace_back(200, 1.0 / 200);
  for (const int size : {50, 300}) {
    for (const double sparse : {0.0, 0.9, 0.99}) {
      std::vector<double>& prior = priors.emplace_back();
      double total = 0;
      std::uniform_real_distribution<double> uniform;
      for (int i = 0; i < size; ++i) total += prior.emplace_back(uniform(random) < sparse ? 0 : uniform(random));
      if (total == 0) total = prior[size / 3] = 1;
      for (double& share : prior) share /= total;
    }
    priors.emplace_back(size, 0.0)[size - 2] = 1;
  }
  for (const auto& prior : priors) {
    for (const double epsilon : {1e-9, 0.01, 0.3, 2.0, 50.0, 1e6}) {
      const Channel channel{Epsilon::from(epsilon), static_cast<int>(prior.size()) - 1};
      for (const ReadingLoss loss : kLosses) {
        double sum = 0;
        for (int answer = 0; answer <= channel.n; ++answer) {
          const int reading = best_reading(channel, answer, prior, loss);
          for (int i = 0; i <= channel.n; ++i) {
            sum += prior[i] * channel.probability(answer, i) * cost(loss, i, reading);
          }
        }
        EXPECT_NEAR(expected_loss(channel, prior, loss), sum, 1e-11 * sum + 1e-13)
            << prior.size() << ' ' << epsilon << ' ' << static_cast<int>(loss);
      }
    }
  }
}

TEST(PlanningRemap, TheChannelIsTheClampedGeometric) {
  for (const int n : {0, 1, 2, 7}) {
    for (const double epsilon : {1e-9, 0.3, 2.0, 1e6}) {
      const Channel channel{Epsilon::from(epsilon), n};
      for (int truth = 0; truth <= n; ++truth) {
        double sum = 0;
        for (int answer = 0; answer <= n; ++answer) sum += channel.probability(answer, truth);
        EXPECT_NEAR(sum, 1, 1e-12) << n << " " << epsilon;
      }
    }
  }
  const Channel channel{Epsilon::from(1), 4};
  EXPECT_NEAR(channel.probability(2, 2), std::tanh(0.5), 1e-15);
  double tail = 0;
  for (int noise = 2; noise < 80; ++noise) tail += std::tanh(0.5) * std::exp(-noise);
  EXPECT_NEAR(channel.probability(4, 2), tail, 1e-15);
  EXPECT_EQ(channel.observed(-5), 0);
  EXPECT_EQ(channel.observed(4), 4);
  EXPECT_EQ(channel.observed(std::numeric_limits<std::int64_t>::max()), 4);
}

// No other reading of any answer has a smaller expected loss.
TEST(PlanningRemap, TheBestReadingIsTheBest) {
  const std::vector<std::vector<double>> priors = {
      binomial(6, 0.3), {0.5, 0, 0, 0, 0, 0, 0.5}, {0, 0, 0, 0, 0, 0, 1}, {0.3, 0.05, 0.15, 0.2, 0, 0.1, 0.2}};
  for (const auto& prior : priors) {
    for (const double epsilon : {1e-6, 0.2, 1.0, 4.0}) {
      const Channel channel{Epsilon::from(epsilon), 6};
      for (const ReadingLoss loss : kLosses) {
        for (int answer = 0; answer <= 6; ++answer) {
          const auto expected = [&](int reading) {
            double sum = 0;
            for (int i = 0; i <= 6; ++i) sum += prior[i] * channel.probability(answer, i) * cost(loss, i, reading);
            return sum;
          };
          const int best = best_reading(channel, answer, prior, loss);
          for (int other = 0; other <= 6; ++other) {
            EXPECT_LE(expected(best), expected(other) * (1 + 1e-12)) << epsilon << " " << answer << " " << other;
          }
        }
      }
    }
  }
}

TEST(PlanningRemap, APriorFarAwayStillDecides) {
  std::vector<double> prior(10'001);
  prior[3] = 0.25;
  prior[9'000] = 0.75;
  const Channel channel{Epsilon::from(100), 10'000};
  EXPECT_EQ(best_reading(channel, 10'000, prior, ReadingLoss::abs), 9'000);
  EXPECT_EQ(best_reading(channel, 0, prior, ReadingLoss::sq), 3);
  EXPECT_EQ(best_reading(channel, 4'400, prior, ReadingLoss::bin), 3);
}

// Of equally good readings the smallest.
TEST(PlanningRemap, TiesGoToTheSmallest) {
  const std::vector<double> prior = {0.25, 0.25, 0.25, 0.25};
  const Channel none{Epsilon{1}, 3};  // no information to speak of
  EXPECT_EQ(best_reading(none, 0, prior, ReadingLoss::bin), 0);
  const std::vector<double> ends = {0.5, 0, 0.5};
  EXPECT_EQ(best_reading({Epsilon::from(1), 2}, 1, ends, ReadingLoss::abs), 0);
  EXPECT_EQ(best_reading({Epsilon::from(1), 2}, 1, ends, ReadingLoss::sq), 1);
}

// The loss for every true count from the table of probabilities, and a prior for which nothing is better, enclose the
// value of the game.
TEST(PlanningMinimaxRemap, IsProvedByItsDual) {
  for (const int n : {0, 1, 2, 3, 8, 20, 40}) {
    for (const double epsilon : {1e-9, 1e-3, 0.1, 1.0, 3.0, 20.0, 36.0, 37.0, 1e6}) {
      for (const ReadingLoss loss : kLosses) {
        SCOPED_TRACE(std::to_string(n) + " epsilon " + std::to_string(epsilon));
        const Channel channel{Epsilon::from(epsilon), n};
        const MinimaxRemap remap = minimax_remap(channel.epsilon, n, loss);
        double worst = 0;
        for (int truth = 0; truth <= n; ++truth) {
          double sum = 0;
          for (int answer = 0; answer <= n; ++answer) {
            for (int reading = 0; reading <= n; ++reading) {
              sum +=
                  channel.probability(answer, truth) * remap.probability(answer, reading) * cost(loss, truth, reading);
            }
          }
          worst = std::max(worst, sum);
        }
        for (int answer = 0; answer <= n; ++answer) {
          double sum = 0;
          for (int reading = 0; reading <= n; ++reading) {
            EXPECT_GE(remap.probability(answer, reading), 0);
            sum += remap.probability(answer, reading);
          }
          EXPECT_NEAR(sum, 1, 1e-12);
        }
        EXPECT_NEAR(worst, remap.loss, 1e-12 * worst);
        EXPECT_NEAR(remap.lower_bound, remap.loss, 1e-9 * remap.loss);
      }
    }
  }
}

// Its closed form: no mechanism answers every count correctly more often than 1 over the largest row sum of a^|i-j|.
TEST(PlanningMinimaxRemap, OneOrZeroLossHasAClosedForm) {
  for (const int n : {1, 4, 5, 30, kMaxMinimaxCount}) {
    for (const double epsilon : {0.01, 0.5, 2.0}) {
      double largest = 0;
      for (int i = 0; i <= n; ++i) {
        double sum = 0;
        for (int j = 0; j <= n; ++j) sum += std::exp(-epsilon * std::abs(i - j));
        largest = std::max(largest, sum);
      }
      EXPECT_NEAR(minimax_remap(Epsilon::from(epsilon), n, ReadingLoss::bin).loss, 1 - 1 / largest, 1e-9);
    }
  }
}

TEST(PlanningRemap, BadValuesAreNamed) {
  const Epsilon one = Epsilon::from(1);
  EXPECT_EQ(message_of([] { reading_loss("ABS"); }), "loss \"ABS\" is not known");
  EXPECT_EQ(message_of([] { check_prior(std::vector<double>{}); }), "prior must not be empty");
  EXPECT_EQ(message_of([] { check_prior(std::vector<double>{0.5, 0.4}); }), "sum of prior must be 1, not 0.9");
  EXPECT_EQ(message_of([] { check_prior(std::vector<double>{1.5, -0.5}); }), "prior must hold probabilities, not -0.5");
  EXPECT_EQ(message_of([] { check_prior(std::vector<double>(10'002, 1.0 / 10'002)); }),
            "prior must have at most 10001 entries, not 10002");
  EXPECT_EQ(message_of([&] { minimax_remap(one, -1, ReadingLoss::abs); }),
            "n must be a whole number from 0 to 100, not -1");
  EXPECT_EQ(message_of([&] { minimax_remap(one, 101, ReadingLoss::abs); }),
            "n must be a whole number from 0 to 100, not 101");
}

}  // namespace
}  // namespace dp::planning
