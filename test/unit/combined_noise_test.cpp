// Widths of combined noise, against the law of the combination, added up term by term.
#include "core/accumulate/combined_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "core/accumulate/half_width.h"
#include "core/mechanism/loss.h"

namespace dp::aggregate {
namespace {

// The law of a combination of whole numbers of draws, from -reach to reach.
class Combination {
 public:
  Combination(const mechanism::Law& law, int reach) : within_(mechanism::within(law)), reach_(reach) {
    masses_.assign(2 * reach + 1, 0);
    masses_[reach] = 1;
  }

  void add(int weight) {
    if (weight == 0) return;
    std::vector<double> next(masses_.size(), 0.0);
    for (int n = -reach_ / weight; n <= reach_ / weight; ++n) {
      const double mass = std::abs(n) == 0 ? within_(0) : (within_(std::abs(n)) - within_(std::abs(n) - 1)) / 2;
      if (mass < 1e-15) continue;
      for (int at = 0; at < static_cast<int>(masses_.size()); ++at) {
        const int to = at + n * weight;
        if (to >= 0 && to < static_cast<int>(next.size())) next[to] += masses_[at] * mass;
      }
    }
    masses_ = next;
  }

  double beyond(double width) const {
    double inside = 0;
    for (int at = -reach_; at <= reach_; ++at) {
      if (std::abs(at) <= width) inside += masses_[at + reach_];
    }
    return 1 - inside;
  }

 private:
  mechanism::Within within_;
  int reach_;
  std::vector<double> masses_;
};

const mechanism::Law kLaplace = noise::DiscreteLaplace{{1, 25}};
const mechanism::Law kGaussian = noise::DiscreteGaussian::with_variance(625, 0);
const mechanism::Law kStaircase = noise::Staircase{{1, 2}, 20, 7};

TEST(CombinedNoise, HoldsAndIsHardlyWider) {
  constexpr int kWeights[][3] = {{8, 0, 0}, {8, 8, 0}, {8, 3, 0}, {8, 8, 8},
                                 {8, 4, 4}, {8, 1, 0}, {8, 5, 2}, {2, 2, 2}};
  for (const mechanism::Law& law : {kLaplace, kGaussian, kStaircase}) {
    for (const auto& weights : kWeights) {
      Combination exact(law, 6000);
      for (const int weight : weights) exact.add(weight);
      for (const double miss : {0.2, 0.05, 0.01}) {
        SCOPED_TRACE(testing::Message() << "law " << law.index() << " miss " << miss << " weights " << weights[0] << ' '
                                        << weights[1] << ' ' << weights[2]);
        const double width = CombinedNoise(law, 1, miss).width(weights[0], -weights[1], weights[2]);
        EXPECT_LE(exact.beyond(width), miss);
        EXPECT_GT(exact.beyond(width / 1.05), miss);
      }
    }
  }
}

// Weights between those that are computed count as the next larger ones.
TEST(CombinedNoise, RoundsWeightsUp) {
  CombinedNoise noise(kLaplace, 1, 0.05);
  double before = noise.width(1, 0, 0);
  for (int i = 1; i <= 200; ++i) {
    const double width = noise.width(1, i / 200.0, 0);
    EXPECT_GE(width, before);
    before = width;
  }
  EXPECT_EQ(noise.width(1, 0.01, 0), noise.width(1, 1.0 / 32, 0));
  EXPECT_EQ(noise.width(0, 3, -1), noise.width(1, 3, 0));
  EXPECT_EQ(noise.width(2, 1, 0), 2 * noise.width(1, 0.5, 0));
  EXPECT_EQ(noise.width(0, 0, 0), 0);
}

// Steps of a variance are as small as this.
TEST(CombinedNoise, HasTheSameFormAtEachScale) {
  CombinedNoise small(noise::DiscreteLaplace{{1, 100'000}}, 1, 0.05);
  CombinedNoise large(noise::DiscreteLaplace{{1, noise::Uint128{100'000} << 70}}, 1, 0.05);
  for (const double second : {0.0, 0.3, 1.0}) {
    const double width = small.width(1, second, second / 2);
    EXPECT_NEAR(large.width(1, second, second / 2) * 0x1p-70, width, 1e-3 * width) << second;
  }
}

TEST(CombinedNoise, IsNeverMoreThanTheUnionBound) {
  for (const auto& [num, den] : {std::pair<unsigned, unsigned>{1000, 1}, {5, 1}, {1, 1}, {1, 3}}) {
    const noise::DiscreteLaplace law{{num, den}};
    CombinedNoise noise(law, 1, 0.05);
    EXPECT_LE(noise.width(1, 1, 0), 2 * static_cast<double>(half_width(law, 2, 0.95)));
    EXPECT_LE(noise.width(1, 1, 1), 3 * static_cast<double>(half_width(law, 3, 0.95)));
  }
}

// Of sums of draws: the bound that is known of them holds, and is not the sum of what each of them is.
TEST(CombinedNoise, OfSumsHolds) {
  for (const int summed : {2, 5, 20}) {
    CombinedNoise noise(kLaplace, summed, 0.05);
    Combination exact(kLaplace, 3000);
    for (int i = 0; i < summed; ++i) exact.add(2), exact.add(1);
    const double width = noise.width(2, 1, 0);
    EXPECT_LE(exact.beyond(width), 0.05) << summed;
    EXPECT_GT(exact.beyond(width / 2), 0.05) << summed;
  }
  EXPECT_THROW(CombinedNoise(kStaircase, 2, 0.05).width(1, 1, 0), std::logic_error);
}

// As little as exact numbers are off, whatever the weights.
TEST(CombinedNoise, OfNoNoiseIsNothing) {
  CombinedNoise none(noise::DiscreteLaplace{{40, 1}}, 1, 0.05);
  for (int second = 0; second <= 8; ++second) EXPECT_EQ(none.width(8, second, second / 2), 0) << second;
  CombinedNoise some(noise::DiscreteLaplace{{1, 1}}, 1, 0.05);
  EXPECT_GT(some.width(8, 1, 0), 0);
}

}  // namespace
}  // namespace dp::aggregate
