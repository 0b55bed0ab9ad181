// Pairs: what a row changes in all numbers together is what one answer's noise hides, enumerated; what is read from the
// numbers is what the rows say, as computed elsewhere (tools/golden/pairs.py); and errors hold what they promise.
#include "core/accumulate/pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/accumulate/pair_noise.h"
#include "core/mechanism/mechanism_text.h"
#include "core/planning/pmf.h"

namespace dp::aggregate {
namespace {

// Steps of y and x; y below 0: one of them is missing.
struct PairRow {
  std::int64_t y, x;
};
using PairNumbers = std::vector<__int128>;

template <class S>
PairNumbers pair_numbers(const std::vector<PairRow>& rows, std::int64_t y_range, std::int64_t x_range,
                         bool missing = true) {
  S state{};
  state.tag = S::kTag;
  for (const PairRow& row : rows) {
    if (row.y < 0) {
      state.add_missing(y_range, x_range);
    } else {
      state.add(row.y, row.x, y_range, x_range);
    }
  }
  const ExactPairs exact = exact_pairs(state, missing);
  return {exact.numbers, exact.numbers + exact.count};
}

struct PairKind {
  const char* name;
  PairNumbers (*numbers)(const std::vector<PairRow>&, std::int64_t, std::int64_t, bool);
  Form::Kind form;
  int degree;

  Int128 row(std::int64_t y_range, std::int64_t x_range) const {
    const Int128 once = Int128{y_range} * x_range;
    return degree == 1 ? once : once * once;
  }
};
constexpr PairKind kPairKinds[] = {{"covariance", pair_numbers<CovarianceState>, Form::Kind::covariance, 1},
                                   {"regression", pair_numbers<RegressionState>, Form::Kind::regression, 2}};

std::vector<PairRow> possible_pairs(std::int64_t y_range, std::int64_t x_range) {
  std::vector<PairRow> rows{{-1, 0}};
  for (std::int64_t y = 0; y <= y_range; ++y)
    for (std::int64_t x = 0; x <= x_range; ++x) rows.push_back({y, x});
  return rows;
}

mechanism::Law law_for_pairs(const char* mechanism, double epsilon, const PairKind& kind, std::int64_t y_range,
                             std::int64_t x_range) {
  const auto numbers = static_cast<unsigned>(numbers_of_column(kind.form));
  const auto change = mechanism::Changes::sharing(numbers, static_cast<Uint128>(kind.row(y_range, x_range)));
  return mechanism::calibrate(mechanism::parse(mechanism), mechanism::Epsilon::from(epsilon), change,
                              mechanism::Lattice::integer)
      .law;
}

double log_of_noise(const mechanism::Law& law, Int128 noise) {
  return static_cast<double>(
      planning::log_pmf(std::get<noise::DiscreteLaplace>(law), static_cast<planning::Probability>(noise)));
}

// A row adds numbers that are not negative and add up to the same, whatever it holds.
TEST(Pairs, EachRowAddsTheSame) {
  for (const PairKind& kind : kPairKinds) {
    for (const std::int64_t y_range : {1, 2, 5, 65536}) {
      for (const std::int64_t x_range : {1, 3, 65536}) {
        for (const PairRow& row : {PairRow{-1, 0}, PairRow{0, 0}, PairRow{y_range, 0}, PairRow{0, x_range},
                                   PairRow{y_range, x_range}, PairRow{y_range / 2, x_range / 3}}) {
          Int128 sum = 0;
          for (const Int128 number : kind.numbers({row}, y_range, x_range, true)) {
            EXPECT_TRUE(number >= 0) << kind.name;
            sum += number;
          }
          EXPECT_TRUE(sum == kind.row(y_range, x_range)) << kind.name << " " << y_range << " " << x_range;
        }
      }
    }
  }
}

// Of tables that differ by one row no joint answer is more likely by more than e^epsilon from one than from the other,
// and some answer is as likely as that. All answers around them are enumerated: of five numbers together, and of ten,
// whose law is a product, number by number: the largest quotient of all is the product of the largest of each.
TEST(Pairs, AJointAnswerLosesEpsilonAndNoMore) {
  constexpr double kEpsilon = 0.7;
  for (const PairKind& kind : kPairKinds) {
    for (const std::int64_t y_range : {1, 2}) {
      for (const std::int64_t x_range : {1, 2}) {
        const mechanism::Law law = law_for_pairs("geometric", kEpsilon, kind, y_range, x_range);
        double most = 0;
        const std::vector<PairRow> possible = possible_pairs(y_range, x_range);
        for (const PairRow& one : possible) {
          const PairNumbers before = kind.numbers({one}, y_range, x_range, true);
          for (const PairRow& other : possible) {
            const PairNumbers after = kind.numbers({one, other}, y_range, x_range, true);
            double up = 0, down = 0;
            for (std::size_t i = 0; i < before.size(); ++i) {
              double high = 0, low = 0;
              for (Int128 answer = before[i] - 20; answer <= after[i] + 20; ++answer) {
                const double loss = log_of_noise(law, answer - after[i]) - log_of_noise(law, answer - before[i]);
                high = std::max(high, loss);
                low = std::max(low, -loss);
              }
              up += high;
              down += low;
            }
            EXPECT_LE(std::max(up, down), kEpsilon * (1 + 1e-12)) << kind.name;
            most = std::max({most, up, down});
          }
        }
        EXPECT_GE(most, kEpsilon * (1 - 1e-6)) << kind.name;
      }
    }
  }
}

TEST(Pairs, JointAnswersOfFiveNumbersOneByOne) {
  constexpr double kEpsilon = 0.7;
  const mechanism::Law law = law_for_pairs("geometric", kEpsilon, kPairKinds[0], 2, 1);
  double most = 0;
  for (const PairRow& row : possible_pairs(2, 1)) {
    const PairNumbers before = kPairKinds[0].numbers({}, 2, 1, true), after = kPairKinds[0].numbers({row}, 2, 1, true);
    PairNumbers answer(before.size());
    const std::function<void(std::size_t, double)> choose = [&](std::size_t i, double loss) {
      if (i == before.size()) {
        EXPECT_LE(std::fabs(loss), kEpsilon * (1 + 1e-12));
        most = std::max(most, std::fabs(loss));
        return;
      }
      for (answer[i] = -3; answer[i] <= 5; ++answer[i])
        choose(i + 1, loss + log_of_noise(law, answer[i] - after[i]) - log_of_noise(law, answer[i] - before[i]));
    };
    choose(0, 0);
  }
  EXPECT_GE(most, kEpsilon * (1 - 1e-6));
}

struct GoldenSays {
  std::int64_t y_range, x_range;
  double y_lower, x_lower;
  int y_exponent, x_exponent;
  std::vector<PairRow> rows;
  std::vector<std::string> covariance, regression;
  std::vector<double> says;
};

const std::vector<GoldenSays>& golden_pairs() {
  static const std::vector<GoldenSays> kAll = {
#include "golden_pairs.inc"
  };
  return kAll;
}

std::string decimal_of(Int128 number) {
  std::string text;
  for (; number > 0; number /= 10) text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
  return text.empty() ? "0" : text;
}

Form form_of_pairs(const GoldenSays& one, Form::Kind kind, std::uint8_t refinement) {
  return {.kind = kind,
          .refinement = refinement,
          .exponent = one.y_exponent,
          .lower = one.y_lower,
          .range = one.y_range,
          .second = {one.x_lower, one.x_range, one.x_exponent}};
}

std::vector<double> in_rows(const PairNumbers& numbers, const Form& form) {
  std::vector<double> rows;
  for (const Int128 number : numbers)
    rows.push_back(std::ldexp(static_cast<double>(number), form.refinement) / pair_row(form));
  return rows;
}

TEST(Pairs, SayWhatTheirRowsSay) {
  for (const GoldenSays& one : golden_pairs()) {
    for (const PairKind& kind : kPairKinds) {
      const PairNumbers numbers = kind.numbers(one.rows, one.y_range, one.x_range, true);
      const std::vector<std::string>& expected = kind.degree == 1 ? one.covariance : one.regression;
      ASSERT_EQ(numbers.size(), expected.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(decimal_of(numbers[i]), expected[i]) << kind.name;
      for (const std::uint8_t refinement : {0, 13}) {
        const Form form = form_of_pairs(one, kind.form, refinement);
        const std::vector<double> rows = in_rows(numbers, form);
        const PairSays says = pair_says(form, rows.data(), rows.size());
        for (int part = 0; part < parts_said(kind.form); ++part) {
          const double scale = std::max(1.0, std::fabs(one.says[static_cast<std::size_t>(part)]));
          EXPECT_NEAR(says.at(part), one.says[static_cast<std::size_t>(part)], 1e-9 * scale)
              << kind.name << " " << part;
        }
      }
    }
  }
}

// Where noise leaves nothing, and where columns are constant.
TEST(Pairs, SayNothingOfNothing) {
  const Form form{.kind = Form::Kind::regression, .lower = 10, .range = 20, .second = {-5, 10, 0}};
  for (const double noise : {0.0, -3.0}) {
    const std::vector<double> numbers(10, noise);
    const PairSays says = pair_says(form, numbers.data(), numbers.size());
    EXPECT_EQ(says.avgy, 20);
    EXPECT_EQ(says.avgx, 0);
    for (const Part part : {Part::sxy, Part::covar_pop, Part::covar_samp, Part::sxx, Part::corr, Part::r2, Part::slope})
      EXPECT_EQ(says.of(part), 0);
    EXPECT_EQ(whole_pairs(says.pairs), 0);
  }
  const PairNumbers constant = pair_numbers<RegressionState>({{3, 4}, {3, 4}, {3, 4}}, 20, 10);
  const std::vector<double> rows = in_rows(constant, form);
  const PairSays says = pair_says(form, rows.data(), rows.size());
  EXPECT_NEAR(says.avgy, 13, 1e-12);
  EXPECT_NEAR(says.avgx, -1, 1e-12);
  EXPECT_NEAR(says.corr, 0, 1e-6);
}

// A row without either value is a row, and no pair.
TEST(Pairs, MissingRowsAreRowsAlone) {
  const Form form{.kind = Form::Kind::covariance, .range = 7, .second = {0, 5, 0}};
  const std::vector<double> numbers = in_rows(pair_numbers<CovarianceState>({{-1, 0}, {-1, 0}, {7, 5}}, 7, 5), form);
  const PairSays says = pair_says(form, numbers.data(), numbers.size());
  EXPECT_EQ(whole_pairs(says.rows), 3);
  EXPECT_EQ(whole_pairs(says.pairs), 1);
}

// The shares of answers whose error holds the exact one, of each part; the seeds are fixed.
TEST(Pairs, ErrorsHold) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> tail;
  constexpr std::int64_t kRange = 100;
  const Form form{.kind = Form::Kind::regression, .range = kRange, .second = {0, kRange, 0}};
  for (const double correlation : {0.0, 0.7}) {
    std::vector<PairRow> table;
    const auto steps = [=](double value) { return std::clamp<std::int64_t>(std::llround(50 + 15 * value), 0, kRange); };
    for (int i = 0; i < 1500; ++i) {
      const double x = normal(random);
      table.push_back({steps(correlation * x + std::sqrt(1 - correlation * correlation) * normal(random)), steps(x)});
    }
    const std::vector<double> exact = in_rows(pair_numbers<RegressionState>(table, kRange, kRange), form);
    const PairSays truth = pair_says(form, exact.data(), exact.size());
    for (const double epsilon : {0.1, 2.0}) {
      const mechanism::Law law = law_for_pairs("geometric", epsilon, kPairKinds[1], kRange, kRange);
      const PairNoise noise(law, 1, 0.95);
      constexpr int kAnswers = 200;
      int held[PairSays::kCount] = {};
      for (int i = 0; i < kAnswers; ++i) {
        std::vector<double> noisy = exact;
        for (double& number : noisy) number += (tail(random) - tail(random)) / epsilon;
        const PairSays says = pair_says(form, noisy.data(), noisy.size());
        const PairSays errors = noise.errors(form, noisy.data(), noisy.size());
        for (int part = 0; part < PairSays::kCount; ++part) {
          const bool count = part < 2;
          const double off = count ? std::fabs(std::round(says.at(part)) - std::round(truth.at(part)))
                                   : std::fabs(says.at(part) - truth.at(part));
          held[part] += off <= errors.at(part) ? 1 : 0;
        }
      }
      for (int part = 0; part < PairSays::kCount; ++part)
        EXPECT_GE(held[part], 0.92 * kAnswers) << "part " << part << " at " << epsilon << ", " << correlation;
    }
  }
}

// Of hardly any rows noise may leave anything: no pairs, and no spread.
TEST(Pairs, ErrorsHoldOfHardlyAnyRows) {
  std::mt19937_64 random(12);
  std::exponential_distribution<double> tail;
  constexpr double kEpsilon = 0.05;
  constexpr std::int64_t kRange = 20;
  const Form form{.kind = Form::Kind::regression, .range = kRange, .second = {0, kRange, 0}};
  std::vector<PairRow> table;
  for (std::int64_t i = 0; i <= kRange; ++i) table.push_back({i, i});
  const std::vector<double> exact = in_rows(pair_numbers<RegressionState>(table, kRange, kRange), form);
  const PairNoise noise(law_for_pairs("geometric", kEpsilon, kPairKinds[1], kRange, kRange), 1, 0.95);
  constexpr int kAnswers = 200;
  int held = 0;
  for (int i = 0; i < kAnswers; ++i) {
    std::vector<double> noisy = exact;
    for (double& number : noisy) number += (tail(random) - tail(random)) / kEpsilon;
    const PairSays says = pair_says(form, noisy.data(), noisy.size());
    held += std::fabs(says.corr - 1) <= noise.errors(form, noisy.data(), noisy.size()).corr ? 1 : 0;
  }
  EXPECT_GE(held, 0.92 * kAnswers);
}

// Where there are certainly no pairs, nothing is known of a correlation, a slope or an average.
TEST(Pairs, ErrorsOfNoPairsAreAll) {
  const Form form{.kind = Form::Kind::regression, .range = 20, .second = {0, 10, 0}};
  const PairNoise noise(law_for_pairs("geometric", 20, kPairKinds[1], 20, 10), 1, 0.95);
  const std::vector<double> numbers(10, -3);
  const PairSays errors = noise.errors(form, numbers.data(), numbers.size());
  EXPECT_EQ(errors.corr, 1);
  EXPECT_EQ(errors.r2, 1);
  EXPECT_EQ(errors.avgy, 10);
  EXPECT_EQ(errors.avgx, 5);
  EXPECT_GT(errors.slope, 1e300);
}

TEST(Pairs, ErrorsOfNoNoiseAreNone) {
  const GoldenSays& one = golden_pairs()[1];
  const Form form = form_of_pairs(one, Form::Kind::regression, 0);
  const std::vector<double> rows = in_rows(pair_numbers<RegressionState>(one.rows, one.y_range, one.x_range), form);
  const PairNoise noise(law_for_pairs("geometric", 1e6, kPairKinds[1], one.y_range, one.x_range), 1, 0.95);
  const PairSays errors = noise.errors(form, rows.data(), rows.size());
  EXPECT_EQ(errors.rows, 0);
  EXPECT_EQ(errors.pairs, 0);
  EXPECT_LT(errors.corr, 1e-3);
  EXPECT_LT(errors.slope, 1e-3);
}

}  // namespace
}  // namespace dp::aggregate
