// The exact selection laws: enumerated bit by bit, and compared on neighbouring utilities.
#include "core/noise/selection.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "support/bits.h"
#include "support/enumeration.h"
#include "support/selection_laws.h"

namespace dp::test {
namespace {

using noise::BitSource;
using noise::Ratio;
using noise::Utility;
using noise::Weight;

using Utilities = std::vector<Utility>;

struct Case {
  Utilities utilities;
  Ratio rate;
  double teeth;  // of the exponential mechanism, which may propose again and again
};

const Case kCases[] = {{{5}, {1, 1}, 0},
                       {{0, 0}, {1, 1}, 0},
                       {{0, 1}, {1, 1}, 0.02},
                       {{2, 0}, {3, 2}, 0.05},
                       {{0, 1, 1}, {1, 2}, 0.05},
                       {{-7, -7, -6, -5}, {1, 3}, 0.1},
                       {{4, 3, 0, 1}, {1, 1}, 0.2},
                       {{0, 0, 9}, {5, 1}, 0.3}};

TEST(Selection, ExponentialMechanismHasItsLaw) {
  for (const auto& [utilities, rate, teeth] : kCases) {
    SCOPED_TRACE(testing::PrintToString(utilities.size()) + " candidates");
    const auto seen =
        enumerate(20, [&](BitSource& bits) { return noise::exponential_mechanism(bits, utilities, rate); });
    expect_encloses(seen, exponential_law(utilities, {}, real(rate)), teeth);
  }
}

TEST(Selection, PermuteAndFlipHasItsLaw) {
  for (const auto& [utilities, rate, _] : kCases) {
    SCOPED_TRACE(testing::PrintToString(utilities.size()) + " candidates");
    const auto seen = enumerate(20, [&](BitSource& bits) { return noise::permute_and_flip(bits, utilities, rate); });
    expect_encloses(seen, permute_and_flip_law(utilities, real(rate)), 0.05);
  }
}

TEST(Selection, WeightedExponentialMechanismHasItsLaw) {
  struct {
    Utilities utilities;
    std::vector<Weight> weights;
    Ratio rate;
  } const cases[] = {{{0, 0}, {1, 3}, {1, 1}}, {{0, 1}, {5, 2}, {1, 1}},  {{0, 2}, {7, 1}, {1, 1}},
                     {{0, 3}, {2, 1}, {1, 2}}, {{0, 4}, {99, 1}, {1, 1}}, {{1, 0, 1}, {1, 8, 2}, {3, 2}}};
  for (const auto& [utilities, weights, rate] : cases) {
    SCOPED_TRACE(testing::Message() << "weight " << static_cast<int>(weights[0]));
    const auto seen =
        enumerate(20, [&](BitSource& bits) { return noise::exponential_mechanism(bits, utilities, weights, rate); });
    expect_encloses(seen, exponential_law(utilities, weights, real(rate)), 0.12);
  }
}

// With enumerated masses a and b of neighbours: a can nowhere be above e^loss b.
void expect_private(const Masses& a, const Masses& b, const Real& loss) {
  for (const auto& [outcome, mass] : a.finished) {
    const auto other = b.finished.find(outcome);
    const Real most = (other == b.finished.end() ? Real(0) : other->second) + b.unfinished;
    EXPECT_LE(mass, exp(loss) * most + a.rounding) << "outcome " << outcome;
  }
}

// Counts of neighbours differ by one in one place: both laws lose `rate`, the whole of it, and no more.
TEST(Selection, CountsOfNeighboursLoseTheRate) {
  const Real rate = 1;
  Real exponential = 0;
  Real flipped = 0;
  for (const Utilities& counts : {Utilities{0, 0, 0}, {3, 3, 1}, {0, 2, 5}, {4, 4, 4}, {0, 0, 30}}) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      Utilities more = counts;
      ++more[i];
      const auto loss = [&](const SelectionLaw& a, const SelectionLaw& b) { return greatest_loss(a, b); };
      exponential = std::max(exponential, loss(exponential_law(counts, {}, rate), exponential_law(more, {}, rate)));
      flipped = std::max(flipped, loss(permute_and_flip_law(counts, rate), permute_and_flip_law(more, rate)));

      const auto run = [](auto select, const Utilities& utilities) {
        return enumerate(14, [&](BitSource& bits) { return select(bits, utilities, Ratio{1, 1}); });
      };
      const auto flip = [](BitSource& bits, const Utilities& u, const Ratio& r) {
        return noise::permute_and_flip(bits, u, r);
      };
      expect_private(run(flip, counts), run(flip, more), rate);
      expect_private(run(flip, more), run(flip, counts), rate);
      const auto choose = [](BitSource& bits, const Utilities& u, const Ratio& r) {
        return noise::exponential_mechanism(bits, u, r);
      };
      expect_private(run(choose, counts), run(choose, more), rate);
      expect_private(run(choose, more), run(choose, counts), rate);
    }
  }
  EXPECT_LE(exponential, rate + 1e-30);
  EXPECT_LE(flipped, rate + 1e-30);
  EXPECT_GT(exponential, 0.99 * rate);
  EXPECT_GT(flipped, 0.99 * rate);
}

// Utilities of both signs of change: rate (max d - min d) for the exponential mechanism, 2 rate max |d| for the other.
TEST(Selection, OtherChangesLoseAtMostTheirRange) {
  const Real rate = Real(1) / 2;
  SeededBits bits(1);
  for (int i = 0; i < 2000; ++i) {
    Utilities before, after;
    Utility low = 0, high = 0, largest = 0;
    for (int j = 0; j < 4; ++j) {
      const Utility change = static_cast<Utility>(bits.bits(2)) - 1;
      before.push_back(static_cast<Utility>(bits.bits(3)));
      after.push_back(before.back() + change);
      low = j == 0 ? change : std::min(low, change);
      high = j == 0 ? change : std::max(high, change);
      largest = std::max(largest, change < 0 ? -change : change);
    }
    const Real range = rate * static_cast<int>(high - low);
    const Real same_sign = low >= 0 ? rate * static_cast<int>(largest) : 2 * rate * static_cast<int>(largest);
    EXPECT_LE(greatest_loss(exponential_law(before, {}, rate), exponential_law(after, {}, rate)), range + 1e-30);
    EXPECT_LE(greatest_loss(permute_and_flip_law(before, rate), permute_and_flip_law(after, rate)), same_sign + 1e-30);
  }
}

TEST(Selection, PermuteAndFlipIsNeverWorse) {
  SeededBits bits(2);
  for (int i = 0; i < 2000; ++i) {
    Utilities utilities;
    for (int j = 0; j < 5; ++j) utilities.push_back(static_cast<Utility>(bits.bits(3)));
    const Real rate = Real(static_cast<int>(1 + bits.bits(4))) / 4;
    EXPECT_GE(permute_and_flip_law(utilities, rate).mean_of(utilities),
              exponential_law(utilities, {}, rate).mean_of(utilities) - 1e-30);
  }
}

TEST(Selection, ReferenceEntropy) {
  // "A Monotone Trade-off ...": utilities 0..4 of sensitivity 1 at epsilon = 1, with the general rate epsilon/2.
  const Utilities utilities{0, 1, 2, 3, 4};
  EXPECT_NEAR(static_cast<double>(exponential_law(utilities, {}, Real(1) / 2).entropy_bits()), 2.011528, 1e-6);
}

TEST(Selection, OneBestAmongManyIsFoundInAsManyTries) {
  // 10,000 candidates of which one stands 1,000 above the others: the others are never chosen.
  Utilities utilities(10'000, 0);
  utilities[1234] = 1000;
  std::vector<Weight> weights(10'000, (Weight{1} << 126) - 1);
  weights[1234] = 1;
  SeededBits bits(3, 1);
  EXPECT_EQ(noise::exponential_mechanism(bits, utilities, {1, 1}), 1234u);
  EXPECT_EQ(noise::permute_and_flip(bits, utilities, {1, 1}), 1234u);
  EXPECT_EQ(noise::exponential_mechanism(bits, utilities, weights, {1, 1}), 1234u);
  EXPECT_LT(bits.used(), 20'000'000u);
}

TEST(Selection, ExtremeUtilitiesDoNotWrap) {
  const Utility top = noise::kInt128Max;
  SeededBits bits(4);
  const Utilities utilities{-top, top};
  EXPECT_EQ(noise::permute_and_flip(bits, utilities, {1, 1}), 1u);
  EXPECT_EQ(noise::exponential_mechanism(bits, utilities, {1, 1}), 1u);
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) noise::permute_and_flip(bits, utilities, {3, 1});
      },
      std::overflow_error);
}

TEST(Selection, BadArgumentsAreRefused) {
  SeededBits bits(5);
  const Utilities none, two{0, 1};
  EXPECT_THROW(noise::exponential_mechanism(bits, none, {1, 1}), std::invalid_argument);
  EXPECT_THROW(noise::permute_and_flip(bits, none, {1, 1}), std::invalid_argument);
  const std::vector<Weight> one{1}, zero{1, 0}, heavy{1, Weight{1} << 126};
  EXPECT_THROW(noise::exponential_mechanism(bits, two, one, {1, 1}), std::invalid_argument);
  EXPECT_THROW(noise::exponential_mechanism(bits, two, zero, {1, 1}), std::invalid_argument);
  EXPECT_THROW(noise::exponential_mechanism(bits, two, heavy, {1, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace dp::test
