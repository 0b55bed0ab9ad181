// P(|noise| <= t), |E e^{it noise}| and what follows from them, against reference values computed elsewhere (closed
// form and quadrature; of another program, copied here) and against sums over the pmf.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "core/mechanism/gaussian/gaussian_shape.h"
#include "core/mechanism/mechanism_text.h"
#include "core/planning/accuracy.h"
#include "planning_accuracy_rows.h"
#include "support/errors.h"

namespace dp::planning {
namespace {

using mechanism::Epsilon;
using test::message_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Noise noise_of(const char* mechanism, double sensitivity, Lattice lattice) {
  return {mechanism::parse(mechanism), sensitivity, lattice};
}

void expect_close(double got, double wanted, double tolerance, const std::string& what) {
  EXPECT_LE(std::abs(got - wanted), tolerance * std::abs(wanted) + 1e-14) << what << ": " << got << ", not " << wanted;
}

TEST(PlanningAccuracy, AgreesWithTheReference) {
  for (const Row& row : kRows) {
    const std::string what = std::string(row.mechanism) + " epsilon " + mechanism::decimal(row.epsilon) +
                             " sensitivity " + mechanism::decimal(row.sensitivity);
    const Noise asked = noise_of(row.mechanism, row.sensitivity, row.lattice);
    const double distances[] = {row.lattice == kInteger ? 0 : 0.5, 1, 2, 10};
    for (int i = 0; i < 4; ++i) {
      expect_close(usefulness(asked, Epsilon::from(row.epsilon), distances[i]), row.within[i], 1e-6, what);
    }
    const mechanism::Description description = asked.at(Epsilon::from(row.epsilon));
    expect_close(description.phi(0.1), row.phi_tenth, 1e-6, what + " phi(0.1)");
    expect_close(description.phi(1), row.phi_one, 1e-6, what + " phi(1)");
  }
}

// Adds a symmetric law on the integers up from its weights at 0, 1, 2, ... in any scale.
using Function = std::function<double(double)>;
void expect_sums(const std::string& what, const Function& within, const Function& phi,
                 const std::function<long double(double)>& weight) {
  long double total = weight(0);
  double last = 0;
  while (last < 100 || weight(last) > weight(0) * 1e-22L) total += 2 * weight(++last);
  for (const double t : {0.0, 0.9, 1.0, 3.7, 20.0, 1000.0}) {
    long double sum = weight(0);
    for (double x = 1; x <= std::min(t, last); ++x) sum += 2 * weight(x);
    expect_close(within(t), static_cast<double>(sum / total), 1e-9, what + " within " + mechanism::decimal(t));
  }
  for (const double t : {0.0, 1e-3, 0.3, 2.0, 3.1415926535, 6.2831853071, 50.0}) {
    long double sum = weight(0);
    for (double x = last; x >= 1; --x) sum += 2 * weight(x) * std::cos(static_cast<long double>(x) * t);
    EXPECT_NEAR(phi(t), static_cast<double>(std::abs(sum / total)), 1e-9) << what << " phi " << t;
  }
}

void expect_sums(const Noise& asked, Epsilon epsilon, const std::function<long double(double)>& weight) {
  const mechanism::Description description = asked.at(epsilon);
  const std::string what = mechanism::format(asked.mechanism) + " epsilon " + mechanism::decimal(epsilon.value()) +
                           " sensitivity " + mechanism::decimal(asked.sensitivity);
  expect_sums(what, description.within, description.phi, weight);
}

TEST(PlanningAccuracy, IntegerLawsAgreeWithTheirSums) {
  for (const double epsilon : {0.05, 1.0, 6.0, 40.0}) {
    for (const double sensitivity : {1.0, 3.0, 40.0}) {
      const long double rate = static_cast<long double>(epsilon) / sensitivity;
      const Epsilon e = Epsilon::from(epsilon);
      expect_sums(noise_of("geometric", sensitivity, kInteger), e, [&](double x) { return std::exp(-rate * x); });
      expect_sums(noise_of("laplace", sensitivity, kInteger), e, [&](double x) {
        return x == 0 ? -std::expm1(-rate / 2) : std::exp(-rate * (x - 0.5L)) * -std::expm1(-rate) / 2;
      });
      for (const char* text : {"staircase", "staircase(metric=l2)"}) {
        const Noise staircase = noise_of(text, sensitivity, kInteger);
        const double step = staircase.at(e).loss.scale;
        expect_sums(staircase, e, [&](double x) {
          const double stair = std::floor(x / sensitivity);
          return std::exp(-static_cast<long double>(epsilon) * (stair + (x - stair * sensitivity < step ? 0 : 1)));
        });
      }
      const Noise gaussian = noise_of("gaussian(delta=1e-3)", sensitivity, kInteger);
      const long double sigma = gaussian.at(e).loss.scale;
      expect_sums(gaussian, e, [&](double x) { return std::exp(-x * x / (2 * sigma * sigma)); });
    }
  }
}

// Where sums end and formulas begin: at a variance of 1 for phi, of 10^4 for within.
TEST(PlanningAccuracy, TheGaussianFormulaJoinsTheSums) {
  for (const double variance : {0.1, 0.9999, 1.0001, 9999.99, 10000.01}) {
    int exponent;
    const double fraction = std::frexp(variance, &exponent);
    const auto law =
        noise::DiscreteGaussian::with_variance(static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53);
    const mechanism::GaussianShape shape = mechanism::discrete_shape(law);
    expect_sums("variance " + mechanism::decimal(variance), shape.within, shape.phi,
                [&](double x) { return std::exp(-static_cast<long double>(x) * x / (2 * variance)); });
  }
}

TEST(PlanningAccuracy, ProbabilitiesStayProbabilitiesAtTheEnds) {
  for (const char* text :
       {"geometric", "laplace", "staircase", "staircase(metric=l2)", "gaussian(delta=1e-6)", "auto"}) {
    for (const Lattice lattice : {kInteger, kFine}) {
      for (const double epsilon : {1e-9, 1e6}) {
        const mechanism::Description description = noise_of(text, 1, lattice).at(Epsilon::from(epsilon));
        double before = 0;
        for (const double t : {0.0, 1e-9, 1.0, 1e9, 1e15, 1e100}) {
          const double within = description.within(t);
          EXPECT_TRUE(within >= before && within <= 1 + 1e-15) << text << " " << epsilon << " " << t << " " << within;
          before = within;
        }
        EXPECT_DOUBLE_EQ(before, 1) << text;
        EXPECT_DOUBLE_EQ(description.phi(0), 1) << text << " " << epsilon;
        EXPECT_TRUE(description.phi(1) >= 0 && description.phi(1) <= 1) << text;
      }
    }
  }
}

TEST(PlanningAccuracy, UsefulnessOfLaplaceIsTheTextbookOne) {
  EXPECT_DOUBLE_EQ(usefulness(noise_of("laplace", 1, kFine), Epsilon::from(5), 0.1), -std::expm1(-0.5));  // .393469
  EXPECT_DOUBLE_EQ(usefulness(noise_of("laplace", 2, kFine), Epsilon::from(0.5), 0), 0);
}

TEST(PlanningAccuracy, HalfWidthIsTheInterval95OfDescribe) {
  for (const char* text :
       {"geometric", "laplace", "staircase", "staircase(metric=l2)", "gaussian(delta=1e-6)", "auto"}) {
    for (const Lattice lattice : {kInteger, kFine}) {
      for (const double epsilon : {0.01, 0.3, 1.0, 5.0}) {
        const Noise asked = noise_of(text, 7, lattice);
        const double wanted = asked.at(Epsilon::from(epsilon)).loss.interval95;
        const double got = half_width(asked, Epsilon::from(epsilon), 0.95);
        EXPECT_NEAR(got, wanted, 1e-9 * wanted) << text << " " << epsilon;
        if (lattice == kInteger) {
          EXPECT_EQ(got, std::floor(got)) << text;
        }
      }
    }
  }
}

TEST(PlanningAccuracy, HalfWidthIsTheSmallest) {
  const Noise laplace = noise_of("laplace", 1, kFine);
  EXPECT_NEAR(half_width(laplace, Epsilon::from(1), 0.5), std::log(2.0), 1e-15);
  EXPECT_EQ(half_width(noise_of("geometric", 1, kInteger), Epsilon::from(1), 0.46), 0);  // P(0) = tanh(1/2) = .46212
  EXPECT_EQ(half_width(noise_of("geometric", 1, kInteger), Epsilon::from(1), 0.47), 1);
  EXPECT_EQ(quantile([](double) { return 0.5; }, 0.9), kInfinity);
}

// 1 - e^{-eps error / sensitivity} = confidence
TEST(PlanningAccuracy, EpsilonForLaplaceIsItsClosedFormRoundedUp) {
  for (const double error : {0.01, 1.0, 12.5, 1e4}) {
    for (const double confidence : {0.5, 0.95, 0.999}) {
      const double exact = -std::log1p(-confidence) * 3 / error;
      const double got = epsilon_for(noise_of("laplace", 3, kFine), error, confidence).value();
      EXPECT_NEAR(got, exact, 1.001e-9 + 1e-13 * exact) << error << " " << confidence;
    }
  }
}

TEST(PlanningAccuracy, EpsilonForIsTheTurningPoint) {
  for (const char* text :
       {"geometric", "laplace", "staircase", "staircase(metric=l2)", "gaussian(delta=1e-6)", "auto"}) {
    for (const Lattice lattice : {kInteger, kFine}) {
      const Noise asked = noise_of(text, 4, lattice);
      const Epsilon found = epsilon_for(asked, 10, 0.9);
      EXPECT_GE(usefulness(asked, found, 10), 0.9) << text;
      EXPECT_LT(usefulness(asked, {found.nano - 1}, 10), 0.9) << text;
    }
  }
  EXPECT_EQ(epsilon_for(noise_of("geometric", 1, kInteger), 1e12, 0.5).nano, 1u);
}

// A family that counts how often it is calibrated; its noise is that of another one.
int calibrations = 0;
const Noise* counted = nullptr;
mechanism::Description describe_counted(const mechanism::Mechanism&, Epsilon epsilon, double, Lattice) {
  ++calibrations;
  return counted->at(epsilon);
}
const mechanism::Family kCounting{"counting", "counting", {}, mechanism::accept_keys, nullptr, describe_counted};

// Laws whose answer is far from epsilon 1, whose probability hardly depends on epsilon, is 0 or 1 in a double, or
// jumps.
TEST(PlanningAccuracy, EpsilonForCalibratesAFewTimes) {
  for (const char* text :
       {"geometric", "laplace", "gaussian(delta=1e-6)", "gg(p=16, delta=1e-9, definition=approximate)",
        "bit_gg(p=2, lower=0, upper=1000)", "r2dp(gamma=3)"}) {
    for (const Lattice lattice : {kInteger, kFine}) {
      for (const auto& [error, confidence] :
           {std::pair{1.0, 0.95}, {30.0, 0.95}, {400.0, 0.9999999}, {3e4, 0.3}, {1e7, 1e-6}, {1e12, 0.5}}) {
        SCOPED_TRACE(testing::Message() << text << ' ' << error << ' ' << confidence);
        const Noise asked = noise_of(text, 1, lattice);
        counted = &asked;
        calibrations = 0;
        const Epsilon found = epsilon_for({{&kCounting}, 1, lattice}, error, confidence);
        const bool smooth = !std::string_view(text).starts_with("gg") && !std::string_view(text).starts_with("bit");
        EXPECT_LE(calibrations, smooth ? 35 : 60);
        EXPECT_GE(usefulness(asked, found, error), confidence);
        if (found.nano == 1) continue;
        EXPECT_LT(usefulness(asked, {found.nano - 1}, error), confidence);
      }
    }
  }
}

// No epsilon above 1 is tried unless it must be: classic refuses those.
TEST(PlanningAccuracy, EpsilonForStaysWhereTheMechanismIsProven) {
  const Noise classic = noise_of("gaussian(delta=1e-6, definition=classic)", 1, kInteger);
  const Epsilon found = epsilon_for(classic, 10, 0.95);
  EXPECT_GT(found.value(), 0.5);
  EXPECT_LE(found.value(), 1);
  EXPECT_LT(usefulness(classic, {found.nano - 1}, 10), 0.95);
  EXPECT_NE(message_of([&] { epsilon_for(classic, 1, 0.95); }).find("epsilon must be at most 1"), std::string::npos);
}

TEST(PlanningAccuracy, BadValuesAreNamed) {
  const Noise laplace = noise_of("laplace", 1, kFine);
  const Epsilon one = Epsilon::from(1);
  EXPECT_EQ(message_of([&] { usefulness(laplace, one, -1); }), "gamma must be a finite number from 0, not -1");
  EXPECT_EQ(message_of([&] { usefulness(laplace, one, kNan); }), "gamma must be a finite number from 0, not NaN");
  EXPECT_EQ(message_of([&] { epsilon_for(laplace, kInfinity, 0.9); }),
            "error must be a finite number from 0, not Infinity");
  for (const double confidence : {0.0, 1.0, -0.5, kNan}) {
    const std::string wanted = "confidence must be a number between 0 and 1, not " + mechanism::decimal(confidence);
    EXPECT_EQ(message_of([&] { half_width(laplace, one, confidence); }), wanted);
    EXPECT_EQ(message_of([&] { epsilon_for(laplace, 1, confidence); }), wanted);
  }
  EXPECT_EQ(message_of([&] { epsilon_for(laplace, 0, 0.9); }),
            "no epsilon up to 1e6 keeps the error of laplace within 0 with confidence 0.9");
}

}  // namespace
}  // namespace dp::planning
