// dp_tradeoff and its relatives against reference values computed elsewhere (another program, in high precision; copied
// here).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/mechanism/gaussian/gaussian_shape.h"
#include "core/mechanism/mechanism_text.h"
#include "core/planning/tradeoff.h"
#include "support/errors.h"

namespace dp::planning {
namespace {

using mechanism::Epsilon;
using mechanism::Lattice;
using test::message_of;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

struct LaplaceRow {
  const char* mechanism;
  double epsilon, sensitivity, expected_error, entropy_bits, phi;
};

constexpr LaplaceRow kLaplace[] = {
    {"laplace", 0.1, 1.0, 10.0, 5.764623135776326, 0.009900990099009901},
    {"laplace", 0.1, 3.0, 30.0, 7.349585636497482, 0.0011098779134295228},
    {"laplace", 0.5, 2.0, 4.0, 4.442695040888963, 0.058823529411764705},
    {"laplace", 1.0, 1.0, 1.0, 2.442695040888964, 0.5},
    {"laplace", 1.0, 3.0, 3.0, 4.02765754161012, 0.1},
    {"laplace", 2.0, 2.0, 1.0, 2.442695040888964, 0.5},
    {"laplace", 4.0, 1.0, 0.25, 0.44269504088896344, 0.9411764705882353},
    {"laplace", 4.0, 3.0, 0.75, 2.0276575416101195, 0.64},
};

TEST(PlanningTradeoff, LaplaceAgreesWithTheReference) {
  for (const LaplaceRow& row : kLaplace) {
    const Noise noise{mechanism::parse(row.mechanism), row.sensitivity, Lattice::fine};
    const TradeoffPoint point = noise_point(noise, Epsilon::from(row.epsilon), 1);
    EXPECT_NEAR(point.expected_error, row.expected_error, 1e-9 * row.expected_error);
    EXPECT_NEAR(point.entropy_bits, row.entropy_bits, 1e-9);
    EXPECT_NEAR(*point.phi, row.phi, 1e-9 * row.phi);
    EXPECT_FALSE(point.one_minus_ne);
  }
}

// The paper's sigma is not the one that we use; what belongs to a sigma is the same.
struct GaussianRow {
  double sigma, expected_error, entropy_bits, phi;
};

constexpr GaussianRow kGaussian[] = {
    {22.475447244974927, 17.93281235390479, 6.537373504670349, 2.0370359763346542e-110},
    {44.95089448994985, 35.86562470780958, 7.537373504670349, 0.0},
    {67.42634173492478, 53.79843706171437, 8.122336005391505, 0.0},
    {4.495089448994985, 3.586562470780958, 4.215445409782987, 4.096000000000004e-05},
    {8.99017889798997, 7.173124941561916, 5.215445409782987, 2.814749767106572e-18},
    {13.485268346984956, 10.759687412342874, 5.800407910504144, 3.2451855365842933e-40},
    {2.2475447244974927, 1.793281235390479, 3.2154454097829874, 0.08000000000000002},
    {4.495089448994985, 3.586562470780958, 4.215445409782987, 4.096000000000004e-05},
    {6.742634173492478, 5.379843706171437, 4.800407910504143, 1.3421772800000027e-10},
    {1.1237723622487463, 0.8966406176952395, 2.2154454097829874, 0.5318295896944989},
    {2.2475447244974927, 1.793281235390479, 3.2154454097829874, 0.08000000000000002},
    {3.371317086746239, 2.6899218530857185, 3.8004079105041435, 0.0034037093740447943},
    {0.5618861811243732, 0.44832030884761975, 1.2154454097829872, 0.853971002857656},
    {1.1237723622487463, 0.8966406176952395, 2.2154454097829874, 0.5318295896944989},
    {1.6856585433731195, 1.3449609265428593, 2.8004079105041435, 0.24153947482293012},
};

TEST(PlanningTradeoff, GaussianAgreesWithTheReferenceAtItsSigma) {
  for (const GaussianRow& row : kGaussian) {
    EXPECT_NEAR(mechanism::continuous_shape(row.sigma).phi(1), row.phi, 1e-9 * row.phi);
  }
  const Noise noise{mechanism::parse("gaussian(delta=1e-5)"), 1, Lattice::fine};
  const double sigma = noise.at(Epsilon::from(1)).loss.scale;
  const TradeoffPoint point = noise_point(noise, Epsilon::from(1), 0.5);
  EXPECT_NEAR(point.expected_error, sigma * kGaussian[0].expected_error / kGaussian[0].sigma, 1e-12);
  EXPECT_NEAR(point.entropy_bits, std::log2(sigma / kGaussian[0].sigma) + kGaussian[0].entropy_bits, 1e-12);
  EXPECT_NEAR(*point.phi, std::exp(-sigma * sigma / 8), 1e-15);
}

struct ExponentialRow {
  double epsilon;
  std::vector<double> utilities;
  double entropy_bits, one_minus_ne, expected_utility;
};

const ExponentialRow kExponential[] = {
    {0.1, {0, 1, 2, 3, 4}, 2.3183272085440114, 0.001550817336367749, 2.0998918278731034},
    {0.1, {1, 3, 2, 3, 1}, 2.320486661178523, 0.0006207917084138925, 2.0399766837372173},
    {0.5, {0, 1, 2, 3, 4}, 2.235277074975147, 0.03731856300934189, 2.486943928277266},
    {0.5, {1, 3, 2, 3, 1}, 2.2866339565455007, 0.015200358021239091, 2.1971357377506977},
    {1.0, {0, 1, 2, 3, 4}, 2.0115280009976724, 0.13368204406206963, 2.9056333666324616},
    {1.0, {1, 3, 2, 3, 1}, 2.1893302023912953, 0.057106803947991946, 2.378256013355325},
    {2.0, {0, 1, 2, 3, 4}, 1.4426558403766285, 0.3786819481821152, 3.4519415676621947},
    {2.0, {1, 3, 2, 3, 1}, 1.8968850472660663, 0.18305607678256497, 2.655409004383616},
    {4.0, {0, 1, 2, 3, 4}, 0.6606812165459256, 0.7154600876742587, 3.843709367205383},
    {4.0, {1, 3, 2, 3, 1}, 1.3961176385789587, 0.3987248607512607, 2.9039590007803087},
};

TEST(PlanningTradeoff, ExponentialAgreesWithTheReference) {
  for (const ExponentialRow& row : kExponential) {
    const TradeoffPoint point = exponential_point(row.utilities, 1, Epsilon::from(row.epsilon));
    EXPECT_NEAR(point.entropy_bits, row.entropy_bits, 1e-9);
    EXPECT_NEAR(*point.one_minus_ne, row.one_minus_ne, 1e-9);
    const double best = *std::max_element(row.utilities.begin(), row.utilities.end());
    EXPECT_NEAR(point.expected_error, best - row.expected_utility, 1e-9);
    EXPECT_FALSE(point.phi);
  }
}

TEST(PlanningTradeoff, ExponentialScalesWithTheSensitivity) {
  const std::vector<double> narrow = {0, 1, 4}, wide = {0, 10, 40};
  const TradeoffPoint a = exponential_point(narrow, 1, Epsilon::from(0.7));
  const TradeoffPoint b = exponential_point(wide, 10, Epsilon::from(0.7));
  EXPECT_DOUBLE_EQ(a.entropy_bits, b.entropy_bits);
  EXPECT_DOUBLE_EQ(10 * a.expected_error, b.expected_error);
}

TEST(PlanningTradeoff, ExtremeUtilitiesStayFinite) {
  const std::vector<double> far = {-1e300, 1e300, 0};
  const TradeoffPoint point = exponential_point(far, 1, Epsilon::from(1e6));
  EXPECT_EQ(point.expected_error, 0);
  EXPECT_EQ(point.entropy_bits, 0);
  EXPECT_EQ(*point.one_minus_ne, 1);
  const std::vector<double> single = {3};
  EXPECT_FALSE(exponential_point(single, 1, Epsilon::from(1)).one_minus_ne);  // 0 of 0 bits
}

struct ResponseRow {
  double epsilon;
  std::vector<double> shares;
  double entropy_bits, one_minus_ne;
};

const ResponseRow kResponse[] = {
    {0.1, {0.5, 0.5}, 1.0, 0.0},
    {0.1, {0.9, 0.1}, 0.9988474578916395, 0.0011525421083604659},
    {0.5, {0.5, 0.5}, 1.0, 0.0},
    {0.5, {0.9, 0.1}, 0.9721271414111958, 0.027872858588804172},
    {1.0, {0.5, 0.5}, 1.0, 0.0},
    {1.0, {0.9, 0.1}, 0.8990325873843168, 0.1009674126156832},
    {2.0, {0.5, 0.5}, 1.0, 0.0},
    {2.0, {0.9, 0.1}, 0.712555234095265, 0.287444765904735},
    {4.0, {0.5, 0.5}, 1.0, 0.0},
    {4.0, {0.9, 0.1}, 0.513014097728095, 0.48698590227190497},
    {0.1, {0.25, 0.25, 0.25, 0.25}, 2.0, 0.0},
    {0.1, {0.1, 0.4, 0.4, 0.1}, 1.999829551575644, 8.522421217804776e-05},
    {0.5, {0.1, 0.2, 0.3, 0.4}, 1.9971875346884174, 0.0014062326557913174},
    {1.0, {0.25, 0.25, 0.25, 0.25}, 2.0, 0.0},
    {1.0, {0.1, 0.4, 0.4, 0.1}, 1.976423345023134, 0.011788327488432948},
    {2.0, {0.1, 0.2, 0.3, 0.4}, 1.944243621839174, 0.027878189080412952},
    {4.0, {0.25, 0.25, 0.25, 0.25}, 2.0, 0.0},
    {4.0, {0.1, 0.4, 0.4, 0.1}, 1.761687445701857, 0.11915627714907151},
    {1.0, {0.3, 0.7}, 0.975210422611, 0.024789577389},
    {1.0, {0.1, 0.2, 0.3, 0.4}, 1.986908223796, 0.006545888102},
};

TEST(PlanningTradeoff, ResponseAgreesWithTheReference) {
  for (const ResponseRow& row : kResponse) {
    const TradeoffPoint point = response_point(row.shares, Epsilon::from(row.epsilon));
    EXPECT_NEAR(point.entropy_bits, row.entropy_bits, 1e-9);
    EXPECT_NEAR(*point.one_minus_ne, row.one_minus_ne, 1e-9);
    const double n = static_cast<double>(row.shares.size());
    EXPECT_NEAR(point.expected_error, (n - 1) / (n - 1 + std::exp(row.epsilon)), 1e-12);
    EXPECT_FALSE(point.phi);
  }
}

TEST(PlanningTradeoff, ResponseKeepsTheTruthAtLargeEpsilon) {
  const std::vector<double> shares = {0.25, 0.75};
  const TradeoffPoint point = response_point(shares, Epsilon::from(1e6));
  EXPECT_EQ(point.expected_error, 0);
  EXPECT_NEAR(point.entropy_bits, 0.811278124459, 1e-12);
}

TEST(PlanningTradeoff, EpsilonsAreEvenlySpaced) {
  const EpsilonRange range = EpsilonRange::checked(0.1, 1, 10);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(range.at(i).nano, 100'000'000u * (i + 1));
  EXPECT_EQ(EpsilonRange::checked(0.1, 1, 1).at(0).nano, 100'000'000u);
  EXPECT_EQ(EpsilonRange::checked(1e-9, 1e6, 100'000).at(99'999).nano, 1'000'000'000'000'000u);
  EXPECT_EQ(EpsilonRange::checked(0.5, 0.5, 3).at(2).nano, 500'000'000u);
  EXPECT_EQ(EpsilonRange::checked(0.1, 0.2, 4).at(1).nano, 133'333'333u);
}

TEST(PlanningTradeoff, BadValuesAreNamed) {
  using Numbers = std::vector<double>;
  EXPECT_EQ(message_of([] { EpsilonRange::checked(2, 1, 3); }), "eps_from must not be above eps_to: 2 > 1");
  EXPECT_EQ(message_of([] { EpsilonRange::checked(kNotANumber, 1, 3); }),
            "epsilon must be a number from 1e-9 to 1e6, not NaN");
  EXPECT_EQ(message_of([] { EpsilonRange::checked(1, 2, 0); }), "steps must be a whole number from 1 to 100000, not 0");
  EXPECT_EQ(message_of([] { EpsilonRange::checked(1, 2, 100'001); }),
            "steps must be a whole number from 1 to 100000, not 100001");
  EXPECT_EQ(message_of([] { check_argument(kNotANumber); }), "t must be a finite number, not NaN");
  EXPECT_EQ(message_of([] { check_utilities({}, 1); }), "utilities must not be empty");
  EXPECT_EQ(message_of([] {
              check_utilities(Numbers{1, kNotANumber}, 1);
            }),
            "utilities must be finite numbers, not NaN");
  EXPECT_EQ(message_of([] {
              check_utilities(Numbers{1, 2}, 0);
            }),
            "sensitivity must be a finite number above zero, not 0");
  EXPECT_EQ(message_of([] { check_shares("shares", {}); }), "shares must not be empty");
  EXPECT_EQ(message_of([] { check_shares("shares", Numbers{-0.5, 1.5}); }), "shares must hold probabilities, not -0.5");
  EXPECT_EQ(message_of([] { check_shares("shares", Numbers{kNotANumber}); }),
            "shares must hold probabilities, not NaN");
  EXPECT_EQ(message_of([] { check_shares("shares", Numbers{0.5, 0.25}); }), "sum of shares must be 1, not 0.75");
  EXPECT_EQ(message_of([] { check_shares("shares", Numbers{0.1, 0.2, 0.3, 0.4}); }), "no error");
}

}  // namespace
}  // namespace dp::planning
