// The staircase law of vectors: the sampler against the law, its loss by every change on small lattices, its figures by
// adding up, and against the discrete Laplace.
#include "core/noise/staircase_vector.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "core/mechanism/mechanism_text.h"
#include "core/mechanism/staircase/vector_shape.h"
#include "support/bits.h"
#include "support/enumeration.h"

namespace dp::test {
namespace {

using mechanism::Calibration;
using mechanism::Changes;
using mechanism::Epsilon;
using mechanism::Lattice;
using mechanism::VectorShape;
using noise::Int128;
using noise::StaircaseVector;
using noise::Uint128;

// Stairs below a vector whose magnitudes add up to that.
int stairs(int norm, int width, int step) {
  int passed = 0;
  for (int edge = step; edge <= norm; edge += width) ++passed;
  return passed;
}

// Pairs (x, y) as one number 1000 x + y.
class PairLaw {
 public:
  PairLaw(double epsilon, int width, int step) : a_(exp(Real(-epsilon))), width_(width), step_(step) {
    constexpr int kReach = 60;
    for (int norm = 0; norm <= kReach; ++norm) total_ += weight(norm) * (norm == 0 ? 1 : 4 * norm);
  }

  Real mass(std::int64_t both) const {
    const auto x = std::lround(static_cast<double>(both) / 1000);
    return weight(static_cast<int>(std::abs(x) + std::abs(both - 1000 * x))) / total_;
  }

 private:
  Real weight(int norm) const { return pow(a_, stairs(norm, width_, step_)); }

  Real a_;
  int width_, step_;
  Real total_ = 0;
};

TEST(StaircaseVector, HasItsLaw) {
  for (const auto& [width, step, teeth] : {std::tuple{1, 1, 0.5}, {3, 1, 0.7}, {2, 1, 0.8}}) {
    SCOPED_TRACE(testing::Message() << "width " << width << " step " << step);
    const StaircaseVector law{{3, 1}, static_cast<Uint128>(width), static_cast<Uint128>(step), 2};
    const auto seen = enumerate(16, [&](noise::BitSource& bits) {
      Int128 noise[2];
      law.sample(bits, noise);
      return static_cast<std::int64_t>(1000 * noise[0] + noise[1]);
    });
    expect_encloses(seen, PairLaw(3, width, step), teeth);
  }
}

// What few bits cannot show, by draws of fixed seeds, within five standard errors.
TEST(StaircaseVector, HasItsMean) {
  SeededBits bits(4);
  for (const auto& [width, step] : {std::pair{5u, 1u}, {5u, 4u}, {40u, 13u}}) {
    constexpr int kDraws = 4000;
    const StaircaseVector law{{3, 1}, width, step, 3};
    const VectorShape shape(3, width, step, 3);
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) {
      Int128 noise[3];
      law.sample(bits, noise);
      for (const Int128 n : noise) sum += std::fabs(static_cast<double>(n)) / 3;
    }
    const double first = shape.expected_abs();
    EXPECT_NEAR(sum / kDraws, first, 5 * std::sqrt((shape.expected_sq() - first * first) / kDraws));
  }
}

// Every change whose magnitudes add up to the width at most, on every vector of a box: never more than one stair.
TEST(StaircaseVector, LosesEpsilonAtMostOnSmallLattices) {
  for (int width = 1; width <= 5; ++width) {
    for (int step = 1; step <= width; ++step) {
      int most = 0;
      for (int x = -7; x <= 7; ++x) {
        for (int y = -7; y <= 7; ++y) {
          for (int z = -7; z <= 7; ++z) {
            const int here = stairs(std::abs(x) + std::abs(y) + std::abs(z), width, step);
            for (int a = -width; a <= width; ++a) {
              for (int b = std::abs(a) - width; b <= width - std::abs(a); ++b) {
                const int rest = width - std::abs(a) - std::abs(b);
                for (const int c : {-rest, rest}) {
                  const int norm = std::abs(x + a) + std::abs(y + b) + std::abs(z + c);
                  most = std::max(most, std::abs(stairs(norm, width, step) - here));
                }
              }
            }
          }
        }
      }
      EXPECT_EQ(most, 1) << "width " << width << " step " << step;
    }
  }
}

// What magnitudes add up to, expected errors and tails, by adding up all vectors of a box.
TEST(StaircaseVector, FiguresAreThoseOfTheLaw) {
  for (const auto& [epsilon, width, step] : {std::tuple{2.0, 3, 1}, {3.0, 4, 2}, {2.5, 2, 2}}) {
    constexpr int kReach = 70;
    double total = 0, first = 0, second = 0;
    std::array<double, kReach + 1> of{};
    for (int x = -kReach; x <= kReach; ++x) {
      for (int y = -kReach; y <= kReach; ++y) {
        const double weight = std::exp(-epsilon * stairs(std::abs(x) + std::abs(y), width, step));
        total += weight;
        first += weight * std::abs(x);
        second += weight * x * x;
        of[std::abs(x)] += weight;
      }
    }
    const VectorShape shape(epsilon, width, step, 2);
    EXPECT_NEAR(shape.expected_abs() / (first / total), 1, 1e-9);
    EXPECT_NEAR(shape.expected_sq() / (second / total), 1, 1e-9);
    double above = total;
    for (int t = 0; t < 12; ++t) {
      EXPECT_NEAR(shape.tail(t), above / total, 1e-9);
      above -= of[t];
    }
  }
}

// Of real numbers, computed by another program: the expected error over that of the discrete Laplace.
TEST(StaircaseVector, GainsWhatIsSaid) {
  const double fine = 0x1p40;
  for (const auto& [coordinates, epsilon, ratio] : {std::tuple{2u, 1.0, 0.9931},
                                                    {2u, 2.0, 0.9546},
                                                    {2u, 4.0, 0.7763},
                                                    {2u, 8.0, 0.3650},
                                                    {3u, 2.0, 0.9849},
                                                    {3u, 4.0, 0.8801},
                                                    {4u, 4.0, 0.9333},
                                                    {9u, 4.0, 0.9966},
                                                    {10u, 8.0, 0.9195}}) {
    const double step = mechanism::best_vector_step(epsilon, fine, coordinates, false);
    EXPECT_NEAR(VectorShape(epsilon, fine, step, coordinates).expected_abs() / (fine / epsilon), ratio, 1e-4);
  }
}

TEST(StaircaseVector, StepIsTheBestOne) {
  for (const bool squared : {false, true}) {
    for (const double epsilon : {0.5, 2.0, 6.0}) {
      for (const unsigned coordinates : {2u, 5u}) {
        for (const double width : {2.0, 5.0, 24.0}) {
          const auto error = [&](double step) {
            const VectorShape shape(epsilon, width, step, coordinates);
            return squared ? shape.expected_sq() : shape.expected_abs();
          };
          const double found = error(mechanism::best_vector_step(epsilon, width, coordinates, squared));
          for (double step = 1; step <= width; ++step) EXPECT_GE(error(step), found * (1 - 1e-12));
        }
      }
    }
  }
}

Calibration calibrated(const char* text, double epsilon, const Changes& changes) {
  return calibrate(mechanism::parse(text), Epsilon::from(epsilon), changes, Lattice::integer);
}

TEST(StaircaseVector, IsTakenWhereItIsBetter) {
  const auto pair = calibrated("staircase", 4, Changes::sharing(2, 100));
  const auto& law = std::get<StaircaseVector>(pair.law);
  EXPECT_TRUE(law.epsilon.num == 4 && law.epsilon.den == 1 && law.width == 100 && law.coordinates == 2);
  // A histogram of 10 buckets: of rows there is nothing better than the discrete Laplace, of units with 5 rows there is.
  const auto buckets = [](unsigned rows, unsigned groups) {
    return calibrated("staircase", 8, Changes::one(1).by_unit({rows, groups, rows}, 10)).law;
  };
  EXPECT_FALSE(std::holds_alternative<StaircaseVector>(buckets(1, 1)));
  EXPECT_EQ(std::get<StaircaseVector>(buckets(5, 1)).coordinates, 10u);
  EXPECT_FALSE(std::holds_alternative<StaircaseVector>(buckets(5, 2))) << "two histograms are two draws";
  for (const double epsilon : {0.01, 0.5, 1.0, 3.0, 9.0, 17.0, 1000.0}) {
    for (const char* text : {"staircase", "staircase(metric=l2)"}) {
      const auto error = [&](const char* mechanism) {
        const auto loss = mechanism::loss(calibrated(mechanism, epsilon, Changes::sharing(3, 50)).law);
        return text[9] == '(' ? loss.expected_sq : loss.expected_abs;
      };
      EXPECT_LE(error(text), error("geometric") * (1 + 1e-12)) << text << " at " << epsilon;
    }
  }
}

// Drawn one by one its numbers would lose epsilon each.
TEST(StaircaseVector, IsDrawnAsAWhole) {
  const auto law = calibrated("staircase", 4, Changes::sharing(2, 100)).law;
  SeededBits bits(1);
  const Int128 exact[] = {5, 7, 9};
  Int128 noisy[3];
  EXPECT_THROW(mechanism::sample(law, bits), std::logic_error);
  EXPECT_THROW(mechanism::release(law, 5, bits), std::logic_error);
  EXPECT_THROW(mechanism::release_all(law, {exact, 3}, bits, noisy), std::logic_error);
  mechanism::release_all(law, {exact, 2}, bits, noisy);
  const auto bad = [&](StaircaseVector other) { EXPECT_THROW(other.sample(bits, noisy), std::invalid_argument); };
  bad({{1, 1}, 4, 0, 2});
  bad({{1, 1}, 4, 5, 2});
  bad({{1, 1}, 4, 2, 1});
  bad({{1, 1}, 4, 2, 17});
}

}  // namespace
}  // namespace dp::test
