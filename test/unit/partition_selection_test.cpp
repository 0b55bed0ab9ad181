// Private selection of groups: its probabilities in 50 digits against the paper's recurrence and against the guarantee,
// and its draws, enumerated bit by bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/mechanism/error.h"
#include "core/mechanism/gaussian/gaussian_delta.h"
#include "core/mechanism/group_selection.h"
#include "support/bits.h"
#include "support/enumeration.h"
#include "support/partition_law.h"
#include "support/selection_laws.h"

namespace dp::test {
namespace {

using mechanism::Delta;
using mechanism::Epsilon;
using mechanism::partition_selection;
using mechanism::PartitionSelection;
using noise::BitSource;
using noise::Uint128;

const Real kTiny("1e-38");

Real exact(Epsilon epsilon) { return Real(epsilon.nano) / Epsilon::kPerUnit; }
Real exact(Delta delta) { return Real(delta.atto) / Delta::kPerUnit; }

struct Parameters {
  double epsilon;
  double delta;
};

// Thresholds up to a few thousands, so that all laws can be summed.
const std::vector<Parameters> kGrid = [] {
  std::vector<Parameters> grid;
  for (const double epsilon : {0.01, 0.1, 0.123456789, 0.5, 0.693147181, 1.0, 2.0, 5.0, 20.0, 1000.0, 1e6}) {
    for (const double delta : {1e-18, 1e-12, 1e-9, 1.2345e-5, 0.01, 0.2, 1.0 / 3, 0.34, 0.5, 0.9, 0.999999}) {
      grid.push_back({epsilon, delta});
    }
  }
  for (const double delta : {0.001, 0.01, 0.3}) grid.push_back({1e-9, delta});
  return grid;
}();

template <class Check>
void for_grid(Check check) {
  for (const auto& [e, d] : kGrid) {
    SCOPED_TRACE(testing::Message() << "epsilon " << e << ", delta " << d);
    const Epsilon epsilon = Epsilon::from(e);
    const Delta delta = Delta::from(d);
    check(exact(epsilon), exact(delta), static_cast<std::int64_t>(partition_selection(epsilon, delta).threshold()));
  }
}

TEST(PartitionSelection, ThresholdIsTheSmallestWithinDelta) {
  for_grid([](const Real& epsilon, const Real& delta, std::int64_t k) {
    ASSERT_GE(k, 1);
    EXPECT_LE(TruncatedLaplaceLaw(epsilon, k).mass(k), delta);
    // Without noise every group but the empty one would be kept: delta would be 1.
    EXPECT_GT(TruncatedLaplaceLaw(epsilon, k - 1).mass(k - 1), delta);
  });
}

TEST(PartitionSelection, ThresholdsOfThePaper) {
  // k = ceil(1/epsilon ln((e^epsilon + 2 delta - 1) / ((e^epsilon + 1) delta))), theorem 2.
  for_grid([](const Real& epsilon, const Real& delta, std::int64_t k) {
    const Real up = exp(epsilon);
    EXPECT_EQ(Real(k), std::max(Real(1), Real(ceil(log((up + 2 * delta - 1) / ((up + 1) * delta)) / epsilon))));
  });
}

TEST(PartitionSelection, IsOptimalForItsOwnDelta) {
  for_grid([](const Real& epsilon, const Real& delta, std::int64_t k) {
    const TruncatedLaplaceLaw law(epsilon, k);
    Real best = 0, own = 0;  // the paper's recurrence for the delta asked and for P(X = k)
    const auto next = [&](const Real& pi, const Real& d) {
      return std::min<Real>({exp(epsilon) * pi + d, 1 - exp(-epsilon) * (1 - pi - d), Real(1)});
    };
    for (std::int64_t n = 0; n <= 2 * k + 2; ++n) {
      const Real keep = law.upper(k - n + 1);
      ASSERT_LE(keep, best + kTiny) << n << " units";
      ASSERT_LE(abs(keep - own), kTiny * n) << n << " units";
      best = next(best, delta);
      own = next(own, law.mass(k));
    }
    EXPECT_EQ(law.upper(k + 1), 0);
    EXPECT_EQ(law.upper(-k), 1);
  });
}

TEST(PartitionSelection, NeighboursLoseNoMore) {
  for_grid([](const Real& epsilon, const Real& delta, std::int64_t k) {
    const TruncatedLaplaceLaw law(epsilon, k);
    const Real factor = exp(epsilon);
    for (std::int64_t n = 0; n <= 2 * k + 2; ++n) {
      const Real fewer = law.upper(k - n + 1), more = law.upper(k - n);
      const Real not_fewer = law.upper(n - k), not_more = law.upper(n + 1 - k);  // 1 - x would lose all digits
      ASSERT_LE(more, factor * fewer + delta + kTiny) << n;
      ASSERT_LE(fewer, factor * more + delta + kTiny) << n;
      ASSERT_LE(not_more, factor * not_fewer + delta + kTiny) << n;
      ASSERT_LE(not_fewer, factor * not_more + delta + kTiny) << n;
    }
  });
}

// Both ways of proposing: the flat one (1/5 of 2, 2 of 1/2) and the whole law.
TEST(PartitionSelection, NoiseHasItsLaw) {
  struct {
    noise::Ratio rate;
    std::int64_t bound;
    double teeth;
  } const cases[] = {{{1, 5}, 2, 0.08}, {{1, 2}, 2, 0.13}, {{1, 1}, 1, 0.05}, {{1, 1}, 2, 0.05},
                     {{3, 2}, 1, 0.18}, {{7, 1}, 3, 0.11}, {{1, 2}, 3, 0.13}, {{1, 3}, 0, 1e-9}};
  for (const auto& [rate, bound, teeth] : cases) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(rate.num) << "/" << static_cast<int>(rate.den) << ", "
                                    << bound);
    const noise::TruncatedLaplace law{{rate}, static_cast<Uint128>(bound)};
    const auto seen = enumerate(20, [&](BitSource& bits) { return law.sample(bits); });
    expect_encloses(seen, TruncatedLaplaceLaw(real(rate), bound), teeth);
  }
}

TEST(PartitionSelection, GroupsAreKeptWithTheirProbabilities) {
  for (const auto& [e, d] : {Parameters{1, 0.05}, {2, 0.01}, {0.25, 0.15}}) {
    const PartitionSelection selection = partition_selection(Epsilon::from(e), Delta::from(d));
    const auto k = static_cast<std::int64_t>(selection.threshold());
    const TruncatedLaplaceLaw law(exact(Epsilon::from(e)), k);
    for (std::int64_t units = 0; units <= 2 * k + 2; ++units) {
      SCOPED_TRACE(testing::Message() << "epsilon " << e << ", " << units << " units");
      const auto seen =
          enumerate(18, [&](BitSource& bits) { return selection.keeps(bits, static_cast<Uint128>(units)); });
      expect_encloses(seen, BernoulliLaw{law.upper(k - units + 1)}, 0.1);
    }
  }
}

// The same bits for any number of units: as many are drawn, and more units are kept whenever fewer are.
TEST(PartitionSelection, DrawsDoNotDependOnTheGroup) {
  const PartitionSelection selection = partition_selection(Epsilon::from(0.5), Delta::from(1e-4));
  const std::uint64_t k = selection.threshold();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::uint64_t used = 0;
    bool kept = false;
    for (const std::uint64_t units :
         {std::uint64_t{0}, std::uint64_t{1}, k - 1, k, k + 1, 2 * k, 2 * k + 1, ~std::uint64_t{0}}) {
      SeededBits bits(seed, 1);
      const bool now = selection.keeps(bits, units);
      EXPECT_TRUE(now || !kept);
      EXPECT_FALSE(units == 0 && now);
      EXPECT_TRUE(units <= 2 * k || now);
      kept = now;
      if (used == 0) used = bits.used();
      EXPECT_EQ(bits.used(), used);
    }
  }
}

TEST(PartitionSelection, EndsOfTheRanges) {
  struct {
    double epsilon, delta;
    std::uint64_t k;
  } const ends[] = {
      {1e6, 1e-18, 1}, {1e6, 0.999999, 1}, {1e-9, 0.999999, 1}, {1e-9, 0.34, 1}, {1e-9, 1e-18, 20'030'118'659}};
  for (const auto& [epsilon, delta, k] : ends) {
    const PartitionSelection selection = partition_selection(Epsilon::from(epsilon), Delta::from(delta));
    EXPECT_EQ(selection.threshold(), k);
    SeededBits bits(11, 1);
    for (int i = 0; i < 100; ++i) {
      EXPECT_FALSE(selection.keeps(bits, 0));
      EXPECT_TRUE(selection.keeps(bits, 2 * k + 1));
      EXPECT_TRUE(selection.keeps(bits, ~Uint128{0}));
    }
    EXPECT_LT(bits.used(), 300 * 600u) << "too many tries";
  }
  EXPECT_THROW(partition_selection(Epsilon::from(1), Delta{0}), Error);
  SeededBits bits(12);
  EXPECT_THROW((noise::TruncatedLaplace{{{1, 1}}, Uint128{1} << 126}.sample(bits)), std::overflow_error);
  EXPECT_THROW((noise::TruncatedLaplace{{{4, 1}}, Uint128{1} << 125}.sample(bits)), std::overflow_error);
}

// ---- of units that are in many groups -------------------------------------------------------------------------------

using mechanism::weighted_selection;
using mechanism::WeightedSelection;

TEST(WeightedSelection, WeightsOfAUnitHaveTheNormOfOneGroup) {
  for (std::int64_t groups = 1; groups <= WeightedSelection::kMostGroups; ++groups) {
    const std::int64_t weight = WeightedSelection::weight(groups);
    EXPECT_LE(groups * weight * weight, WeightedSelection::kWhole * WeightedSelection::kWhole);
    EXPECT_GT(groups * (weight + 1) * (weight + 1), WeightedSelection::kWhole * WeightedSelection::kWhole);
  }
}

Real variance_of(const WeightedSelection& selection) {
  return ldexp(Real(selection.law.mantissa), selection.law.exponent);
}

// That a group is kept where a unit in so many groups is alone, by the continuous law, which the discrete one stays
// below (Canonne, Kamath, Steinke, proposition 25).
Real chance_alone(const WeightedSelection& selection, std::int64_t groups) {
  const auto distance = selection.threshold - static_cast<noise::Int128>(WeightedSelection::weight(groups));
  return erfc(Real(static_cast<Uint128>(distance)) / sqrt(2 * variance_of(selection))) / 2;
}

// Of a unit in `groups` groups, of which it is alone in `alone`.
Real delta_of(const WeightedSelection& selection, std::int64_t groups, std::int64_t alone, const Real& epsilon) {
  const Real mu = WeightedSelection::kWhole * sqrt(Real(groups - alone) / groups / variance_of(selection));
  const auto below = [](const Real& z) { return Real(erfc(-z / sqrt(Real(2))) / 2); };
  const Real shared =
      mu > 0 ? Real(below(mu / 2 - epsilon / mu) - exp(epsilon) * below(-mu / 2 - epsilon / mu)) : Real(0);
  return shared + alone * chance_alone(selection, groups);
}

// For each number of groups, and of those that the unit is alone in: never above delta, and nearly all of it somewhere.
TEST(WeightedSelection, HidesUnitsInAllTheirGroups) {
  for (const double e : {1e-4, 0.01, 0.1, 1.0, 10.0, 49.0}) {
    for (const double d : {1e-17, 1e-6, 1e-3, 0.009, 0.5}) {
      const WeightedSelection selection = weighted_selection(Epsilon::from(e), Delta::from(d));
      Real worst = 0;
      for (const std::int64_t groups : {1, 2, 3, 16, 64, 128}) {
        for (const std::int64_t alone :
             {std::int64_t{0}, std::int64_t{1}, groups / 2, groups - 2, groups - 1, groups}) {
          if (alone >= 0) worst = std::max(worst, delta_of(selection, groups, alone, exact(Epsilon::from(e))));
        }
      }
      EXPECT_LE(worst, exact(Delta::from(d))) << e << ", " << d;
      if (e <= 10 && d < 0.1) {
        EXPECT_GT(worst, exact(Delta::from(d)) / 4) << e << ", " << d;
      }
    }
  }
}

// What a unit does to groups that are kept or not, which is all that is seen: each outcome of one and of two groups,
// with and without the unit, wherever the weights of the others lie.
TEST(WeightedSelection, OutcomesAreWithinEpsilonAndDelta) {
  for (const auto& [e, d] : {Parameters{1, 1e-6}, {0.3, 1e-4}, {3, 0.01}}) {
    const WeightedSelection selection = weighted_selection(Epsilon::from(e), Delta::from(d));
    const Real up = exp(exact(Epsilon::from(e)));
    const Real root = sqrt(2 * variance_of(selection));
    const auto kept = [&](std::int64_t weights) {
      return weights == 0 ? Real(0)
                          : Real(erfc(Real(static_cast<std::int64_t>(selection.threshold) - weights) / root) / 2);
    };
    Real worst = 0;
    for (const std::int64_t groups : {1, 2}) {
      const std::int64_t own = WeightedSelection::weight(groups);
      std::vector<std::pair<Real, Real>> chances;  // of one group: without the unit and with it
      for (int step = 0; step <= 60; ++step) {
        const auto weights = static_cast<std::int64_t>(selection.threshold) * step / 40;
        chances.emplace_back(kept(weights), kept(weights + own));
      }
      for (const auto& [p1, q1] : chances) {
        for (const auto& [p2, q2] : chances) {
          Real more = 0, less = 0;
          for (int outcome = 0; outcome < (groups == 1 ? 2 : 4); ++outcome) {
            Real p = outcome & 1 ? p1 : Real(1 - p1), q = outcome & 1 ? q1 : Real(1 - q1);
            if (groups == 2) p *= outcome & 2 ? p2 : Real(1 - p2), q *= outcome & 2 ? q2 : Real(1 - q2);
            more += std::max(Real(q - up * p), Real(0));
            less += std::max(Real(p - up * q), Real(0));
          }
          worst = std::max({worst, more, less});
          if (groups == 1) break;
        }
      }
    }
    EXPECT_LE(worst, exact(Delta::from(d))) << e << ", " << d;
    EXPECT_GT(worst, 0);
  }
}

// Where that is proven, the noise has all of delta beside the threshold, and that of one number: 4.2247 for (1, 1e-6),
// by Balle and Wang's theorem 8. Elsewhere it has a half, and the bound of several numbers.
TEST(WeightedSelection, HasTheNoiseOfDelta) {
  const auto sigma = [](double e, double d) {
    return std::sqrt(static_cast<double>(variance_of(weighted_selection(Epsilon::from(e), Delta::from(d))))) /
           static_cast<double>(WeightedSelection::kWhole);
  };
  EXPECT_NEAR(sigma(1, 1e-6), 4.2247, 1e-3);
  const WeightedSelection half = weighted_selection(Epsilon::from(0.01), Delta::from(0.009));
  EXPECT_LE(mechanism::delta_of_joint(variance_of(half), Real(WeightedSelection::kWhole), Epsilon::from(0.01)),
            Real("0.0045"));
  EXPECT_NO_THROW(weighted_selection(Epsilon::from(1e6), Delta::from(1e-6)));
}

// So many units are kept every second time that are in 1, 16 and 64 groups each; of the truncated geometric law at
// shares of the price it takes 14, 210 and 840.
TEST(WeightedSelection, KeepsGroupsOfUnitsThatAreInMany) {
  const WeightedSelection selection = weighted_selection(Epsilon::from(1), Delta::from(1e-6));
  const auto even = [&](std::int64_t groups) {
    return static_cast<int>(selection.threshold / WeightedSelection::weight(groups)) + 1;
  };
  EXPECT_EQ(static_cast<std::uint64_t>(even(1)), selection.even_chance());
  EXPECT_LE(even(1), 25);
  EXPECT_LE(even(16), 97);
  EXPECT_LE(even(64), 193);
}

TEST(WeightedSelection, KeepsByItsNoise) {
  const WeightedSelection selection = weighted_selection(Epsilon::from(1), Delta::from(1e-6));
  SeededBits bits(13);
  int kept = 0;
  for (int i = 0; i < 4000; ++i) {
    EXPECT_FALSE(selection.keeps(bits, 0));
    EXPECT_TRUE(selection.keeps(bits, 2 * selection.threshold));
    kept += selection.keeps(bits, selection.threshold);
  }
  EXPECT_NEAR(kept, 2000, 200);
  EXPECT_THROW(weighted_selection(Epsilon::from(1), Delta{1}), Error);
}

}  // namespace
}  // namespace dp::test
