// gg, truncated_gg and bit_gg as mechanisms: parameters, ranges on lattices, several coordinates, dp_describe.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/mechanism_text.h"
#include "support/bits.h"
#include "support/errors.h"

namespace dp::mechanism {
namespace {

using test::expect_error;

Calibration calibrated(const std::string& text, double epsilon, const Changes& changes,
                       Lattice lattice = Lattice::integer) {
  return calibrate(parse(text), Epsilon::from(epsilon), changes, lattice);
}

Description described(const std::string& text, double epsilon, double sensitivity, Lattice lattice) {
  return describe(parse(text), Epsilon::from(epsilon), sensitivity, lattice);
}

TEST(GgFamilies, BadParametersAreNamed) {
  const auto rejects = [](const char* text, const char* part) { expect_error([&] { parse(text); }, part); };
  rejects("gg(p=2.505, delta=1e-6)",
          "p must be a number from 1 to 16 with at most two digits behind the point, not 2.505");
  rejects("gg(p=0.99, delta=1e-6)", "not 0.99");
  rejects("gg(p=16.01, delta=1e-6)", "not 16.01");
  rejects("truncated_gg(p=1.5, lower=0, upper=1)", "p of truncated_gg must be 1 or at least 2, not 1.5");
  rejects("gg(p=0.5, delta=1e-6)", "not 0.5");
  rejects("gg(p=0, delta=1e-6)", "not 0");
  rejects("gg(p=17, delta=1e-6)", "not 17");
  rejects("gg(delta=1e-6)", "needs p");
  rejects("gg(p=2)", "needs delta");
  rejects("gg(p=2, delta=0)", "delta must be");
  rejects("gg(p=2, delta=1)", "delta must be");
  rejects("gg(p=2, delta=1e-6, definition=classic)", "classic");
  rejects("truncated_gg(p=2)", "needs lower");
  rejects("truncated_gg(p=2, lower=0)", "needs upper");
  rejects("truncated_gg(lower=0, upper=1)", "needs p");
  rejects("truncated_gg(p=2, lower=5, upper=5)", "lower 5 must be below upper 5");
  rejects("bit_gg(p=2, lower=6, upper=-5)", "lower 6 must be below upper -5");
  rejects("bit_gg(p=-1, lower=0, upper=1)", "not -1");
}

TEST(GgFamilies, ImpossibleCalibrationsAreErrors) {
  expect_error([] { calibrated("truncated_gg(p=2, lower=0.2, upper=0.9)", 1, Changes::one(1)); }, "0.2 to 0.9");
  expect_error([] { calibrated("bit_gg(p=2, lower=0, upper=9)", 1, Changes{2, 2, 2, 1}); }, "single number");
  expect_error([] { calibrated("truncated_gg(p=2, lower=0, upper=9)", 1, Changes{2, 2, 2, 1}); }, "single number");
  expect_error([] { calibrated("bit_gg(p=2, lower=-1e300, upper=1e300)", 1, Changes::one(1)); }, "too wide");
  expect_error([] { calibrated("gg(p=16, delta=1e-18)", 1e-9, Changes::one(noise::Uint128{1} << 100)); },
               "epsilon 1e-09");
  expect_error([] { calibrated("gg(p=2, delta=1e-18)", 1, Changes{2, 2, 2, 1}); }, "too small for 2");
}

TEST(GgFamilies, TextRoundTrips) {
  for (const std::string text :
       {"gg(p=3, delta=1e-6)", "gg(p=3, delta=1e-6, definition=approximate)", "gg(p=1.05, delta=1e-6)",
        "truncated_gg(p=2.5, lower=-1.5, upper=100)", "bit_gg(p=1, lower=0, upper=1)"}) {
    EXPECT_EQ(format(parse(text)), text);
  }
  EXPECT_EQ(format(parse("gg(definition=probabilistic, delta=1e-6, p=3)")), "gg(p=3, delta=1e-6)");
}

TEST(GgFamilies, SeveralCoordinatesGetShares) {
  const auto joint = calibrated("gg(p=3, delta=2e-6)", 1, Changes{2, 9, 8, 5});
  const auto single = calibrated("gg(p=3, delta=1e-6)", 0.5, Changes::one(5));
  EXPECT_EQ(std::get<noise::GeneralisedGaussian>(joint.law).scale(),
            std::get<noise::GeneralisedGaussian>(single.law).scale());
}

// The range is in units of the answer; its steps are those of the lattice, inside the range.
TEST(GgFamilies, RangeFollowsTheLattice) {
  const Lattice quarters{Lattice::Kind::fine, -2};
  const auto used = calibrated("truncated_gg(p=2, lower=-1.1, upper=2.6)", 1, Changes::one(4), quarters);
  const auto& law = std::get<noise::TruncatedGeneralisedGaussian>(used.law);
  EXPECT_EQ(law.low, -4);
  EXPECT_EQ(law.high, 10);
  EXPECT_EQ(used.refinement, 0u);
}

TEST(GgFamilies, ReleasesStayInTheRange) {
  test::SeededBits bits(7);
  for (const std::string text : {"truncated_gg(p=3, lower=-3, upper=5)", "bit_gg(p=3, lower=-3, upper=5)"}) {
    const auto used = calibrated(text, 0.5, Changes::one(1));
    int low = 0, high = 0;
    for (int i = 0; i < 2000; ++i) {
      for (const noise::Int128 exact : {noise::Int128{-1000}, noise::Int128{2}, noise::kInt128Max}) {
        const noise::Int128 answer = aggregate::noised(exact, used, bits);
        EXPECT_GE(answer, -3);
        EXPECT_LE(answer, 5);
        low += answer == -3;
        high += answer == 5;
      }
    }
    EXPECT_GT(low, 0);
    EXPECT_GT(high, 0);
    EXPECT_THROW(sample(used.law, bits), std::logic_error);
  }
}

// truncated_gg.json: err_exact_mid and err_bit_mid.
TEST(GgFamilies, ExpectedErrorInTheMiddleAgreesWithReference) {
  struct {
    int p, width;
    double epsilon, sensitivity, truncated, boundary;
  } const rows[] = {
      {1, 10, 0.5, 1, 1.928334202561048, 1.8358300027522025},   {3, 10, 0.5, 1, 2.3958879452723307, 3.487801337764098},
      {1, 10, 1, 1, 1.3763255065813844, 0.9932620530009145},    {3, 10, 1, 1, 2.3106631080017483, 3.0374601686532747},
      {3, 10, 2, 2, 2.292860750159172, 2.9806797668707836},     {1, 100, 0.5, 1, 3.559568386175993, 1.9999999999722253},
      {3, 100, 0.5, 1, 18.653647649862418, 19.839491402719023}, {3, 100, 2, 2, 15.364536740354312, 15.69850216672024}};
  for (const auto& [p, width, epsilon, sensitivity, truncated, boundary] : rows) {
    const std::string keys = "(p=" + std::to_string(p) + ", lower=-2, upper=" + std::to_string(width - 2) + ")";
    const auto error = [&](const std::string& name) {
      return described(name + keys, epsilon, sensitivity, Lattice::fine).loss.expected_abs;
    };
    EXPECT_NEAR(error("truncated_gg") / truncated, 1, 1e-6) << keys << epsilon;
    EXPECT_NEAR(error("bit_gg") / boundary, 1, 1e-6) << keys << epsilon;
  }
}

// gg with p = 1 and 2 is Laplace and Gaussian noise; gg_scale.json's E_abs_adp for p = 2, epsilon 0.5.
TEST(GgFamilies, DescribesTheContinuousLaws) {
  const Loss gaussian = described("gg(p=2, delta=1e-6, definition=approximate)", 0.5, 1, Lattice::fine).loss;
  EXPECT_NEAR(gaussian.expected_abs / 6.429049382610359, 1, 1e-6);
  const Loss analytic = described("gaussian(delta=1e-6)", 0.5, 1, Lattice::fine).loss;
  EXPECT_NEAR(gaussian.expected_sq / analytic.expected_sq, 1, 1e-9);
  EXPECT_NEAR(gaussian.entropy_bits, analytic.entropy_bits, 1e-9);
  EXPECT_NEAR(gaussian.interval95 / analytic.interval95, 1, 1e-9);
  const Loss one = described("gg(p=1, delta=1e-6)", 0.5, 3, Lattice::fine).loss;
  const Loss laplace = described("laplace", 0.5, 3, Lattice::fine).loss;
  EXPECT_NEAR(one.expected_abs, laplace.expected_abs, 1e-9);
  EXPECT_NEAR(one.entropy_bits, laplace.entropy_bits, 1e-9);
  EXPECT_NEAR(one.interval95, laplace.interval95, 1e-9);
}

// Integers near the reals, and the two functions beside the figures: interval95 is where `within` reaches 0.95; the
// second derivative of phi at 0 is -E noise^2, or the variance, which is that of a symmetric law.
TEST(GgFamilies, FiguresFitTogether) {
  for (const std::string text : {"gg(p=1, delta=1e-6)", "gg(p=1.5, delta=1e-6)", "bit_gg(p=1.5, lower=0, upper=4000)",
                                 "gg(p=3, delta=1e-6)", "gg(p=8, delta=0.01, definition=approximate)",
                                 "truncated_gg(p=3, lower=0, upper=4000)", "bit_gg(p=3, lower=0, upper=4000)"}) {
    for (const double sensitivity : {3.0, 200.0}) {
      SCOPED_TRACE(testing::Message() << text << " at " << sensitivity);
      const Description fine = described(text, 1, sensitivity, Lattice::fine);
      const Description whole = described(text, 1, sensitivity, Lattice::integer);
      EXPECT_NEAR(whole.loss.expected_abs / fine.loss.expected_abs, 1, 0.05);
      EXPECT_GE(fine.within(fine.loss.interval95), 0.95 - 1e-9);
      EXPECT_LT(fine.within(fine.loss.interval95 * (1 - 1e-6)), 0.95);
      EXPECT_GE(whole.within(whole.loss.interval95), 0.95 - 1e-12);
      EXPECT_LT(whole.within(whole.loss.interval95 - 1), 0.95);
      for (const Description* d : {&fine, &whole}) {
        const double t = 1e-3 / std::sqrt(d->loss.expected_sq);
        EXPECT_NEAR(d->phi(0), 1, 1e-9);
        EXPECT_NEAR((1 - d->phi(t)) * 2 / (t * t) / d->loss.expected_sq, 1, 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace dp::mechanism
