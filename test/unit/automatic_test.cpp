// auto: the least noisy of the pure mechanisms that are valid for the changes at hand; and calibration at the ends of
// its ranges, where nothing may overflow, throw or run forever.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "support/bits.h"

namespace dp::mechanism {
namespace {

using noise::Uint128;

std::string picked(double epsilon, const Changes& changes, Lattice lattice) {
  return format(calibrate(parse("auto"), Epsilon::from(epsilon), changes, lattice).mechanism);
}

// E|X| by the formulas of the papers, the laws read off their definitions and not off src/.
double geometric_error(double rate) { return 1 / std::sinh(rate); }

double staircase_error(double epsilon, double width) {
  const double a = std::exp(-epsilon);
  double best = HUGE_VAL;
  for (double r = 1; r <= width; ++r) {
    // Per side: sum over stairs j of a^j times the sum of j*width + i over the step, and a^{j+1} over the rest.
    const double mass = r + a * (width - r), first = r * (r - 1) / 2 + a * (width * (width - 1) - r * (r - 1)) / 2;
    const double side = mass / (1 - a), sum = first / (1 - a) + width * mass * a / ((1 - a) * (1 - a));
    best = std::fmin(best, 2 * sum / (2 * side - 1));
  }
  return best;
}

TEST(Auto, PicksTheSmallestExpectedError) {
  for (const double epsilon : {0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
    for (const unsigned coordinates : {1u, 2u, 3u}) {
      for (const double total : {1.0, 2.0, 4.0, 10.0, 100.0, 1000.0}) {
        for (const Lattice lattice : {Lattice::integer, Lattice::fine}) {
          SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << ", " << coordinates << " sharing " << total);
          const Changes changes = Changes::sharing(coordinates, static_cast<Uint128>(total));
          const double spread = geometric_error(epsilon / total),
                       stairs = staircase_error(epsilon / coordinates, total);
          const std::string first = lattice == Lattice::integer ? "geometric" : "laplace";
          const std::string name = picked(epsilon, changes, lattice);
          if (coordinates > 1) {  // another law than the first has to be better by a part in a thousand
            const Law law = calibrate(parse("auto"), Epsilon::from(epsilon), changes, lattice).law;
            EXPECT_LE(mechanism::loss(law).expected_abs, std::fmin(spread, stairs) * (1 + 2e-3)) << name;
          } else if (std::fabs(spread - stairs) <= 1e-9 * spread) {
            EXPECT_TRUE(name == first || name == "staircase") << name;
          } else {
            EXPECT_EQ(name, spread < stairs ? first : "staircase") << spread << " against " << stairs;
          }
        }
      }
    }
  }
}

TEST(Auto, KnownChoices) {
  EXPECT_EQ(picked(1, Changes::one(1), Lattice::integer), "geometric");
  EXPECT_EQ(picked(1, Changes::one(100), Lattice::integer), "staircase");
  EXPECT_EQ(picked(1, Changes::one(Uint128{1} << 32), Lattice::fine), "staircase");
  // The split costs half of epsilon, and wins only where the discrete Laplace has nothing left to gain.
  EXPECT_EQ(picked(1, Changes::sharing(2, Uint128{1} << 32), Lattice::fine), "laplace");
  EXPECT_EQ(picked(1, Changes::sharing(3, Uint128{1} << 40), Lattice::fine), "laplace");
  EXPECT_EQ(picked(20, Changes::sharing(2, Uint128{1} << 32), Lattice::fine), "staircase");
}

// At sensitivity 1 the two laws are the same one; rounding in the comparison must not give it the longer name.
TEST(Auto, CountsAreGeometric) {
  for (double epsilon = 1e-9; epsilon < 1e6; epsilon *= 1.37) {
    ASSERT_EQ(picked(epsilon, Changes::one(1), Lattice::integer), "geometric") << epsilon;
  }
}

TEST(Auto, DescribeNamesWhatCalibratePicks) {
  for (const double epsilon : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0}) {
    for (const double sensitivity : {1.0, 4.0, 10.0, 1000.0, 0x1p32}) {
      for (const Lattice lattice : {Lattice::integer, Lattice::fine}) {
        // Real numbers are on a grid of 2^32 steps, whatever their size.
        const double steps = lattice == Lattice::fine ? 0x1p32 : sensitivity;
        const Description used = describe(parse("auto"), Epsilon::from(epsilon), sensitivity, lattice);
        const Calibration drawn =
            calibrate(parse("auto"), Epsilon::from(epsilon), Changes::one(static_cast<Uint128>(steps)), lattice);
        SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " sensitivity " << sensitivity);
        EXPECT_EQ(format(used.mechanism), format(drawn.mechanism));
        EXPECT_NEAR(used.loss.expected_abs * (steps / sensitivity) / mechanism::loss(drawn.law).expected_abs, 1, 1e-6);
      }
    }
  }
}

// Seconds after which a loop is taken to be endless: thousands of times what it needs.
constexpr unsigned kHung = 240;

// Runs in a child process that is killed after that time, so that an endless loop is one failure and not the end of the
// run.
#define EXPECT_FINISHES(...)                    \
  EXPECT_EXIT(                                  \
      {                                         \
        alarm(kHung);                           \
        try {                                   \
          __VA_ARGS__;                          \
          std::exit(0);                         \
        } catch (const std::exception& e) {     \
          std::fprintf(stderr, "%s", e.what()); \
          std::exit(1);                         \
        }                                       \
      },                                        \
      testing::ExitedWithCode(0), "")

void calibrate_and_draw(const char* name, double epsilon, const Changes& changes, Lattice lattice) {
  const Calibration used = calibrate(parse(name), Epsilon::from(epsilon), changes, lattice);
  test::SeededBits bits(1);
  const noise::Int128 exact[3] = {};
  noise::Int128 noisy[3];
  for (int i = 0; i < 20; ++i) release_all(used.law, {exact, changes.coordinates}, bits, noisy);
  if (!std::isfinite(loss(used.law).expected_abs)) throw std::runtime_error("the expected error is not finite");
}

class Extremes : public testing::TestWithParam<const char*> {};

TEST_P(Extremes, CalibrateAndDrawInTime) {
  EXPECT_FINISHES({
    for (const double epsilon : {1e-9, 0.5, 1e6}) {
      for (const Uint128 total : {Uint128{1}, Uint128{1} << 32, Uint128{1} << 53, Uint128{1} << 63, Uint128{1} << 64}) {
        for (const unsigned coordinates : {1u, 2u, 3u}) {
          for (const Lattice lattice : {Lattice::integer, Lattice::fine}) {
            calibrate_and_draw(GetParam(), epsilon, Changes::sharing(coordinates, total), lattice);
          }
        }
      }
    }
  });
}

// An epsilon that is large but not absurd: here the staircase draws by rejection for the longest.
TEST_P(Extremes, LargeEpsilonDrawsInTime) {
  EXPECT_FINISHES({
    for (const double epsilon : {20.0, 30.0, 40.0, 60.0, 100.0}) {
      calibrate_and_draw(GetParam(), epsilon, Changes::one(Uint128{1} << 32), Lattice::fine);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Extremes,
                         testing::Values("auto", "geometric", "laplace", "staircase", "staircase(metric=l2)",
                                         "gaussian(delta=1e-18)", "gaussian(delta=1e-6)", "gaussian(delta=0.9)"));

}  // namespace
}  // namespace dp::mechanism
