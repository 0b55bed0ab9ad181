// The figures of dp_describe against a second computation: sums over the pmf for whole numbers, integrals for real
// ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "core/number/special_functions.h"
#include "support/errors.h"

namespace dp::mechanism {
namespace {

// A law whose own figures were forgotten must not find those of the variant, which it converts to: that would never
// end.
struct BecomesALaw {
  operator Law() const;
};
template <class L>
concept HasFigures = requires(const L& law) {
  loss(law);
}
|| requires(const L& law) { within(law); };
static_assert(HasFigures<Law> && HasFigures<noise::Staircase> && !HasFigures<BecomesALaw>);

constexpr double kEpsilons[] = {0.01, 0.1, 1, 3, 10, 100, 1e6};
constexpr double kSensitivities[] = {1, 4, 10, 1000};

std::string where(const std::string& mechanism, double epsilon, double sensitivity) {
  return mechanism + " epsilon " + decimal(epsilon) + " sensitivity " + decimal(sensitivity);
}

// 1e-6 relative, or nothing where both are nothing.
void expect_close(double got, long double wanted, const char* figure) {
  EXPECT_LE(std::abs(got - wanted), 1e-6L * std::abs(wanted) + 1e-200L) << figure << ": " << got << ", not " << wanted;
}

// Adds a symmetric law up from its weights at 0, 1, 2, ... (any scale), until they vanish, and at least up to `least`:
// where nearly all mass is at 0, the figures come from what little is not.
void expect_sums(const Loss& got, double least, const std::function<long double(double)>& weight) {
  std::vector<long double> weights{weight(0)};
  long double total = weights[0];
  for (double x = 1; x <= least || weights.back() > weights[0] * 1e-25L; ++x) {
    weights.push_back(2 * weight(x));
    total += weights.back();
  }
  long double sum_abs = 0, sum_sq = 0, entropy = 0, within = 0;
  for (std::size_t x = weights.size(); x-- > 0;) {
    const long double p = weights[x] / total;
    sum_abs += p * x;
    sum_sq += p * x * x;
    if (p > 0) entropy -= p * std::log2(x == 0 ? p : p / 2);
  }
  // Rounding may decide a tail that is 0.05 exactly.
  double lowest = -1, highest = -1;
  for (std::size_t x = 0; x < weights.size() && highest < 0; ++x) {
    within += weights[x] / total;
    if (lowest < 0 && within >= 0.95L - 1e-13L) lowest = static_cast<double>(x);
    if (within >= 0.95L + 1e-13L) highest = static_cast<double>(x);
  }
  EXPECT_TRUE(got.interval95 == lowest || got.interval95 == highest)
      << "interval95: " << got.interval95 << ", not " << lowest;
  expect_close(got.expected_abs, sum_abs, "expected_abs");
  expect_close(got.expected_sq, sum_sq, "expected_sq");
  EXPECT_LE(std::abs(got.entropy_bits - entropy), 1e-6L * entropy + 1e-15L) << "entropy: " << got.entropy_bits;
}

Loss described(const std::string& mechanism, double epsilon, double sensitivity, Lattice lattice) {
  const Description used = describe(parse(mechanism), Epsilon::from(epsilon), sensitivity, lattice);
  EXPECT_EQ(format(used.mechanism), mechanism);
  return used.loss;
}

template <class Check>
void on_grid(const std::string& mechanism, Lattice lattice, Check check) {
  for (const double epsilon : kEpsilons) {
    for (const double sensitivity : kSensitivities) {
      SCOPED_TRACE(where(mechanism, epsilon, sensitivity));
      check(described(mechanism, epsilon, sensitivity, lattice), epsilon, sensitivity);
    }
  }
}

TEST(DescribeIntegers, Geometric) {
  on_grid("geometric", Lattice::integer, [](const Loss& loss, double epsilon, double sensitivity) {
    EXPECT_DOUBLE_EQ(loss.scale, sensitivity / epsilon);
    expect_sums(loss, 1, [&](double x) { return std::exp(-static_cast<long double>(epsilon) * x / sensitivity); });
  });
}

// Each whole number has the mass of the interval that is rounded to it.
TEST(DescribeIntegers, RoundedLaplace) {
  on_grid("laplace", Lattice::integer, [](const Loss& loss, double epsilon, double sensitivity) {
    const long double rate = static_cast<long double>(epsilon) / sensitivity;
    EXPECT_DOUBLE_EQ(loss.scale, sensitivity / epsilon);
    expect_sums(loss, 1, [&](double x) {
      return x == 0 ? -std::expm1(-rate / 2) : std::exp(-rate * (x - 0.5L)) * -std::expm1(-rate) / 2;
    });
  });
}

long double staircase_weight(double x, double epsilon, double width, double step) {
  const double stair = std::floor(x / width);
  return std::exp(-static_cast<long double>(epsilon) * (stair + (x - stair * width < step ? 0 : 1)));
}

TEST(DescribeIntegers, Staircase) {
  for (const std::string metric : {"staircase", "staircase(metric=l2)"}) {
    on_grid(metric, Lattice::integer, [](const Loss& loss, double epsilon, double width) {
      EXPECT_TRUE(loss.scale >= 1 && loss.scale <= width && loss.scale == std::floor(loss.scale)) << loss.scale;
      expect_sums(loss, 2 * width, [&](double x) { return staircase_weight(x, epsilon, width, loss.scale); });
    });
  }
}

// No other step has a smaller error. The error is taken from the pmf.
TEST(DescribeIntegers, StaircaseStepIsTheBest) {
  const auto error = [](double power, double epsilon, double width, double step) {
    long double total = 0, sum = 0;
    for (double x = width * (60 / epsilon + 3); x >= 0; --x) {
      const long double weight = staircase_weight(x, epsilon, width, step) * (x == 0 ? 1 : 2);
      total += weight;
      sum += weight * std::pow(static_cast<long double>(x), power);
    }
    return sum / total;
  };
  for (const double epsilon : {0.5, 1.0, 3.0, 10.0, 100.0}) {
    for (const double width : {1.0, 2.0, 4.0, 10.0, 37.0}) {
      for (const int power : {1, 2}) {
        const std::string mechanism = power == 1 ? "staircase" : "staircase(metric=l2)";
        SCOPED_TRACE(where(mechanism, epsilon, width));
        const double chosen = described(mechanism, epsilon, width, Lattice::integer).scale;
        const long double least = error(power, epsilon, width, chosen);
        for (double step = 1; step <= width; ++step) {
          EXPECT_LE(least, error(power, epsilon, width, step) * (1 + 1e-12L)) << "step " << step << " beats " << chosen;
        }
      }
    }
  }
}

// That sigma is the right one stands in calibration_test.cpp; here the figures that follow from it.
TEST(DescribeIntegers, Gaussian) {
  on_grid("gaussian(delta=1e-6)", Lattice::integer, [](const Loss& loss, double, double) {
    const long double variance = static_cast<long double>(loss.scale) * loss.scale;
    if (loss.scale > 1e5) return;  // too many terms for a sum; the law there is the continuous one to ten digits
    expect_sums(loss, 1, [&](double x) { return std::exp(-static_cast<long double>(x) * x / (2 * variance)); });
  });
}

// Above this sigma the figures come from formulas instead of sums: they must join.
TEST(DescribeIntegers, GaussianFormulasJoinTheSums) {
  const auto at = [](double variance) {
    int exponent;
    const double fraction = std::frexp(variance, &exponent);
    return loss(
        noise::DiscreteGaussian::with_variance(static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53));
  };
  const Loss summed = at(999'999.9), formula = at(1'000'000.1);
  EXPECT_NEAR(formula.expected_abs / summed.expected_abs, std::sqrt(1'000'000.1 / 999'999.9), 1e-12);
  EXPECT_NEAR(formula.expected_sq / summed.expected_sq, 1'000'000.1 / 999'999.9, 1e-12);
  EXPECT_NEAR(formula.entropy_bits - summed.entropy_bits, std::log2(1'000'000.1 / 999'999.9) / 2, 1e-11);
  EXPECT_EQ(formula.interval95, summed.interval95);
}

// E |x|, E x^2 and the entropy of a density that is symmetric, by quadrature in units of its scale.
void expect_integrals(const Loss& got, double scale, const std::function<double(double)>& density) {
  const auto integral = [&](auto f) {
    double sum = 0;
    for (int piece = 0; piece < 40; ++piece) {
      sum += 2 * dp::integral([&](double t) { return f(t, scale * density(t * scale)); }, piece, piece + 1, 5, 1e-12);
    }
    return sum;
  };
  ASSERT_NEAR(integral([](double, double p) { return p; }), 1, 1e-9);
  expect_close(got.expected_abs, scale * integral([](double t, double p) { return p * t; }), "expected_abs");
  expect_close(got.expected_sq, scale * scale * integral([](double t, double p) { return p * t * t; }), "expected_sq");
  const double entropy = integral([](double, double p) { return p > 0 ? -p * std::log2(p) : 0; }) + std::log2(scale);
  EXPECT_NEAR(got.entropy_bits, entropy, 1e-6 * std::max(1.0, std::fabs(entropy)));
  const double within = 2 * dp::integral(density, 0, got.interval95, 8, 1e-12);
  EXPECT_NEAR(within, 0.95, 1e-6) << "interval95 " << got.interval95;
}

TEST(DescribeReals, Laplace) {
  on_grid("laplace", Lattice::fine, [](const Loss& loss, double epsilon, double sensitivity) {
    const double b = sensitivity / epsilon;
    EXPECT_DOUBLE_EQ(loss.scale, b);
    expect_integrals(loss, b, [b](double x) { return std::exp(-std::fabs(x) / b) / (2 * b); });
  });
}

TEST(DescribeReals, Gaussian) {
  on_grid("gaussian(delta=1e-5)", Lattice::fine, [](const Loss& loss, double epsilon, double sensitivity) {
    const double sigma = loss.scale;
    expect_integrals(loss, sigma, [sigma](double x) {
      return std::exp(-x * x / (2 * sigma * sigma)) / (sigma * std::sqrt(2 * std::acos(-1.0)));
    });
    // Balle, Wang (2018), theorem 8; e^epsilon leaves the doubles beyond.
    if (epsilon > 100) return;
    const auto upper = [](double z) { return std::erfc(z / std::sqrt(2.0)) / 2; };
    const double centre = epsilon * sigma / sensitivity, half = sensitivity / (2 * sigma);
    EXPECT_NEAR((upper(centre - half) - std::exp(epsilon) * upper(centre + half)) / 1e-5, 1, 1e-6);
  });
}

// The density is constant on each flat step, so its integrals are sums over the steps.
TEST(DescribeReals, Staircase) {
  const auto check = [](const Loss& loss, double epsilon, double width) {
    const long double s = loss.scale;
    long double mass = 0, sum_abs = 0, sum_sq = 0, logs = 0, within = 0;
    for (long double j = 0; epsilon * j < 80; ++j) {
      const long double edges[] = {j * width, j * width + s, (j + 1) * width};
      for (const int part : {0, 1}) {
        const long double from = edges[part], to = edges[part + 1];
        const long double weight = std::exp(-epsilon * (j + part));
        mass += weight * (to - from);
        sum_abs += weight * (to * to - from * from) / 2;
        sum_sq += weight * (to * to * to - from * from * from) / 3;
        logs += weight * (to - from) * -epsilon * (j + part);
        within += weight * std::clamp<long double>(loss.interval95 - from, 0, to - from);
      }
    }
    expect_close(loss.expected_abs, sum_abs / mass, "expected_abs");
    expect_close(loss.expected_sq, sum_sq / mass, "expected_sq");
    const long double entropy = (std::log(2 * mass) - logs / mass) / std::log(2.0L);
    EXPECT_LE(std::abs(loss.entropy_bits - entropy), 1e-6L * std::max(1.0L, std::abs(entropy))) << loss.entropy_bits;
    EXPECT_LE(std::abs(within / mass - 0.95L), 1e-6L) << "interval95 " << loss.interval95;
  };
  on_grid("staircase", Lattice::fine, check);
  on_grid("staircase(metric=l2)", Lattice::fine, check);
}

// The optima in closed form. The search is blind below about 1e-8 of the sensitivity, so for
// large epsilon, where the best step is smaller than that, only smallness is asked for.
TEST(DescribeReals, StaircaseStepIsTheBest) {
  for (const double epsilon : {0.01, 0.1, 1.0, 3.0, 10.0, 20.0}) {
    SCOPED_TRACE(epsilon);
    const double a = std::exp(-epsilon);
    expect_close(described("staircase", epsilon, 10, Lattice::fine).expected_abs,
                 10 * std::sqrt(a) / -std::expm1(-epsilon), "expected_abs");
    const double least_sq =
        (std::pow(2.0, -2.0 / 3) * std::pow(a * (1 + a), 2.0 / 3) + a) / std::pow(std::expm1(-epsilon), 2);
    expect_close(described("staircase(metric=l2)", epsilon, 10, Lattice::fine).expected_sq, 100 * least_sq,
                 "expected_sq");
  }
  for (const double epsilon : {100.0, 1e6}) {
    EXPECT_LE(described("staircase", epsilon, 1, Lattice::fine).expected_abs, 1e-8);
  }
}

TEST(Describe, BadSensitivitiesAreRefusedByName) {
  const auto refusal = [](double sensitivity, Lattice lattice) {
    return test::message_of([&] { describe(parse("auto"), Epsilon::from(1), sensitivity, lattice); });
  };
  for (const double bad : {0.0, -0.0, -1.0, std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(refusal(bad, Lattice::fine).ends_with(", not " + decimal(bad))) << refusal(bad, Lattice::fine);
    EXPECT_TRUE(refusal(bad, Lattice::integer).ends_with(", not " + decimal(bad)));
  }
  for (const double bad : {0.5, 1.5, 0x1p53 + 2}) {
    EXPECT_TRUE(refusal(bad, Lattice::integer).ends_with(", not " + decimal(bad)));
    EXPECT_EQ(refusal(bad, Lattice::fine), "no error");
  }
}

// Where the scale is large against a whole number, the integer law's figures are those of the continuous one; formulas
// that subtract nearly equal numbers fail here.
TEST(Describe, SmallRatesApproachTheContinuousLaw) {
  for (const char* name : {"geometric", "laplace"}) {
    for (const double epsilon : {1e-9, 1e-6, 1e-3}) {
      for (const double sensitivity : {1e3, 1e6, 0x1p32, 0x1p53}) {
        SCOPED_TRACE(where(name, epsilon, sensitivity));
        const Loss loss = described(name, epsilon, sensitivity, Lattice::integer);
        const double b = sensitivity / epsilon;
        expect_close(loss.expected_abs, b, "expected_abs");
        expect_close(loss.expected_sq, 2 * b * b, "expected_sq");
        expect_close(loss.entropy_bits, std::log2(2 * std::exp(1.0) * b), "entropy_bits");
        EXPECT_NEAR(loss.interval95 / (std::log(20.0) * b), 1, 1e-5);
      }
    }
  }
}

// Whatever the parameters, every figure is a number and no search runs forever.
TEST(Describe, ExtremesAreFinite) {
  for (const char* name : {"auto", "geometric", "laplace", "staircase", "staircase(metric=l2)", "gaussian(delta=1e-18)",
                           "gaussian(delta=0.9)"}) {
    for (const double epsilon : {1e-9, 1e6}) {
      for (const double sensitivity : {1.0, 0x1p32, 0x1p53}) {
        for (const Lattice lattice : {Lattice::integer, Lattice::fine}) {
          SCOPED_TRACE(where(name, epsilon, sensitivity));
          const Loss loss = describe(parse(name), Epsilon::from(epsilon), sensitivity, lattice).loss;
          for (const double figure : {loss.scale, loss.expected_abs, loss.expected_sq, loss.interval95}) {
            EXPECT_TRUE(std::isfinite(figure) && figure >= 0) << figure;
          }
          EXPECT_TRUE(std::isfinite(loss.entropy_bits));
        }
      }
    }
  }
}

}  // namespace
}  // namespace dp::mechanism
