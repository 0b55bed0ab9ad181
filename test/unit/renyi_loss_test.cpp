// What answers lose in Rényi divergences: golden values, and the laws themselves where they are small enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "core/accounting/loss.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "support/golden_accounting.h"

namespace dp::budget {
namespace {

double order(std::size_t i) { return static_cast<double>(kTwiceOrders[i]) / 2; }

TEST(RenyiLoss, IsTheGoldenOne) {
  for (const golden::GoldenLoss& one : golden::kGoldenLosses)
    EXPECT_EQ(divergences_of(one.loss).at, one.divergences.at) << text_of(one.loss).text;
}

TEST(RenyiLoss, NothingLosesNothing) {
  EXPECT_EQ(divergences_of(Losses{}), Divergences{});
  EXPECT_EQ(divergences_of(Loss{Loss::Kind::pure, 0}), Divergences{});
  EXPECT_EQ(rough_divergences(0), Divergences{});
}

// However large: no loss is larger than epsilon, and no power leaves what a number holds.
TEST(RenyiLoss, OfALargeEpsilonIsEpsilon) {
  constexpr std::int64_t kEpsilon = 9'000'000'000'000'000;  // 9e6
  const std::int64_t most = std::int64_t{9'000'000} * Divergences::kPerUnit + 1;
  for (const std::int64_t at : divergences_of(Loss{Loss::Kind::pure, kEpsilon}).at) EXPECT_EQ(at, most);
  for (const std::int64_t at : divergences_of(Loss{Loss::Kind::relax, 1'000'000'000'000, 1}).at) {
    EXPECT_GT(at, 999 * Divergences::kPerUnit);
    EXPECT_LE(at, 1000 * Divergences::kPerUnit + 1001);
  }
}

// Levels may be as close as they can be written.
TEST(RenyiLoss, OfAStepIsFiniteForLevelsThatAreClose) {
  for (const auto kind : {Loss::Kind::relax, Loss::Kind::relax_count}) {
    const Divergences step = divergences_of(Loss{kind, 100'000'001, 100'000'000});
    for (const std::int64_t at : step.at) {
      EXPECT_GT(at, 0);
      EXPECT_LE(at, 200'000'001'001);
    }
  }
}

// A count of 0 or 1 at level one, and at level two given that: their joint law. Whatever the first answer, who asks may
// decide by it whether to ask for the second one: then E_P e^{(alpha-1)(loss - charges)} must not exceed 1.
double most_of_deciding(double alpha, double one, double two, double first_charge, double second_charge) {
  const double a1 = std::exp(-one), a2 = std::exp(-two);
  const double up_p = 1 / (1 + a1), up_q = a1 / (1 + a1);  // the first loss is +one
  double sum = 0;
  for (const bool up : {true, false}) {
    const double p = up ? up_p : 1 - up_p, q = up ? up_q : 1 - up_q;
    const double first = std::log(p / q);
    const double stop = p * std::exp((alpha - 1) * (first - first_charge));
    // Given the first loss, the mean of e^loss under Q is e^first, and the loss is +-two.
    const double rise = (std::exp(first) - a2) / (1 / a2 - a2);
    const double p_rise = rise * std::exp(two - first);
    const double go = p * (p_rise * std::exp((alpha - 1) * (two - first_charge - second_charge)) +
                           (1 - p_rise) * std::exp((alpha - 1) * (-two - first_charge - second_charge)));
    sum += std::max(stop, go);
  }
  return sum;
}

TEST(RenyiLoss, OfRelaxingHoldsForWhoDecidesByTheFirstAnswer) {
  constexpr std::int64_t kTenth = 100'000'000;
  for (const auto& [one, two] : {std::pair{1, 2}, {5, 10}, {1, 10}, {10, 50}, {9, 10}}) {
    const Divergences first = divergences_of(Loss{Loss::Kind::pure, one * kTenth});
    const Divergences finest = divergences_of(Loss{Loss::Kind::pure, two * kTenth});
    for (const auto kind : {Loss::Kind::relax_count, Loss::Kind::relax}) {
      const Divergences step = divergences_of(Loss{kind, two * kTenth, one * kTenth});
      for (std::size_t i = 0; i < kOrders; ++i) {
        if (order(i) > 64) continue;  // a double rounds too much
        const auto charge = [i](const Divergences& d) { return static_cast<double>(d.at[i]) / Divergences::kPerUnit; };
        EXPECT_LE(most_of_deciding(order(i), one / 10.0, two / 10.0, charge(first), charge(step)), 1 + 1e-9);
        if (order(i) < 2) continue;
        EXPECT_GT(most_of_deciding(order(i), one / 10.0, two / 10.0, charge(first), charge(finest) - charge(first)), 1)
            << "the difference of both curves is too little";
      }
    }
  }
}

TEST(RenyiLoss, RoughBoundsAreNoSmallerThanSharpOnes) {
  for (const std::int64_t epsilon :
       {std::int64_t{1}, std::int64_t{999}, std::int64_t{1'000'000}, std::int64_t{100'000'000},
        std::int64_t{1'333'333'333}, std::int64_t{1'999'999'999}, std::int64_t{2'000'000'000},
        std::int64_t{100'000'000'000}, std::int64_t{9'000'000'000'000'000'000}}) {
    const Divergences rough = rough_divergences(epsilon), sharp = divergences_of(Loss{Loss::Kind::pure, epsilon});
    for (std::size_t i = 0; i < kOrders; ++i) EXPECT_GE(rough.at[i], sharp.at[i] - 2) << epsilon << " " << order(i);
    EXPECT_LE(rough.at[kOrders - 1], static_cast<__int128>(epsilon) * Divergences::kPerNano);
  }
  // By how much: 0.1 at order 8.
  EXPECT_EQ(rough_divergences(100'000'000).at[5], 40'000'000'000);
}

// By 128 bits, at once: the lesser of epsilon and alpha epsilon^2 / 2, rounded up.
TEST(RenyiLoss, RoughBoundsAreRoundedUpOnce) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const auto epsilon = static_cast<std::int64_t>(random() % 2'000'000'000) + 1;
    const Divergences rough = rough_divergences(epsilon);
    for (std::size_t k = 0; k < kOrders; ++k) {
      const __int128 whole = static_cast<__int128>(epsilon) * Divergences::kPerNano;
      const __int128 square = static_cast<__int128>(epsilon) * epsilon * kTwiceOrders[k];
      EXPECT_TRUE(rough.at[k] == std::min(whole, (square + 3'999'999) / 4'000'000)) << epsilon << " " << order(k);
    }
  }
}

TEST(RenyiLoss, AddsUpExactly) {
  const Loss tenth{Loss::Kind::pure, 100'000'000, 0, 3}, choice{Loss::Kind::range, 50'000'000};
  Losses both(tenth);
  both += choice;
  both.add({Loss::Kind::pure, 100'000'000});
  Divergences expected = divergences_of(choice);
  for (int i = 0; i < 4; ++i) expected += divergences_of(tenth);
  EXPECT_EQ(divergences_of(both), expected);
  EXPECT_EQ(divergences_of(both.times(2)), expected.times(2));
  EXPECT_EQ(both.all().size(), 2U);
}

TEST(RenyiLoss, SumsStayAtTheirEnd) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Divergences sum = divergences_of(Loss{Loss::Kind::pure, 1'000'000'000}).times(kMost);
  sum += sum;
  for (const std::int64_t at : sum.at) EXPECT_EQ(at, kMost);
  Spending spent{{kMost, kMost}, sum};
  spent += Spending{{1, 1}, {}};
  EXPECT_EQ(spent, (Spending{{kMost, kMost}, sum}));
  spent += -Spending{{2, 3}, {}};
  EXPECT_EQ(spent, (Spending{{kMost - 2, kMost - 3}, sum}));
  const Losses many = Losses(Loss{Loss::Kind::pure, 1, 0, kMost}).times(3);
  EXPECT_EQ(many.all()[0].times, kMost);
}

// More of them than there are places: none counts less than it did.
TEST(RenyiLoss, OfTooManyCountsAsTheLargest) {
  Losses many;
  Divergences each;
  for (int i = 1; i <= 20; ++i) {
    for (const auto kind : {Loss::Kind::pure, Loss::Kind::range}) {
      const Loss loss{kind, i * 10'000'000};
      many.add(loss);
      each += divergences_of(loss);
    }
    const Loss step{Loss::Kind::relax, 500'000'000 + i, 100'000'000 + i};
    many.add(step);
    each += divergences_of(step);
  }
  EXPECT_LE(many.all().size(), Losses::kMost);
  const Divergences kept = divergences_of(many);
  for (std::size_t i = 0; i < kOrders; ++i) EXPECT_GE(kept.at[i], each.at[i]);
  std::int64_t times = 0;
  for (const Loss& loss : many.all()) times += loss.times;
  EXPECT_EQ(times, 60);
}

TEST(RenyiLoss, OfTooManyGaussianStepsCountsAsTheLongest) {
  Losses many;
  Divergences each;
  for (int i = 1; i <= 20; ++i) {
    const Loss step{Loss::Kind::gaussian, 500'000'000 + i, i * 20'000'000};
    many.add(step);
    each += divergences_of(step);
  }
  EXPECT_LE(many.all().size(), Losses::kMost);
  const Divergences kept = divergences_of(many);
  for (std::size_t i = 0; i < kOrders; ++i) EXPECT_GE(kept.at[i], each.at[i]);
  EXPECT_EQ(kept.unbounded, 20);
}

TEST(RenyiLoss, IsWrittenAndReadAgain) {
  Losses losses(Loss{Loss::Kind::pure, 100'000'000, 0, 3});
  losses.add({Loss::Kind::range, 1'500'000'000});
  losses.add({Loss::Kind::relax, 200'000'000, 100'000'000});
  losses.add({Loss::Kind::relax_count, 1, 0, 2});
  const std::string text = text_of(losses).text;
  EXPECT_EQ(text, "pure 0.1 x 3, range 1.5, relax 0.1 to 0.2, relax_count 0 to 0.000000001 x 2");
  Losses read;
  ASSERT_TRUE(parse(text.c_str(), &read));
  EXPECT_EQ(read, losses);
  ASSERT_TRUE(parse("", &read));
  EXPECT_TRUE(read.empty());
  for (const char* const wrong : {"pure", "pure 0.1x3", "pure -1", "pure 0.1,range 1", "relax 0.1", "pure 0.1234567890",
                                  "guess 1", "pure 99999999999", "gaussian 0.2 to 0.1"})
    EXPECT_FALSE(parse(wrong, &read)) << wrong;
}

// The widest that can be: it fits where it is written.
TEST(RenyiLoss, FitsItsText) {
  Losses widest;
  for (int i = 0; i < 20; ++i)
    widest.add({Loss::Kind::relax_count, std::numeric_limits<std::int64_t>::max() - i,
                std::numeric_limits<std::int64_t>::max() - i, std::numeric_limits<std::int64_t>::max() - i});
  EXPECT_LT(std::string(text_of(widest).text).size(), sizeof(LossText));
}

TEST(RenyiCost, OfSeveralChoicesIsOfPartsOfEpsilon) {
  const mechanism::Mechanism exponential{&mechanism::kExponential};
  const Cost of_three = Cost::of(exponential, {100'000'000}, 3);
  EXPECT_EQ(of_three.epsilon, 100'000'000);  // of which the choices make use of 99,999,999
  EXPECT_EQ(of_three.losses, Losses(Loss{Loss::Kind::range, 33'333'333, 0, 3}));
  EXPECT_EQ(Cost::of(exponential, {100'000'000}, 1).losses, Losses(Loss{Loss::Kind::range, 100'000'000}));
}

TEST(RenyiCost, OfALevelIsTheWayToIt) {
  const mechanism::Epsilon one{100'000'000}, two{200'000'000}, none{0};
  const auto of_counts = mechanism::NoisePath::stored(1), of_sums = mechanism::NoisePath::stored(2);
  EXPECT_EQ(Cost::level(of_counts, two, none).losses, Losses(Loss{Loss::Kind::pure, 200'000'000}));
  const Cost step = Cost::level(of_sums, two, one);
  EXPECT_EQ(static_cast<const Amount&>(step), (Amount{100'000'000, 0}));
  EXPECT_EQ(step.losses, Losses(Loss{Loss::Kind::relax, 200'000'000, 100'000'000}));
  EXPECT_EQ(Cost::level(of_counts, two, one).losses, Losses(Loss{Loss::Kind::relax_count, 200'000'000, 100'000'000}));
  EXPECT_TRUE(Cost::level(of_counts, one, two).zero());
  EXPECT_TRUE(Cost::level(of_counts, one, two).losses.empty());
}

// Where a budget does not count the first level any more: both, but of Gaussian noise (relaxation_law_test.cpp).
TEST(RenyiCost, OfALevelAnewIsThatOfBoth) {
  const mechanism::Epsilon one{100'000'000}, two{200'000'000}, none{0};
  const auto of_counts = mechanism::NoisePath::stored(1);
  const Cost anew = Cost::level(of_counts, two, one, true);
  EXPECT_EQ(anew.epsilon, 300'000'000);
  EXPECT_EQ(anew.losses, Cost::level(of_counts, two, one).losses);
  EXPECT_EQ(Cost::level(of_counts, two, none, true).epsilon, 200'000'000);
  EXPECT_TRUE(Cost::level(of_counts, one, two, true).zero());
  const auto gaussian = mechanism::NoisePath::of(noise::GaussianLevel::with(1, 100'000'000), {100'000'000}, {});
  EXPECT_EQ(Cost::level(gaussian, two, one, true).epsilon, 100'000'000);
}

TEST(RenyiCost, OfAGaussianLevelIsTheDifference) {
  const auto path = mechanism::NoisePath::of(noise::GaussianLevel::with(1, 100'000'000), {100'000'000}, {});
  const Cost first = Cost::level(path, {100'000'000}, {0}), step = Cost::level(path, {200'000'000}, {100'000'000});
  EXPECT_EQ(first.losses, Losses(Loss{Loss::Kind::gaussian, 100'000'000}));
  EXPECT_EQ(first.losses, Cost::of(mechanism::parse("gaussian"), {100'000'000}).losses);
  EXPECT_EQ(step.losses, Losses(Loss{Loss::Kind::gaussian, 200'000'000, 100'000'000}));
  EXPECT_EQ(step.epsilon, 100'000'000);
  const Divergences whole = divergences_of(Loss{Loss::Kind::gaussian, 200'000'000});
  Divergences both = divergences_of(first.losses);
  both += divergences_of(step.losses);
  for (std::size_t i = 0; i < kOrders; ++i) {
    EXPECT_GE(both.at[i], whole.at[i]);
    EXPECT_LE(both.at[i], whole.at[i] + 3) << "each is rounded up";
  }
}

// It has no bound, so that neither it nor what is beside it counts by epsilon.
TEST(RenyiCost, OfGaussianNoiseHasNoBound) {
  const Cost gaussian = Cost::of(mechanism::parse("gaussian"), {100'000'000});
  const Cost laplace = Cost::of(mechanism::parse("laplace"), {300'000'000});
  EXPECT_FALSE(gaussian.losses.bounded());
  EXPECT_TRUE(laplace.losses.bounded());
  EXPECT_TRUE(Cost::of(mechanism::parse("gaussian(delta=1e-6)"), {100'000'000}).losses.bounded());
  const Losses either = dearest(laplace, gaussian).losses;
  EXPECT_FALSE(either.bounded());
  for (const Cost& one : {laplace, gaussian}) {
    for (std::size_t i = 0; i < kOrders; ++i) EXPECT_GE(divergences_of(either).at[i], divergences_of(one.losses).at[i]);
  }
  EXPECT_EQ(divergences_of(gaussian.losses.times(3)).unbounded, 3);
  EXPECT_EQ((-divergences_of(gaussian.losses)).unbounded, -1);
}

}  // namespace
}  // namespace dp::budget
