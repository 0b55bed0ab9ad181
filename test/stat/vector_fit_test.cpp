// How far the parts of a vector are off, against what follows from the law of its numbers. Fixed seeds.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/accumulate/vector.h"
#include "core/mechanism/mechanism_text.h"
#include "support/bits.h"

namespace dp::aggregate {
namespace {

constexpr int kDraws = 10'000;
constexpr std::int64_t kRange = 100;  // steps
constexpr double kEpsilon = 1;
constexpr int kValues = 600, kMissing = 50;

// The root of the mean square of what was off.
class Off {
 public:
  void add(double error) { squares_ += error * error; }
  double root() const { return std::sqrt(squares_ / kDraws); }

 private:
  double squares_ = 0;
};

// The variance of a discrete Laplace draw that hides `change` steps.
double variance(double change) {
  const double q = std::exp(-kEpsilon / change);
  return 2 * q / ((1 - q) * (1 - q));
}

// A whole number from a noisy one that is not: rounding adds the variance of a uniform number.
double rounded(double variance) { return std::sqrt(variance + 1.0 / 12); }

void expect_near(double seen, double theory) { EXPECT_NEAR(seen / theory, 1, 0.04); }  // of 1.1 % by chance

struct Parts {
  Off rows, count, sum, mean, spread;
};

// Answers about kValues values, a fifth of them at 90 steps and the others at 20, and kMissing rows without one.
Parts drawn(Form::Kind kind, const std::vector<__int128>& exact) {
  Parts off;
  const auto change = static_cast<Uint128>(exact.size() == 4 ? kRange * kRange : kRange);
  const auto calibration = mechanism::calibrate(
      mechanism::parse("geometric"), mechanism::Epsilon::from(kEpsilon),
      mechanism::Changes::sharing(static_cast<unsigned>(exact.size()), change), mechanism::Lattice::integer);
  const Form form{.kind = kind, .refinement = static_cast<std::uint8_t>(calibration.refinement), .range = kRange};
  test::SeededBits bits(30);
  for (int i = 0; i < kDraws; ++i) {
    std::vector<__int128> noisy(exact.size());
    noised({exact.data(), exact.size()}, calibration, bits, noisy.data());
    const NoisyVector vector(form, {noisy.data(), noisy.size()});
    off.rows.add(static_cast<double>(vector.rows() - kValues - kMissing));
    off.count.add(static_cast<double>(vector.count() - kValues));
    off.sum.add(static_cast<double>(vector.above()) / static_cast<double>(vector.step()) - 34.0 * kValues);
    off.mean.add(mean_position(vector.pair()) - 0.34);
    if (exact.size() == 4) off.spread.add(population_position({noisy[0], noisy[1], noisy[2]}) - 0.0784);
  }
  return off;
}

template <class S>
S state() {
  S state{};
  state.tag = S::kTag;
  for (int i = 0; i < kValues; ++i) state.add(i % 5 == 0 ? 90 : 20);
  for (int i = 0; i < kMissing; ++i) state.add_missing(kRange);
  return state;
}

TEST(VectorFit, PartsOfTotalsAreOffAsTheLawSays) {
  const ExactTotals exact = exact_totals(state<TotalsState>(), kRange);
  const Parts off = drawn(Form::Kind::totals, {exact.pair.above, exact.pair.below, exact.missing});
  const double v = variance(kRange), squared = double{kRange} * kRange;
  expect_near(off.rows.root(), rounded(3 * v / squared));
  expect_near(off.count.root(), rounded(2 * v / squared));
  expect_near(off.sum.root(), std::sqrt(v));
  // d (X / (X + Y)) = (Y dX - X dY) / (X + Y)^2
  expect_near(off.mean.root(), std::sqrt(v * (0.34 * 0.34 + 0.66 * 0.66)) / (kValues * kRange));
  // A count of its own would be off by 1 / sqrt 2 of that of the pair.
  const double q = std::exp(-kEpsilon);
  EXPECT_NEAR(off.count.root() / std::sqrt(2 * q / ((1 - q) * (1 - q))), std::sqrt(2.0), 0.09);
}

TEST(VectorFit, PartsOfMomentsAreOffAsTheLawSays) {
  const ExactMoments exact = exact_moments(state<AllMomentsState>(), kRange);
  const auto& [above, mixed, below] = exact.triple;
  const Parts off = drawn(Form::Kind::all_moments, {above, mixed, below, exact.missing});
  const double squared = double{kRange} * kRange, v = variance(squared), all = kValues * squared;
  expect_near(off.rows.root(), rounded(4 * v / (squared * squared)));
  expect_near(off.count.root(), rounded(3 * v / (squared * squared)));
  // (2 A + M) / (2 range)
  expect_near(off.sum.root(), std::sqrt(5 * v) / (2 * kRange));
  // m = (A + M / 2) / all
  expect_near(off.mean.root(), std::sqrt(v * (0.66 * 0.66 + 0.16 * 0.16 + 0.34 * 0.34)) / all);
  // A / all - m^2, whose derivatives are (1 - m)^2 - s, -m (1 - m) - s and m^2 - s where s is the variance.
  const double s = 0.0784, a = 0.66 * 0.66 - s, b = 0.34 * 0.66 + s, c = 0.34 * 0.34 - s;
  expect_near(off.spread.root(), std::sqrt(v * (a * a + b * b + c * c)) / all);
}

}  // namespace
}  // namespace dp::aggregate
