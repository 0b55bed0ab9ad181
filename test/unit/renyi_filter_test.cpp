// The filter of accounts that count Rényi divergences: golden limits, askers who choose each question by the answers,
// and what it never refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "core/accounting/loss.h"
#include "core/accounting/renyi_filter.h"
#include "support/golden_accounting.h"

namespace dp::budget {
namespace {

constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kOne = 1'000'000'000;
constexpr std::int64_t kMillionth = 1'000'000'000'000;  // of delta
constexpr std::int64_t kTenth = kOne / 10;

Spending answer(Loss::Kind kind, std::int64_t epsilon, std::int64_t delta = 0) {
  return {{epsilon, delta}, divergences_of(Loss{kind, epsilon})};
}

// A sum that has stayed at its end is known to be no less since.
TEST(RenyiFilter, TakesOffWhatWasThereBefore) {
  Spending before = answer(Loss::Kind::pure, kTenth, 3), all = before;
  all += answer(Loss::Kind::gaussian, kTenth);
  EXPECT_EQ(since(all, before), answer(Loss::Kind::gaussian, kTenth));
  EXPECT_EQ(since(all, all), Spending{});
  all.epsilon = all.delta = all.divergences.at[3] = kAlways;
  const Spending left = since(all, before);
  EXPECT_EQ(left.epsilon, kAlways);
  EXPECT_EQ(left.delta, kAlways);
  EXPECT_EQ(left.divergences.at[3], kAlways);
  EXPECT_EQ(left.divergences.at[4], answer(Loss::Kind::gaussian, kTenth).divergences.at[4]);
}

TEST(RenyiFilter, HasTheGoldenLimits) {
  for (const golden::GoldenLimits& limits : golden::kGoldenLimits) {
    const Conversion conversion(limits.delta);
    for (std::size_t i = 0; i < kOrders; ++i) EXPECT_EQ(conversion.limit(limits.epsilon, i), limits.at[i]) << i;
  }
}

// The numbers in docs/accountants.md.
TEST(RenyiFilter, AdmitsSoManyAnswers) {
  const Conversion conversion(kMillionth);
  const auto many = [&](std::int64_t epsilon, Loss::Kind kind, std::int64_t of_one) {
    return times_admitted({epsilon * kOne, 0, &conversion}, {}, answer(kind, of_one));
  };
  const std::pair<std::int64_t, std::int64_t> kTenths[] = {{1, 10}, {2, 20}, {3, 36}, {5, 83}, {8, 182}, {10, 266}};
  for (const auto& [epsilon, times] : kTenths) EXPECT_EQ(many(epsilon, Loss::Kind::pure, kTenth), times) << epsilon;
  const std::pair<std::int64_t, std::int64_t> kChoices[] = {{1, 15}, {2, 57}, {5, 306}, {10, 1044}};
  for (const auto& [epsilon, times] : kChoices) EXPECT_EQ(many(epsilon, Loss::Kind::range, kTenth), times) << epsilon;
  EXPECT_EQ(many(10, Loss::Kind::pure, kTenth / 10), 26107);
  EXPECT_EQ(many(10, Loss::Kind::pure, kTenth / 2), 1049);
}

// One by one, as they are charged, it is as many as times_admitted() says; and each number that does fit fits at once.
TEST(RenyiFilter, CountsAsItAdmits) {
  const Conversion conversion(kMillionth);
  const RenyiLimit limit{3 * kOne, 0, &conversion};
  const Spending one = answer(Loss::Kind::pure, kTenth);
  Spending spent;
  std::int64_t times = 0;
  while (admits(limit, spent, one)) {
    EXPECT_EQ(times_admitted(limit, spent, one), 36 - times);
    EXPECT_EQ(wanted_epsilon(limit, spent, one), limit.epsilon);
    spent += one;
    ++times;
    EXPECT_LE(epsilon_in_use(limit, spent), limit.epsilon);
  }
  EXPECT_EQ(times, 36);
  const RenyiLimit raised{wanted_epsilon(limit, spent, one), 0, &conversion};
  EXPECT_TRUE(admits(raised, spent, one));
  EXPECT_FALSE(admits({raised.epsilon - 1, 0, &conversion}, spent, one));
}

// Of answers without a delta no fewer than where epsilon adds up, whatever came before them.
TEST(RenyiFilter, AdmitsWhatAddsUp) {
  for (const std::int64_t delta : {std::int64_t{0}, std::int64_t{1}, kMillionth}) {
    const Conversion conversion(delta);
    const RenyiLimit limit{kOne, 0, &conversion};
    Spending spent;
    std::uint64_t state = 1;
    while (spent.epsilon < kOne) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const std::int64_t epsilon =
          std::min<std::int64_t>(kOne - spent.epsilon, 1 + static_cast<std::int64_t>(state >> 36));
      const Spending one = answer(state >> 63 != 0 ? Loss::Kind::pure : Loss::Kind::range, epsilon);
      ASSERT_TRUE(admits(limit, spent, one)) << delta << " " << spent.epsilon << " " << epsilon;
      spent += one;
    }
  }
}

TEST(RenyiFilter, AddsUpTheDeltaOfAnswers) {
  const Conversion conversion(kMillionth);
  const RenyiLimit limit{10 * kOne, 5, &conversion};
  const Spending one = answer(Loss::Kind::pure, kTenth, 2);
  EXPECT_EQ(times_admitted(limit, {}, one), 2);
  EXPECT_FALSE(admits(limit, {{kTenth, 4}, one.divergences}, one));
  EXPECT_TRUE(admits(limit, {{kTenth, 9}, one.divergences}, answer(Loss::Kind::pure, kTenth))) << "it asks for none";
  EXPECT_EQ(times_admitted(limit, {}, {}), kAlways) << "what costs nothing fits always";
}

// Where one loss has no bound the sum of epsilon is none either, however small it is.
TEST(RenyiFilter, OfUnboundedLossesEpsilonDoesNotAddUp) {
  const Conversion conversion(kMillionth), none(0);
  const Spending gaussian = answer(Loss::Kind::gaussian, kTenth / 100), pure = answer(Loss::Kind::pure, kTenth);
  EXPECT_FALSE(admits({kOne, 0, &none}, {}, gaussian));
  EXPECT_TRUE(admits({kOne, 0, &conversion}, {}, gaussian));
  EXPECT_EQ(times_admitted({kOne, 0, &conversion}, {}, pure), 10);
  const std::int64_t beside = times_admitted({kOne, 0, &conversion}, gaussian, pure);
  EXPECT_GT(beside, 0);
  EXPECT_LT(beside, 10);
  EXPECT_EQ(gaussian.sum_of_epsilon(), kAlways);
  EXPECT_EQ(pure.sum_of_epsilon(), kTenth);
  // As many at once as one after the other: at ten sigma for sensitivity one.
  EXPECT_EQ(times_admitted({10 * kOne, 0, &conversion}, {}, answer(Loss::Kind::gaussian, kTenth)), 261);
}

TEST(RenyiFilter, WithoutADeltaNothingIsConverted) {
  const Conversion none(0);
  const RenyiLimit limit{kOne, 0, &none};
  EXPECT_EQ(times_admitted(limit, {}, answer(Loss::Kind::range, kTenth)), 10);
  EXPECT_EQ(none.spent_epsilon({}), kAlways);
}

TEST(RenyiFilter, WhatIsBeyondAllNumbersFitsNowhere) {
  const Conversion conversion(kMillionth);
  const RenyiLimit limit{9'000'000'000 * kOne, 0, &conversion};
  Spending spent = answer(Loss::Kind::pure, kTenth);
  spent.epsilon = kAlways;
  EXPECT_TRUE(admits(limit, spent, answer(Loss::Kind::pure, kTenth))) << "an order still has room";
  spent.divergences = spent.divergences.times(kAlways);
  EXPECT_FALSE(admits(limit, spent, answer(Loss::Kind::pure, kTenth)));
}

// A display: it holds at all moments, so it is no less than what admission goes by.
TEST(RenyiFilter, ShowsMoreThanItCounts) {
  const Conversion conversion(kMillionth);
  const Divergences spent = divergences_of(Loss{Loss::Kind::pure, kTenth}).times(200);
  const std::int64_t shown = conversion.spent_epsilon(spent), counted = conversion.least_epsilon(spent);
  EXPECT_GE(shown, counted);
  double least = 1e9;
  for (std::size_t i = 0; i < kOrders; ++i) {
    const double alpha = static_cast<double>(kTwiceOrders[i]) / 2;
    least = std::min(least, static_cast<double>(spent.at[i]) / 1e12 + std::log(16e6) / (alpha - 1));
  }
  EXPECT_NEAR(static_cast<double>(shown) / kOne, least, 1e-8);
}

// Askers of randomised responses: one of two epsilons each time, chosen by all responses so far, as long as the filter
// admits it. The largest share of what exceeds epsilon that any of them can reach, by dynamic programming.
class Asker {
 public:
  Asker(std::int64_t epsilon, std::int64_t delta, std::vector<std::int64_t> menu)
      : conversion_(delta), limit_{epsilon, 0, &conversion_}, menu_(std::move(menu)) {
    for (const std::int64_t one : menu_) answers_.push_back(answer(Loss::Kind::pure, one));
  }

  double most() { return most({}, {0, 0}); }
  std::int64_t states() const { return static_cast<std::int64_t>(known_.size()); }

 private:
  using Pair = std::pair<int, int>;

  double most(const Pair& asked, const Pair& signs) {
    const auto [place, fresh] = known_.try_emplace({asked, signs}, 0);
    if (!fresh) return place->second;
    const double loss =
        (signs.first * static_cast<double>(menu_[0]) + signs.second * static_cast<double>(menu_[1])) / kOne;
    const double beyond = loss - static_cast<double>(limit_.epsilon) / kOne;
    double best = beyond > 0 ? -std::expm1(-beyond) : 0;
    for (std::size_t i = 0; i < 2; ++i) {
      if (!admits(limit_, spent(asked), answers_[i])) continue;
      const double up = 1 / (1 + std::exp(-static_cast<double>(menu_[i]) / kOne));
      const auto moved = [i](Pair pair, int by) {
        (i == 0 ? pair.first : pair.second) += by;
        return pair;
      };
      best = std::max(best,
                      up * most(moved(asked, 1), moved(signs, 1)) + (1 - up) * most(moved(asked, 1), moved(signs, -1)));
    }
    known_[{asked, signs}] = best;
    return best;
  }

  Spending spent(const Pair& asked) const {
    Spending sum = {answers_[0].times(asked.first) + answers_[1].times(asked.second),
                    answers_[0].divergences.times(asked.first)};
    sum.divergences += answers_[1].divergences.times(asked.second);
    return sum;
  }

  Conversion conversion_;
  RenyiLimit limit_;
  std::vector<std::int64_t> menu_;
  std::vector<Spending> answers_;
  std::map<std::pair<Pair, Pair>, double> known_;
};

TEST(RenyiFilter, HoldsAgainstWhoeverChoosesByTheAnswers) {
  struct Case {
    double epsilon, delta;
    std::vector<std::int64_t> menu;
  };
  const Case kCases[] = {{2, 1e-2, {kTenth, 4 * kTenth}},
                         {2, 1e-3, {2 * kTenth, 7 * kTenth}},
                         {3, 1e-2, {4 * kTenth, 13 * kTenth}},
                         {3, 0.3, {2 * kTenth, kOne}}};
  for (const Case& one : kCases) {
    const auto atto = static_cast<std::int64_t>(one.delta * 1e18);
    Asker asker(static_cast<std::int64_t>(one.epsilon * kOne), atto, one.menu);
    const double most = asker.most();
    EXPECT_LE(most, one.delta);
    EXPECT_GT(asker.states(), 50);
    // More than adds up is admitted, and none of it is free.
    if (one.delta > 0.1) {
      EXPECT_GT(most, 0);
    }
  }
}

}  // namespace
}  // namespace dp::budget
