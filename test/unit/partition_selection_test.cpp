// Private selection of groups: its probabilities in 50 digits against the paper's recurrence and against the
// guarantee, and its draws, enumerated bit by bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/mechanism/error.h"
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

// ---- of units that are in many groups
// -------------------------------------------------------------------------------

using mechanism::weighted_selection;
using mechanism::WeightedSelection;

constexpr Uint128 kCertain = WeightedSelection::kCertain;

// Its greatest chance of being kept, from the points of the curve.
Real chance(const WeightedSelection& selection, std::int64_t weights) {
  if (weights <= 0) return 0;
  if (weights >= selection.first_certain()) return 1;
  if (weights > selection.middle()) return 1 - chance(selection, 2 * selection.middle() - weights);
  int k = selection.points - 1;
  while (k > 0 && selection.point[static_cast<std::size_t>(k)].weights > weights) --k;
  const auto& [from, low] = selection.point[static_cast<std::size_t>(k)];
  const Real here = ldexp(Real(low), -126);
  if (k == selection.points - 1 || weights < from) return here;
  const auto& [to, high] = selection.point[static_cast<std::size_t>(k + 1)];
  return here + (ldexp(Real(high), -126) - here) * (weights - from) / (to - from);
}

TEST(WeightedSelection, WeightsFallWithTheNumberOfGroups) {
  EXPECT_EQ(WeightedSelection::weight(1), WeightedSelection::kWhole);
  std::int64_t last = WeightedSelection::kWhole;
  for (std::int64_t groups = 1; groups <= WeightedSelection::kMostGroups; ++groups) {
    const std::int64_t weight = WeightedSelection::weight(groups);
    const Real most = pow(Real(WeightedSelection::kWhole), 5);
    EXPECT_LE(pow(Real(weight), 5) * groups * groups, most);
    EXPECT_GT(pow(Real(weight) * Real("1.11"), 5) * groups * groups, most);
    EXPECT_LE(weight, last);
    last = weight;
  }
}

Real divergence(const Real& q, const Real& p, std::int64_t order) {  // E of group_selection.h
  const auto part = [order](const Real& x, const Real& y) {
    return x == 0 ? Real(0) : Real(pow(x / y, order - 1) * x);
  };
  return part(q, p) + part(1 - q, 1 - p);
}

// The rule of group_selection.h, recomputed: at every point of the curve and where a unit comes to one, which are the
// ends of all stretches, and between them.
void expect_the_rule(double e, double d, std::int64_t most, std::int64_t order) {
  SCOPED_TRACE(testing::Message() << "epsilon " << e << ", delta " << d << ", groups " << most);
  const WeightedSelection selection = weighted_selection(Epsilon::from(e), Delta::from(d), most);
  const Real epsilon = exact(Epsilon::from(e)), delta = exact(Delta::from(d)), a = order;
  const Real k = (a - 1) * epsilon + log(delta) + log(a - 1) - a * log(1 - 1 / a);
  const Real alone = delta * (1 - exp(-(k - (a - 1) * delta / (1 - delta))));
  for (const std::int64_t groups : {1, 2, 3, 7, 16, 33, 64, 99, 128}) {
    if (groups > most) break;
    const std::int64_t own = WeightedSelection::weight(groups);
    EXPECT_LE(chance(selection, own), alone / groups) << groups;
    const Real bound = exp(k / groups) * (1 + Real("1e-20"));
    const auto check = [&](std::int64_t weights) {
      if (weights < WeightedSelection::weight(most)) return;
      const Real without = chance(selection, weights), with = chance(selection, weights + own);
      if (with <= alone / groups || 1 - without <= alone / groups) return;
      EXPECT_LE(divergence(with, without, order), bound) << groups << " groups, " << weights;
      EXPECT_LE(divergence(without, with, order), bound) << groups << " groups, " << weights;
    };
    for (int i = 0; i<selection.points; i += most> 16 ? 3 : 1) {
      const std::int64_t weights = selection.point[static_cast<std::size_t>(i)].weights;
      const std::int64_t turned = 2 * selection.middle() - weights;
      for (const std::int64_t end : {weights, turned}) check(end), check(end - own), check(end - own / 3);
    }
    check(selection.first_certain() - own);
    check(selection.first_certain() - 1);
  }
}

TEST(WeightedSelection, KeepsTheRule) {
  expect_the_rule(1, 1e-6, 128, 22);
  expect_the_rule(1, 1e-6, 3, 22);
  expect_the_rule(0.01, 1e-9, 16, 2492);
  expect_the_rule(0.025, 1e-3, 128, 126);
  expect_the_rule(200, 1e-6, 64, 2);
}

// What is lost of `groups` groups of a unit, of which it is alone in `alone` and the others lie at those chances
// without and with it: the law of the number of them that are kept tells all.
Real delta_lost(const Real& one, std::int64_t alone, const Real& without, const Real& with, std::int64_t others,
                const Real& epsilon, bool other_way) {
  const Real none = pow(1 - one, alone), up = exp(epsilon);
  Real lost = other_way ? Real(0) : Real(1 - none), ways = 1;
  for (std::int64_t kept = 0; kept <= others; ways = ways * (others - kept) / (kept + 1), ++kept) {
    const auto law = [&](const Real& p) {
      return Real((kept > 0 ? pow(p, kept) : Real(1)) * (kept < others ? pow(1 - p, others - kept) : Real(1)));
    };
    const Real p = law(without), q = none * law(with);
    lost += ways * std::max(Real(other_way ? p - up * q : q - up * p), Real(0));
  }
  return lost;
}

// For each number of groups, of those that the unit is alone in, and wherever the others lie: never above delta, and
// not far below somewhere.
TEST(WeightedSelection, HidesUnitsInAllTheirGroups) {
  for (const auto& [e, d] : {Parameters{1, 1e-6}, {0.1, 1e-3}, {10, 1e-9}}) {
    const WeightedSelection selection = weighted_selection(Epsilon::from(e), Delta::from(d), 128);
    const Real epsilon = exact(Epsilon::from(e));
    Real worst = 0;
    for (const std::int64_t groups : {1, 2, 3, 16, 64}) {
      const std::int64_t own = WeightedSelection::weight(groups);
      for (int step = 1; step < 48; ++step) {
        const std::int64_t weights = std::max(selection.first_certain() * step / 48, WeightedSelection::weight(128));
        const Real without = chance(selection, weights), with = chance(selection, weights + own);
        for (const std::int64_t alone : {std::int64_t{0}, groups / 2, groups}) {
          for (const bool other_way : {false, true}) {
            worst = std::max(
                worst, delta_lost(chance(selection, own), alone, without, with, groups - alone, epsilon, other_way));
          }
        }
      }
    }
    EXPECT_LE(worst, exact(Delta::from(d))) << e << ", " << d;
    EXPECT_GT(worst, exact(Delta::from(d)) / 2) << e << ", " << d;
  }
}

// Each outcome of two groups that lie apart.
TEST(WeightedSelection, OutcomesAreWithinEpsilonAndDelta) {
  for (const auto& [e, d] : {Parameters{1, 1e-6}, {0.3, 1e-4}, {3, 0.01}}) {
    const WeightedSelection selection = weighted_selection(Epsilon::from(e), Delta::from(d), 2);
    const Real up = exp(exact(Epsilon::from(e)));
    const std::int64_t own = WeightedSelection::weight(2);
    std::vector<std::pair<Real, Real>> chances{{0, chance(selection, own)}};  // of one group: without the unit, with it
    for (std::int64_t step = 0; step <= 40; ++step) {
      const std::int64_t weights = own + (selection.first_certain() - own) * step / 40;
      chances.emplace_back(chance(selection, weights), chance(selection, weights + own));
    }
    Real worst = 0;
    for (const auto& [p1, q1] : chances) {
      for (const auto& [p2, q2] : chances) {
        Real more = 0, less = 0;
        for (int outcome = 0; outcome < 4; ++outcome) {
          const Real p = (outcome & 1 ? p1 : Real(1 - p1)) * (outcome & 2 ? p2 : Real(1 - p2));
          const Real q = (outcome & 1 ? q1 : Real(1 - q1)) * (outcome & 2 ? q2 : Real(1 - q2));
          more += std::max(Real(q - up * p), Real(0));
          less += std::max(Real(p - up * q), Real(0));
        }
        worst = std::max({worst, more, less});
      }
    }
    EXPECT_LE(worst, exact(Delta::from(d))) << e << ", " << d;
    EXPECT_GT(worst, 0);
  }
}

// So many units are kept every second time that are in 1, 16 and 64 groups each. By Gaussian noise on weights it takes
// 25, 97 and 193, by the truncated geometric law at shares of the price 14, 210 and 840.
TEST(WeightedSelection, KeepsGroupsOfUnitsThatAreInMany) {
  const auto even = [](const WeightedSelection& selection, std::int64_t groups) {
    return static_cast<int>(selection.middle() / WeightedSelection::weight(groups)) + 1;
  };
  const WeightedSelection selection = weighted_selection(Epsilon::from(1), Delta::from(1e-6), 128);
  EXPECT_EQ(static_cast<std::uint64_t>(even(selection, 1)), selection.even_chance());
  EXPECT_LE(even(selection, 1), 27);
  EXPECT_LE(even(selection, 16), 80);
  EXPECT_LE(even(selection, 64), 139);
  EXPECT_LE(even(weighted_selection(Epsilon::from(1), Delta::from(1e-6), 16), 16), 74);
  EXPECT_LE(even(weighted_selection(Epsilon::from(1), Delta::from(1e-6), 3), 3), 34);  // 41 by shares
}

TEST(WeightedSelection, KeepsNoneAndAll) {
  const WeightedSelection selection = weighted_selection(Epsilon::from(1), Delta::from(1e-6), 128);
  SeededBits bits(13);
  int kept = 0;
  for (int i = 0; i < 4000; ++i) {
    EXPECT_FALSE(selection.keeps(bits, 0));
    EXPECT_TRUE(selection.keeps(bits, selection.first_certain()));
    EXPECT_TRUE(selection.keeps(bits, noise::kInt128Max));
    kept += selection.keeps(bits, selection.middle());
  }
  EXPECT_NEAR(kept, 2000, 200);
}

TEST(WeightedSelection, EndsOfTheRanges) {
  for (const double e : {1e-9, 1e-4, 49.0, 1e3, 1e6}) {
    for (const double d : {1e-18, 1e-9, 0.999}) {
      for (const std::int64_t most : {1, 128}) {
        const WeightedSelection selection = weighted_selection(Epsilon::from(e), Delta::from(d), most);
        EXPECT_EQ(selection.point[static_cast<std::size_t>(selection.points - 1)].chance, kCertain / 2);
        EXPECT_LE(chance(selection, WeightedSelection::kWhole), exact(Delta::from(d)));
      }
    }
  }
  EXPECT_THROW(weighted_selection(Epsilon::from(1), Delta{0}, 128), Error);
}

}  // namespace
}  // namespace dp::test
