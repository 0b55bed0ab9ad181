// Groups in an order: what a unit changes of the integers of all orders together, against every change that it may
// make; what neighbours lose by them, from the probabilities of their noise; and how far totals are off.
#include "core/accumulate/ordered_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "core/planning/pmf.h"
#include "support/bits.h"

namespace dp::aggregate {
namespace {

using noise::Int128;
using noise::Uint128;

struct Number {
  Int128 value;
};
using Numbers = std::vector<Number>;

noise::Int128View view_of(const Numbers& numbers) { return {&numbers.data()->value, numbers.size()}; }

Numbers integers_of(const PrefixSums& sums, const std::vector<int>& numbers) {
  Numbers exact, integers(static_cast<std::size_t>(sums.integers()));
  for (const int number : numbers) exact.push_back({number});
  sums.put_integers(view_of(exact), &integers.data()->value);
  return integers;
}

// Calls visit(change) for every change of so many groups whose absolute numbers add up to `most` at most.
template <class Visit>
void visit_changes(std::vector<int>& change, std::size_t from, int most, Visit visit) {
  if (from == change.size()) return visit(change);
  for (int by = -most; by <= most; ++by) {
    change[from] = by;
    visit_changes(change, from + 1, most - std::abs(by), visit);
  }
  change[from] = 0;
}

// Of two orders, of which the second is shorter.
TEST(OrderedGroups, AUnitChangesNoMoreThanIsSaid) {
  for (const int branching : {PrefixSums::kRoot, PrefixSums::kAlone, 8}) {
    const int first = branching == 8 ? 9 : 3, second = 2, most = branching == 8 ? 2 : 4;
    const PrefixSums longest{first, branching};
    const mechanism::Changes unit{3, static_cast<Uint128>(most), 2, 2};
    const mechanism::Changes said = changes_of_ordered(longest, unit);
    Uint128 l1 = 0, squares = 0, linf = 0;
    std::vector<int> change(static_cast<std::size_t>(first + second));
    visit_changes(change, 0, most, [&](const std::vector<int>& changed) {
      Uint128 sum = 0, square = 0;
      for (const auto& [sums, numbers] :
           {std::pair(longest, std::vector(changed.begin(), changed.begin() + first)),
            std::pair(PrefixSums{second, branching}, std::vector(changed.begin() + first, changed.end()))}) {
        for (const Number& one : integers_of(sums, numbers)) {
          const auto by = static_cast<Uint128>(one.value < 0 ? -one.value : one.value);
          sum += by;
          square += by * by;
          linf = std::max(linf, by);
        }
      }
      l1 = std::max(l1, sum);
      squares = std::max(squares, square);
    });
    EXPECT_TRUE(l1 == said.l1) << branching;
    EXPECT_TRUE(squares == said.l2_squared) << branching;  // all on one group
    EXPECT_TRUE(said.l2 * said.l2 >= squares) << branching;
    EXPECT_TRUE(linf == said.linf) << branching;
    EXPECT_EQ(said.vector, 0u);
    EXPECT_GE(said.coordinates, longest.changes().coordinates * 3) << branching;
  }
}

mechanism::Calibration calibrated(const char* mechanism, double epsilon, const PrefixSums& sums, int rows) {
  const mechanism::Changes unit{static_cast<unsigned>(rows), static_cast<Uint128>(rows), static_cast<Uint128>(rows), 1};
  return mechanism::calibrate(mechanism::parse(mechanism), mechanism::Epsilon::from(epsilon),
                              changes_of_ordered(sums, unit), mechanism::Lattice::integer);
}

// The largest that any outcome of all integers together tells between neighbours is the sum of what each of them may
// tell: it is epsilon where a unit changes one group by all its rows, and no more where these are in several.
TEST(OrderedGroups, OutcomesOfATreeTellEpsilon) {
  constexpr double kEpsilon = 0.7;
  const PrefixSums tree{20, 8};
  const int rows = 3;
  const auto law = std::get<noise::DiscreteLaplace>(calibrated("geometric", kEpsilon, tree, rows).law);
  double most = 0;
  for (const auto& [one, other] : {std::pair(0, 0), std::pair(0, 1), std::pair(7, 8), std::pair(0, 19)}) {
    std::vector<int> change(20);
    change[static_cast<std::size_t>(one)] += 1;
    change[static_cast<std::size_t>(other)] += 2;
    long double loss = 0;
    for (const Number& integer : integers_of(tree, change)) {
      long double here = 0;
      for (int x = -20; x <= 20; ++x)
        here = std::max(
            here, planning::log_pmf(law, x) - planning::log_pmf(law, x - static_cast<long double>(integer.value)));
      loss += here;
    }
    EXPECT_LE(loss, kEpsilon + 1e-9);
    most = std::max(most, static_cast<double>(loss));
  }
  EXPECT_NEAR(most, kEpsilon, 1e-6);
}

TEST(OrderedGroups, NoiseOfARootIsForTheLongestColumnTimesAllRows) {
  const PrefixSums root = PrefixSums::by_root(64);
  const auto calibration = calibrated("gaussian", 0.5, root, 3);
  const double norm = 3 * std::sqrt(static_cast<double>(root.changes().l2_squared));
  EXPECT_NEAR(std::sqrt(variance_of_integer(root, calibration)), std::ldexp(norm, -30) / 0.5, 1e-6 * norm);
}

// Numbers of both signs, and those that are too large for their integers.
TEST(OrderedGroups, WithoutNoiseTotalsAreRecovered) {
  test::SeededBits bits(3);
  for (const PrefixSums& sums : {PrefixSums::by_root(50), PrefixSums{50, 8}, PrefixSums{1, 8}, PrefixSums{50, 1}}) {
    const auto calibration = calibrated(sums.is_root() ? "gaussian" : "geometric", 1e6, sums, 1);
    Numbers exact;
    long double total = 0;
    for (int i = 0; i < sums.buckets; ++i) exact.push_back({i * 7919 % 1009 - 400});
    const auto totals = noisy_totals(sums, view_of(exact), calibration, bits);
    ASSERT_EQ(totals.size(), exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      total += static_cast<long double>(exact[i].value);
      EXPECT_NEAR(static_cast<double>(totals[i]), static_cast<double>(total), 1e-3) << sums.branching << " " << i;
    }
    for (const Int128 limit : {noise::kInt128Max, -noise::kInt128Max}) {
      std::fill(exact.begin(), exact.end(), Number{limit});
      const auto cut = noisy_totals(sums, view_of(exact), calibration, bits);
      const int taken = sums.scale() + static_cast<int>(calibration.refinement) + 13;
      const long double most = std::ldexp(static_cast<long double>(sums.buckets), 126 - taken);
      EXPECT_NEAR(static_cast<double>(cut.back() / most), limit > 0 ? 1 : -1, 1e-9) << sums.branching;
    }
  }
}

// Fresh noise on each integer, so that the mean square error of totals is what is said of it.
TEST(OrderedGroups, TotalsAreOffByWhatIsSaid) {
  test::SeededBits bits(5);
  for (const PrefixSums& sums : {PrefixSums::by_root(33), PrefixSums{40, 8}}) {
    const auto calibration = calibrated(sums.is_root() ? "gaussian" : "geometric", 1, sums, 1);
    const Numbers exact(static_cast<std::size_t>(sums.buckets), Number{100});
    constexpr int kTimes = 2000;
    double squares = 0;
    for (int i = 0; i < kTimes; ++i) {
      const auto totals = noisy_totals(sums, view_of(exact), calibration, bits);
      for (std::size_t at = 0; at < totals.size(); ++at)
        squares += std::pow(static_cast<double>(totals[at]) - 100.0 * static_cast<double>(at + 1), 2);
    }
    const double said = variance_of_integer(sums, calibration) * PrefixVariances(sums).mean();
    EXPECT_NEAR(squares / kTimes / sums.buckets / said, 1, 0.1) << sums.branching;
  }
}

}  // namespace
}  // namespace dp::aggregate
