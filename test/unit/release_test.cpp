// From exact integers to answers: saturation instead of overflow, exact arithmetic, and special cases that test noisy
// numbers only.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/mechanism_text.h"
#include "support/bits.h"

namespace dp::aggregate {
namespace {

constexpr Int128 kMax = noise::kInt128Max;
constexpr Int128 kMin = -kMax - 1;
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();

mechanism::Calibration noise_of(const char* mechanism, double epsilon, const mechanism::Changes& changes,
                                mechanism::Lattice lattice = mechanism::Lattice::integer) {
  return mechanism::calibrate(mechanism::parse(mechanism), mechanism::Epsilon::from(epsilon), changes, lattice);
}

TEST(Noised, AddsOneDrawInRefinedSteps) {
  for (const char* mechanism : {"geometric", "laplace", "staircase", "gaussian(delta=1e-6)"}) {
    const auto calibration = noise_of(mechanism, 0.5, mechanism::Changes::one(3));
    for (const Int128 exact : {Int128{0}, Int128{1}, Int128{-7}, Int128{1} << 80, -(Int128{1} << 80)}) {
      test::SeededBits bits(9), same(9);
      const Int128 wanted = exact * (Int128{1} << calibration.refinement) + mechanism::sample(calibration.law, same);
      EXPECT_TRUE(noised(exact, calibration, bits) == wanted) << mechanism;
    }
  }
}

// The noise is wide (2^64 / 10^-9), and the sum stands at either end of its range.
TEST(Noised, SaturatesInsteadOfOverflowing) {
  test::SeededBits bits(1);
  const auto wide = noise_of("geometric", 1e-9, mechanism::Changes::one(Uint128{1} << 64), mechanism::Lattice::fine);
  bool reached = false;
  for (int i = 0; i < 50; ++i) {
    const Int128 high = noised(kMax, wide, bits), low = noised(kMin, wide, bits);
    EXPECT_TRUE(high > 0 && low < 0);
    reached = reached || high == kMax;
  }
  EXPECT_TRUE(reached);
  const auto refined = noise_of("laplace", 1, mechanism::Changes::one(1));
  ASSERT_EQ(refined.refinement, 32u);
  EXPECT_TRUE(noised(kMax, refined, bits) > kMax - (Int128{1} << 60));
  EXPECT_TRUE(noised(kMax >> 20, refined, bits) > kMax - (Int128{1} << 60));
  EXPECT_TRUE(noised(kMin, refined, bits) < -(kMax - (Int128{1} << 60)));
}

TEST(Rounding, ToWholeRoundsHalvesAwayFromZero) {
  for (int x = -40; x <= 40; ++x) {
    EXPECT_TRUE(to_whole(x, 0) == x);
    for (const unsigned refinement : {1u, 2u, 3u, 4u}) {
      EXPECT_EQ(static_cast<double>(to_whole(x, refinement)), std::round(std::ldexp(x, -static_cast<int>(refinement))))
          << x;
    }
  }
}

// Rounding at the ends of the 128-bit range may lose the last step of the refined lattice, but not wrap.
TEST(Rounding, ToWholeAtTheEnds) {
  EXPECT_TRUE(to_whole(kMax, 0) == kMax);
  EXPECT_TRUE(to_whole(kMin, 0) == kMin);
  for (const unsigned refinement : {1u, 32u, 100u}) {
    const Int128 share = kMax >> refinement;
    EXPECT_TRUE(to_whole(kMax, refinement) >= share && to_whole(kMax, refinement) <= share + 1);
    EXPECT_TRUE(to_whole(-kMax, refinement) <= -share && to_whole(-kMax, refinement) >= -share - 1);
    EXPECT_TRUE(to_whole(kMin, refinement) <= -share && to_whole(kMin, refinement) >= -share - 1);
  }
}

TEST(Rounding, ToInt64Saturates) {
  EXPECT_EQ(to_int64(kLast, 0), kLast);
  EXPECT_EQ(to_int64(kFirst, 0), kFirst);
  EXPECT_EQ(to_int64(static_cast<Int128>(kLast) + 1, 0), kLast);
  EXPECT_EQ(to_int64(static_cast<Int128>(kFirst) - 1, 0), kFirst);
  EXPECT_EQ(to_int64(kMax, 0), kLast);
  EXPECT_EQ(to_int64(kMin, 0), kFirst);
  EXPECT_EQ(to_int64(kMax, 32), kLast);
  EXPECT_EQ(to_int64(kMin, 32), kFirst);
  EXPECT_EQ(to_int64((static_cast<Int128>(kLast) << 32) + (Int128{1} << 31), 32), kLast);
  EXPECT_EQ(to_int64((Int128{5} << 32) + (Int128{1} << 31) - 1, 32), 5);
  EXPECT_EQ(to_int64(0, 32), 0);
}

TEST(Rounding, ToDoubleSaturatesAndScalesByPowersOfTwo) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  EXPECT_EQ(to_double(0, 1000), 0);
  EXPECT_EQ(to_double(3, -1), 1.5);
  EXPECT_EQ(to_double(-3, 10), -3072);
  EXPECT_EQ(to_double(kMax, 0), 0x1p127);
  EXPECT_EQ(to_double(kMax, 992), kLargest);
  EXPECT_EQ(to_double(kMin, 992), -kLargest);
  EXPECT_EQ(to_double(1, 1023), 0x1p1023);
  EXPECT_EQ(to_double(1, 1024), kLargest);
  EXPECT_EQ(to_double(-2, 1023), -kLargest);
  EXPECT_EQ(to_double(5, -1022), 5 * 0x1p-1022);
}

// Steps of each row above the lower bound, on a grid of `range` steps.
struct SmallSample {
  std::vector<std::int64_t> rows;
  std::int64_t range;

  MeanPair pair() const {
    MeanState state{{Tag::mean}, 0, 0};
    for (const auto row : rows) state.add(row);
    return mean_pair(state, range);
  }
  MomentTriple triple() const {
    MomentsState state{{Tag::moments}, 0, 0, 0};
    for (const auto row : rows) state.add(row);
    return moment_triple(state, range);
  }
  double range_squared() const { return static_cast<double>(range) * static_cast<double>(range); }

  // In units of the range, exact in integers up to the last division.
  double mean() const {
    Int128 sum = 0;
    for (const auto row : rows) sum += row;
    return static_cast<double>(sum) / (static_cast<double>(range) * static_cast<double>(rows.size()));
  }
  double variance() const {
    const Int128 base = rows.front();  // the variance does not depend on it, and the sums below stay small
    Int128 sum = 0, squares = 0;
    for (const auto row : rows) {
      sum += row - base;
      squares += (row - base) * (row - base);
    }
    const auto n = static_cast<Int128>(rows.size());
    return static_cast<double>(n * squares - sum * sum) /
           (static_cast<double>(n) * static_cast<double>(n - 1) * range_squared());
  }
};

std::vector<SmallSample> samples() {
  std::mt19937_64 random(7);
  std::vector<SmallSample> all = {{{0, 10}, 10},  {{0, 0, 1}, 10}, {{3, 3, 3, 3}, 10},
                                  {{0, 0, 0}, 1}, {{1, 1, 1}, 1},  {{0, 1, 1, 0, 1}, 1}};
  for (const std::int64_t range : {std::int64_t{100}, std::int64_t{1} << 20, std::int64_t{1} << 32}) {
    for (const int rows : {2, 3, 1000}) {
      SmallSample sample{{}, range};
      for (int i = 0; i < rows; ++i) sample.rows.push_back(static_cast<std::int64_t>(random() % (range + 1)));
      all.push_back(sample);
    }
  }
  return all;
}

TEST(Position, NoiselessMeanIsTheMean) {
  for (const SmallSample& sample : samples()) EXPECT_NEAR(mean_position(sample.pair()), sample.mean(), 1e-15);
}

TEST(Position, NoiselessVarianceIsTheSampleVariance) {
  for (const SmallSample& sample : samples()) {
    EXPECT_NEAR(variance_position(sample.triple(), sample.range_squared()), sample.variance(),
                1e-13 * sample.variance() + 1e-18)
        << sample.rows.size() << " rows in 0.." << sample.range;
  }
}

// The spread is a few steps of 2^32, wherever it lies: the difference of the two moments cancels almost wholly. The
// mantissa of 64 bits leaves an error below 2^-62 of the squared range: a spread of one step of 2^32.
TEST(Position, NarrowSpreadsSurviveTheCancellation) {
  std::mt19937_64 random(8);
  for (const std::int64_t centre : {std::int64_t{5}, std::int64_t{1} << 31, (std::int64_t{1} << 32) - 5}) {
    for (const std::int64_t spread : {4, 40, 4000}) {
      SmallSample sample{{}, std::int64_t{1} << 32};
      for (int i = 0; i < 1000; ++i) {
        sample.rows.push_back(std::clamp(centre + static_cast<std::int64_t>(random() % (spread + 1)) - spread / 2,
                                         std::int64_t{0}, sample.range));
      }
      EXPECT_NEAR(variance_position(sample.triple(), sample.range_squared()), sample.variance(),
                  0x1p-62 + 1e-13 * sample.variance())
          << "spread " << spread << " around " << centre;
    }
  }
}

// A refined triple has its range squared in refined steps too.
TEST(Position, RefinementCancels) {
  const SmallSample sample{{1, 4, 9, 9}, 10};
  const MomentTriple triple = sample.triple();
  const MomentTriple refined{triple.above << 20, triple.mixed << 20, triple.below << 20};
  EXPECT_NEAR(variance_position(refined, std::ldexp(sample.range_squared(), 20)), sample.variance(), 1e-15);
}

TEST(Position, NoisyDenominatorsThatAreNotPositive) {
  EXPECT_EQ(mean_position({0, 0}), 0.5);
  EXPECT_EQ(mean_position({5, -5}), 0.5);
  EXPECT_EQ(mean_position({5, -6}), 0.5);
  EXPECT_EQ(mean_position({kMin, kMin}), 0.5);
  EXPECT_EQ(variance_position({0, 0, 0}, 100), 0);
  EXPECT_EQ(variance_position({5, -5, 0}, 100), 0);
  EXPECT_EQ(variance_position({kMin, kMin, kMin}, 100), 0);
}

TEST(Position, StaysBetweenItsEnds) {
  EXPECT_EQ(mean_position({-3, 4}), 0);
  EXPECT_EQ(mean_position({4, -3}), 1);
  EXPECT_EQ(mean_position({kMax, kMax}), 0.5);
  EXPECT_EQ(variance_position({kMax, -kMax, kMax}, 100), 0.25);
  std::mt19937_64 random(9);
  for (int i = 0; i < 20'000; ++i) {
    const auto any = [&] {
      return static_cast<Int128>((static_cast<Uint128>(random()) << 64 | random())) >> random() % 127;
    };
    const double mean = mean_position({any(), any()});
    EXPECT_TRUE(mean >= 0 && mean <= 1) << mean;
    const double variance = variance_position({any(), any(), any()}, std::ldexp(1.0, static_cast<int>(random() % 65)));
    EXPECT_TRUE(variance >= 0 && variance <= 0.5) << variance;
  }
}

// One row has no sample variance; the factor rows/(rows-1) must not be used where it would explode.
TEST(Position, FewRows) {
  EXPECT_NEAR(variance_position(SmallSample{{7}, 10}.triple(), 100), 0, 0x1p-62);
  EXPECT_EQ(variance_position(SmallSample{{0, 10}, 10}.triple(), 100), 0.5);
  // A noisy triple that amounts to 1.5 rows, half at each end: 1/4, the population's; just above, no more than 1/2.
  EXPECT_EQ(variance_position({75, 0, 75}, 100), 0.25);
  EXPECT_LE(variance_position({76, 0, 75}, 100), 0.5);
  EXPECT_EQ(variance_position({50, 0, 50}, 100), 0.25);
  EXPECT_EQ(variance_position({1, 0, 1}, 100), 0.25);
}

// No rows are zeros plus noise, and the answers of that are numbers within the bounds.
TEST(Position, EmptyInputIsFinite) {
  const SmallSample none{{}, std::int64_t{1} << 32};
  const MeanPair pair = none.pair();
  const MomentTriple triple = none.triple();
  EXPECT_TRUE(pair.above == 0 && pair.below == 0 && triple.above == 0 && triple.mixed == 0 && triple.below == 0);
  test::SeededBits bits(3);
  const auto range = static_cast<Uint128>(none.range);
  for (const double epsilon : {1e-9, 0.1, 1e6}) {
    const auto two = noise_of("laplace", epsilon, mechanism::Changes::sharing(2, range), mechanism::Lattice::fine);
    const auto three =
        noise_of("laplace", epsilon, mechanism::Changes::sharing(3, range * range), mechanism::Lattice::fine);
    for (int i = 0; i < 200; ++i) {
      const double mean = mean_position({noised(0, two, bits), noised(0, two, bits)});
      EXPECT_TRUE(mean >= 0 && mean <= 1) << mean;
      const double variance = variance_position(
          {noised(0, three, bits), noised(0, three, bits), noised(0, three, bits)}, none.range_squared());
      EXPECT_TRUE(variance >= 0 && variance <= 0.5) << variance;
      EXPECT_TRUE(std::isfinite(to_double(noised(0, two, bits), 992)));
    }
  }
}

}  // namespace
}  // namespace dp::aggregate
