// Vectors: what a row changes in all numbers together is what one answer's noise hides, computed from the laws' own
// probabilities; and what is read from the numbers is what the rows say.
#include "core/accumulate/vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "core/accumulate/unit_state.h"
#include "core/mechanism/mechanism_text.h"
#include "core/planning/pmf.h"

namespace dp::aggregate {
namespace {

using MaybeSteps = std::optional<std::int64_t>;  // steps; nothing: NULL
using Coordinates = std::vector<__int128>;

template <class S>
S vector_state(const std::vector<MaybeSteps>& rows, std::int64_t range) {
  S state{};
  state.tag = S::kTag;
  for (const MaybeSteps& row : rows) {
    if (row) {
      state.add(*row);
    } else if constexpr (requires { state.add_missing(range); }) {
      state.add_missing(range);
    }
  }
  return state;
}

Coordinates pair_of(const std::vector<MaybeSteps>& rows, std::int64_t range) {
  const MeanPair pair = mean_pair(vector_state<MeanState>(rows, range), range);
  return {pair.above, pair.below};
}

Coordinates totals_of(const std::vector<MaybeSteps>& rows, std::int64_t range) {
  const ExactTotals exact = exact_totals(vector_state<TotalsState>(rows, range), range);
  return {exact.pair.above, exact.pair.below, exact.missing};
}

Coordinates moments_of(const std::vector<MaybeSteps>& rows, std::int64_t range) {
  const ExactMoments exact = exact_moments(vector_state<AllMomentsState>(rows, range), range);
  return {exact.triple.above, exact.triple.mixed, exact.triple.below, exact.missing};
}

// A vector, and what a row may change of it in l1.
struct VectorKind {
  const char* name;
  Coordinates (*numbers)(const std::vector<MaybeSteps>&, std::int64_t);
  unsigned size;
  bool squared;
  bool counts_missing;

  Int128 row(std::int64_t range) const { return squared ? Int128{range} * range : Int128{range}; }
};
constexpr VectorKind kVectorKinds[] = {{"pair", pair_of, 2, false, false},
                                       {"pair and missing", totals_of, 3, false, true},
                                       {"triple and missing", moments_of, 4, true, true}};

std::vector<MaybeSteps> possible_rows(std::int64_t range) {
  std::vector<MaybeSteps> rows{std::nullopt};
  for (std::int64_t steps = 0; steps <= range; ++steps) rows.emplace_back(steps);
  return rows;
}

// Every table of at most that many rows.
void visit_small_tables(std::int64_t range, std::size_t most,
                        const std::function<void(const std::vector<MaybeSteps>&)>& visit) {
  std::vector<MaybeSteps> rows;
  const std::function<void()> grow = [&] {
    visit(rows);
    if (rows.size() == most) return;
    for (const MaybeSteps& row : possible_rows(range)) {
      rows.push_back(row);
      grow();
      rows.pop_back();
    }
  };
  grow();
}

mechanism::Calibration noise_for(const char* mechanism, double epsilon, const VectorKind& kind, std::int64_t range) {
  const auto change = mechanism::Changes::sharing(kind.size, static_cast<Uint128>(kind.row(range)));
  return mechanism::calibrate(mechanism::parse(mechanism), mechanism::Epsilon::from(epsilon), change,
                              mechanism::Lattice::integer);
}

double log_probability(const mechanism::Law& law, Int128 noise) {
  return static_cast<double>(std::visit(
      [noise](const auto& one) -> planning::Probability {
        if constexpr (mechanism::DependsOnAnswer<std::remove_cvref_t<decltype(one)>>) {
          throw std::logic_error("law is not an addend");
        } else {
          return planning::log_pmf(one, static_cast<planning::Probability>(noise));
        }
      },
      law));
}

// ln of what `answer` is as likely to come from `numbers`.
double log_joint(const mechanism::Law& law, const Coordinates& numbers, const Coordinates& answer) {
  double sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) sum += log_probability(law, answer[i] - numbers[i]);
  return sum;
}

// Every answer whose numbers lie at most `reach` from those of the vector.
void visit_answers(const Coordinates& around, Int128 reach, const std::function<void(const Coordinates&)>& visit) {
  Coordinates answer(around.size());
  const std::function<void(std::size_t)> choose = [&](std::size_t i) {
    if (i == around.size()) return visit(answer);
    for (answer[i] = around[i] - reach; answer[i] <= around[i] + reach; ++answer[i]) choose(i + 1);
  };
  choose(0);
}

// Of neighbouring tables no answer is more likely by more than e^epsilon from one than from the other, and some answer
// is as likely as that: enumerated over the answers around them.
TEST(Vector, AJointAnswerLosesEpsilonAndNoMore) {
  constexpr double kEpsilon = 0.7;
  for (const VectorKind& kind : kVectorKinds) {
    for (const std::int64_t range : {1, 2, 3}) {
      const mechanism::Law law = noise_for("geometric", kEpsilon, kind, range).law;
      double most = 0;
      visit_small_tables(range, 1, [&](const std::vector<MaybeSteps>& rows) {
        const Coordinates before = kind.numbers(rows, range);
        for (const MaybeSteps& row : possible_rows(range)) {
          std::vector<MaybeSteps> more = rows;
          more.push_back(row);
          const Coordinates after = kind.numbers(more, range);
          visit_answers(before, std::min<Int128>(kind.row(range) + 1, 4), [&](const Coordinates& answer) {
            const double loss = std::fabs(log_joint(law, before, answer) - log_joint(law, after, answer));
            EXPECT_LE(loss, kEpsilon * (1 + 1e-12)) << kind.name << ", range " << range;
            most = std::max(most, loss);
          });
        }
      });
      // Epsilon is rounded to the safe side, by less than that.
      EXPECT_GE(most, kEpsilon * (1 - 1e-6)) << kind.name << ", range " << range;
    }
  }
}

// The same for a law with a delta: what exceeds e^epsilon times the other is at most delta, over all answers together.
TEST(Vector, AJointAnswerOfAGaussianLosesDelta) {
  constexpr double kEpsilon = 1, kDelta = 0.05;
  for (const VectorKind& kind : kVectorKinds) {
    const mechanism::Law law = noise_for("gaussian(delta=0.05)", kEpsilon, kind, 1).law;
    constexpr int kReach = 12;
    double all = 0;
    for (int noise = -kReach; noise <= kReach; ++noise) all += std::exp(log_probability(law, noise));
    EXPECT_LT(std::exp(log_probability(law, kReach)) / all, 1e-7);
    double most = 0;
    for (const MaybeSteps& row : possible_rows(1)) {
      const Coordinates before = kind.numbers({}, 1), after = kind.numbers({row}, 1);
      double beyond = 0;
      visit_answers(before, kReach, [&](const Coordinates& answer) {
        const double one = log_joint(law, before, answer), other = log_joint(law, after, answer);
        beyond += std::max(std::exp(one) - std::exp(kEpsilon + other), 0.0);
      });
      beyond /= std::pow(all, static_cast<double>(kind.size));
      EXPECT_LE(beyond, kDelta) << kind.name;
      most = std::max(most, beyond);
    }
    EXPECT_GE(most, kDelta * 0.3) << kind.name;  // whole numbers lose less than what reals would
  }
}

// Of a unit with more rows than may count, and with NULLs among them, the numbers are those of rows that may: none is
// negative, and together they are what so many rows add.
TEST(Vector, AUnitAddsWhatItsRowsMay) {
  for (const std::int64_t range : {1, 2, 3, 5}) {
    visit_small_tables(range, range < 3 ? 5 : 4, [&](const std::vector<MaybeSteps>& rows) {
      for (std::uint32_t most = 1; most <= 3; ++most) {
        const Int128 weight = std::min<Int128>(static_cast<Int128>(rows.size()), most);
        auto totals = vector_state<TotalsState>(rows, range);
        limit_unit(totals, most, {0, range});
        const auto [pair, missing] = exact_totals(totals, range);
        EXPECT_TRUE(pair.above >= 0 && pair.below >= 0 && missing >= 0);
        EXPECT_TRUE(pair.above + pair.below + missing == weight * range);
        auto all = vector_state<AllMomentsState>(rows, range);
        limit_unit(all, most, {0, range});
        const ExactMoments moments = exact_moments(all, range);
        EXPECT_TRUE(moments.triple.above >= 0 && moments.triple.mixed >= 0 && moments.triple.below >= 0);
        EXPECT_TRUE(moments.missing >= 0 && moments.missing == missing * range);
        EXPECT_TRUE(moments.triple.above + moments.triple.mixed + moments.triple.below + moments.missing ==
                    weight * range * range);
        if (rows.size() <= most) {
          EXPECT_EQ(totals_of(rows, range), (Coordinates{pair.above, pair.below, missing}));
        } else {
          // The share of the NULLs, to one step.
          const auto nulls = static_cast<Int128>(std::count(rows.begin(), rows.end(), std::nullopt));
          EXPECT_TRUE(missing == nulls * range * weight / static_cast<Int128>(rows.size()));
        }
      }
    });
  }
}

Form form_of(const VectorKind& kind, std::int64_t range, std::uint8_t refinement = 0) {
  using enum Form::Kind;
  const Form::Kind form = kind.counts_missing ? (kind.squared ? all_moments : totals) : kind.squared ? stddev : mean;
  return {.kind = form, .refinement = refinement, .range = range};
}

// The numbers of a variance.
Coordinates triple_of(const std::vector<MaybeSteps>& rows, std::int64_t range) {
  Coordinates numbers = moments_of(rows, range);
  numbers.pop_back();
  return numbers;
}

// Without noise the vector says what the rows say; also on a refined lattice, and with bounds far apart. So do the
// numbers of a mean and of a variance, which do not know of rows without a value.
TEST(Vector, SaysWhatItsRowsSay) {
  for (const VectorKind& kind :
       {kVectorKinds[0], kVectorKinds[1], kVectorKinds[2], VectorKind{"triple", triple_of, 3, true, false}}) {
    for (const std::int64_t range : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1} << 31}) {
      for (const std::uint8_t refinement : {0, 20}) {
        visit_small_tables(2, 4, [&](const std::vector<MaybeSteps>& few) {
          std::vector<MaybeSteps> rows;
          Int128 sum = 0;
          std::int64_t values = 0;
          for (const MaybeSteps& row : few) {
            rows.push_back(row ? MaybeSteps{std::min(*row * (range / 2), range)} : row);
            sum += rows.back().value_or(0);
            values += row.has_value();
          }
          Coordinates numbers = kind.numbers(rows, range);
          for (auto& number : numbers) number <<= refinement;
          const Form form = form_of(kind, range, refinement);
          const NoisyVector vector(form, {numbers.data(), numbers.size()});
          EXPECT_EQ(numbers.size(), numbers_of_column(form.kind));
          EXPECT_EQ(vector.rows(), says(form.kind, Part::rows) ? static_cast<std::int64_t>(rows.size()) : values);
          EXPECT_EQ(vector.count(), values);
          EXPECT_TRUE(vector.of_values() == values * static_cast<Int128>(vector.row()));
          EXPECT_TRUE(vector.above() == sum * static_cast<Int128>(vector.step()));
          const double mean = values == 0 ? 0.5 : static_cast<double>(sum) / static_cast<double>(range * values);
          EXPECT_NEAR(mean_position(vector.pair()), mean, 1e-15);
        });
      }
    }
  }
}

// What is read off numbers that do not hold it would be another number.
TEST(Vector, SaysNothingThatItsNumbersDoNotHold) {
  using enum Form::Kind;
  for (const Form::Kind kind : {bigint, numeric, float8, bigints, bounds})
    for (int part = 0; part <= static_cast<int>(Part::totals); ++part)
      EXPECT_FALSE(says(kind, static_cast<Part>(part)));
  for (const Form::Kind kind : {mean, variance, stddev, population_variance, population_stddev, totals, all_moments}) {
    const bool vector = kind == totals || kind == all_moments, squares = kind != mean && kind != totals;
    EXPECT_FALSE(says(kind, Part::whole));
    for (const Part part : {Part::count, Part::sum, Part::avg}) EXPECT_TRUE(says(kind, part));
    for (const Part part : {Part::rows, Part::totals}) EXPECT_EQ(says(kind, part), vector);
    for (const Part part : {Part::variance, Part::stddev, Part::population_variance, Part::population_stddev})
      EXPECT_EQ(says(kind, part), squares);
  }
}

// Halves of a row go up, and there are never fewer rows than none.
TEST(Vector, CountsAreWholeAndNotNegative) {
  const Form form = form_of(kVectorKinds[1], 10);
  const auto counts = [&form](Int128 above, Int128 below, Int128 missing) {
    const Int128 numbers[] = {above, below, missing};
    const NoisyVector vector(form, {numbers, std::size(numbers)});
    return std::pair{vector.count(), vector.rows()};
  };
  EXPECT_EQ(counts(3, 1, 0), std::pair(std::int64_t{0}, std::int64_t{0}));
  EXPECT_EQ(counts(3, 2, 0), std::pair(std::int64_t{1}, std::int64_t{1}));
  EXPECT_EQ(counts(7, 7, 1), std::pair(std::int64_t{1}, std::int64_t{2}));
  EXPECT_EQ(counts(-40, 2, 1), std::pair(std::int64_t{0}, std::int64_t{0}));
  EXPECT_EQ(counts(-40, 2, 50), std::pair(std::int64_t{0}, std::int64_t{1}));
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(counts(noise::kInt128Max, noise::kInt128Max, noise::kInt128Max), std::pair(kLast, kLast));
  EXPECT_EQ(counts(-noise::kInt128Max, -noise::kInt128Max, 3), std::pair(std::int64_t{0}, std::int64_t{0}));
}

}  // namespace
}  // namespace dp::aggregate
