// That the laws of support/relaxation_law.h, which the samplers must have, fit together and cost what is claimed.
//
// Nothing of src/ is run here: these are the identities on which the privacy of a noise path rests, in 50 digits.
#include "support/relaxation_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "relaxation_rows.h"

namespace dp::test {
namespace {

// Rates of two levels, some far apart, some close.
struct Pair {
  Real coarse, fine;
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> list = {{Real(1) / 2, 1},
                                         {1, 2},
                                         {1, 3},
                                         {Real(2) / 3, Real(5) / 7},
                                         {Real(9) / 10, 7},
                                         {Real(123456789) / 100000000, Real(3) / 2}};
  return list;
}

// Sums over -kFar..kFar leave out less than 1e-21 at the rates above.
constexpr std::int64_t kFar = 100;
const Real kRounding("1e-40");
const Real kCut("1e-20");

template <class Term>
Real sum(Term term) {
  Real total = 0;
  for (std::int64_t x = -kFar; x <= kFar; ++x) total += term(x);
  return total;
}

TEST(RelaxationLaw, CheckValues) {
  const CoarseningLaw w(Real(1) / 2, 1);
  EXPECT_LT(abs(w.atom() - Real("0.23500371")), 5e-9);
  EXPECT_LT(abs(w.mass(0) - Real("0.42236558")), 5e-9);
  const RelaxedLaw given_three(Real(1) / 2, 1, 3);
  const char* const masses[] = {"0.07888051", "0.35351791", "0.21441945", "0.13005197", "0.17781853", "0.01760062"};
  for (int k = -1; k <= 4; ++k) EXPECT_LT(abs(given_three.mass(k) - Real(masses[k + 1])), 5e-9) << k;
}

TEST(RelaxationLaw, FineNoisePlusCoarseningIsCoarseNoise) {
  for (const auto& [coarse, fine] : pairs()) {
    const LaplaceLaw v1(coarse), v2(fine);
    const CoarseningLaw w(coarse, fine);
    for (std::int64_t x = -5; x <= 5; ++x) {
      EXPECT_LT(abs(sum([&](std::int64_t y) -> Real { return v2.mass(y) * w.mass(x - y); }) - v1.mass(x)), kCut);
    }
  }
}

// The law that tighten() draws by: the difference of two variables that are zero with (1-a_1)/(1-a_2), else 1 +
// geometric.
TEST(RelaxationLaw, CoarseningIsADifferenceOfTwo) {
  for (const auto& [coarse, fine] : pairs()) {
    const Real zero = expm1(-coarse) / expm1(-fine);
    const GeometricLaw rest(coarse);
    const auto one = [&](std::int64_t j) -> Real { return j == 0 ? zero : Real((1 - zero) * rest.mass(j - 1)); };
    const CoarseningLaw w(coarse, fine);
    for (std::int64_t x = 0; x <= 8; ++x) {
      Real difference = 0;
      for (std::int64_t j = 0; j <= kFar; ++j) difference += one(j) * one(j + x);
      EXPECT_LT(abs(difference - w.mass(x)), kCut) << x;
      EXPECT_TRUE(w.mass(x) == w.mass(-x));
    }
  }
}

TEST(RelaxationLaw, BranchesAreBayesAndSumToOne) {
  for (const auto& [coarse, fine] : pairs()) {
    for (const std::int64_t v1 : {-9, -1, 0, 1, 4, 25}) {
      const RelaxedLaw law(coarse, fine, v1);
      const RelaxationBranches branches(coarse, fine, v1);
      EXPECT_LT(abs(branches.stay() + branches.within() + branches.across() + branches.beyond() - 1), kRounding);
      EXPECT_LT(abs(sum([&](std::int64_t x) { return law.mass(x); }) - 1), kCut);
      EXPECT_LT(abs(sum([&](std::int64_t x) -> Real { return x * law.mass(x); }) - branches.mean()), kCut);
      Real below = branches.below(-40);
      for (std::int64_t x = -40; x <= 40; ++x) {
        EXPECT_LT(abs(branches.mass(x) - law.mass(x)), kRounding) << x;
        EXPECT_LT(abs(branches.below(x) - below), kRounding) << x;
        below += law.mass(x);
      }
    }
  }
}

// Two steps are one: the middle level leaves no trace (Chapman and Kolmogorov).
TEST(RelaxationLaw, StepsCompose) {
  const Real rates[][3] = {{Real(1) / 2, 1, 2}, {1, Real(3) / 2, Real(7) / 4}, {Real(1) / 3, 1, 5}};
  for (const auto& [coarse, middle, fine] : rates) {
    for (const std::int64_t v1 : {-3, 0, 1, 6}) {
      const RelaxedLaw first(coarse, middle, v1), direct(coarse, fine, v1);
      std::array<Real, 13> composed{};
      for (std::int64_t v2 = -60; v2 <= 60; ++v2) {
        const RelaxationBranches second(middle, fine, v2);
        for (std::int64_t v3 = -6; v3 <= 6; ++v3) composed[v3 + 6] += first.mass(v2) * second.mass(v3);
      }
      for (std::int64_t v3 = -6; v3 <= 6; ++v3) EXPECT_LT(abs(composed[v3 + 6] - direct.mass(v3)), kCut) << v3;
    }
  }
}

// The greatest |log P(y) / P(y - D)| over the cube -4..4, all answers shifted by D = `shift` as on a neighbour.
template <std::size_t answers>
Real loss(int shift, const std::function<Real(const std::array<std::int64_t, answers>&)>& joint) {
  Real greatest = 0;
  std::array<std::int64_t, answers> y, moved;
  y.fill(-4);
  for (std::size_t i = 0; i < answers;) {
    std::transform(y.begin(), y.end(), moved.begin(), [shift](std::int64_t x) { return x - shift; });
    greatest = std::max(greatest, Real(abs(log(joint(y) / joint(moved)))));
    for (i = 0; i < answers && ++y[i] > 4; ++i) y[i] = -4;
  }
  return greatest;
}

class Loss : public testing::TestWithParam<int> {
 protected:
  // Epsilons of a sensitivity of GetParam() steps.
  Real rate(const char* epsilon) const { return Real(epsilon) / GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Sensitivities, Loss, testing::Values(1, 3));

TEST_P(Loss, OfARelaxationIsTheFinerEpsilon) {
  const LaplaceLaw v1(rate("0.5"));
  const Real greatest = loss<2>(GetParam(), [&](const auto& y) -> Real {
    return v1.mass(y[0]) * RelaxationBranches(rate("0.5"), rate("1"), y[0]).mass(y[1]);
  });
  EXPECT_LT(abs(greatest - 1), kRounding);
}

TEST_P(Loss, OfAChainIsItsLargestEpsilon) {
  const LaplaceLaw v1(rate("0.5"));
  const Real greatest = loss<3>(GetParam(), [&](const auto& y) -> Real {
    return v1.mass(y[0]) * RelaxationBranches(rate("0.5"), rate("1"), y[0]).mass(y[1]) *
           RelaxationBranches(rate("1"), rate("1.25"), y[1]).mass(y[2]);
  });
  EXPECT_LT(abs(greatest - Real("1.25")), kRounding);
}

// What a path must not do, and that this instrument sees it.
TEST_P(Loss, OfFreshNoiseIsTheSum) {
  const LaplaceLaw v1(rate("0.5")), v2(rate("1"));
  const Real greatest = loss<2>(GetParam(), [&](const auto& y) -> Real { return v1.mass(y[0]) * v2.mass(y[1]); });
  EXPECT_LT(abs(greatest - Real("1.5")), kRounding);
}

TEST_P(Loss, OfTwoRelaxationsOfOneLevelIsMoreThanTheirSum) {
  const LaplaceLaw v1(rate("0.5"));
  const Real greatest = loss<3>(GetParam(), [&](const auto& y) -> Real {
    const RelaxationBranches again(rate("0.5"), rate("1"), y[0]);
    return v1.mass(y[0]) * again.mass(y[1]) * again.mass(y[2]);
  });
  EXPECT_LT(abs(greatest - Real("2.5")), kRounding);
}

TEST(RelaxationReference, Discrete) {
  for (const RelaxationRow& row : kRelaxations) {
    const Real coarse = Real(row.coarse_halves) / 2, fine = Real(row.fine_halves) / 2;
    const CoarseningLaw w(coarse, fine);
    EXPECT_LT(abs(w.atom() - row.atom), 1e-15);
    EXPECT_LT(abs(w.mass(0) - row.equal), 1e-15);
    // Cov(V_1, V_2) = Var V_2.
    const Real correlation = sqrt(LaplaceLaw(fine).mean_square() / LaplaceLaw(coarse).mean_square());
    EXPECT_LT(abs(correlation - row.correlation), 1e-15);
    for (const RelaxedRow& given : row.given) {
      const RelaxationBranches law(coarse, fine, given.v1);
      EXPECT_LT(abs(law.stay() - given.stay), 1e-15);
      EXPECT_LT(abs(law.across() - given.across), 1e-15);
      EXPECT_LT(abs(law.within() - given.within), 1e-15);
      EXPECT_LT(abs(law.beyond() - given.beyond), 1e-15);
      for (int x = -10; x <= 20; ++x) {
        EXPECT_LT(abs(law.mass(x) / given.mass[x + 10] - 1), 1e-14) << x << " given " << given.v1;
      }
    }
  }
}

// On a grid of 2^40 steps the law is the continuous one.
TEST(RelaxationReference, ContinuousLimit) {
  constexpr std::int64_t kSteps = std::int64_t{1} << 40;
  const Real coarse = Real(1) / 2 / kSteps, fine = Real(1) / kSteps;
  EXPECT_LT(abs(CoarseningLaw(coarse, fine).mass(0) - kContinuousEqual), 1e-11);
  const Real correlation = sqrt(LaplaceLaw(fine).mean_square() / LaplaceLaw(coarse).mean_square());
  EXPECT_LT(abs(correlation - kContinuousCorrelation), 1e-11);
  for (const ContinuousRow& row : kContinuous) {
    const RelaxationBranches law(coarse, fine, static_cast<std::int64_t>(row.v1 * static_cast<double>(kSteps)));
    EXPECT_LT(abs(law.stay() - row.stay), 1e-11) << row.v1;
    EXPECT_LT(abs(law.across() - row.across), 1e-11) << row.v1;
    EXPECT_LT(abs(law.within() - row.within), 1e-11) << row.v1;
    EXPECT_LT(abs(law.beyond() - row.beyond), 1e-11) << row.v1;
    EXPECT_LT(abs(law.mean() / kSteps - row.mean), 1e-11) << row.v1;
  }
}

// What a finer level tells one who has seen the coarser one can be as much as both: so a budget for a period that does
// not count the coarser one any more is charged both. What it tells by itself would be too little, the difference still
// less.
TEST(RelaxationLaw, AStepTellsAsMuchAsBothLevels) {
  for (const Pair& pair : pairs()) {
    Real most = 0;
    for (std::int64_t coarse = -8; coarse <= 8; ++coarse) {
      const RelaxedLaw with(pair.coarse, pair.fine, coarse), without(pair.coarse, pair.fine, coarse + 1);
      for (std::int64_t fine = -8; fine <= 8; ++fine)
        most = std::max(most, Real(abs(log(with.mass(fine) / without.mass(fine + 1)))));
    }
    EXPECT_LT(abs(most - pair.coarse - pair.fine), kRounding) << pair.coarse << " to " << pair.fine;
  }
}

}  // namespace
}  // namespace dp::test
