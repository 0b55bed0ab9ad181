// gg: the sums over integers, the scale on the reals against reference values, the delta that the integer law really
// gives, and the exact sampler.
#include "core/noise/generalised_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/mechanism/gg/generalised_gaussian_delta.h"
#include "support/bits.h"
#include "support/enumeration.h"
#include "support/power_laws.h"

namespace dp::test {
namespace {

using mechanism::Bounds;
using mechanism::Definition;
using mechanism::Delta;
using mechanism::Epsilon;
using noise::GeneralisedGaussian;
using noise::Power;
using noise::Uint128;

constexpr Definition kBoth[] = {Definition::probabilistic, Definition::approximate};

constexpr Power kFractions[] = {{3, 2}, {5, 2}, {31, 2}};

// The same number for the laws of support/power_laws.h.
Real exact(Power p) { return Real(p.num) / p.den; }

// Where the terms are added and where the Euler-Maclaurin formula is used, on both sides of the switch.
TEST(PowerSums, EncloseTheirTerms) {
  std::vector<Power> powers{1, 2, 3, 5, 8, 16};
  powers.insert(powers.end(), std::begin(kFractions), std::end(kFractions));
  for (const Power p : powers) {
    for (const double b : {0.3, 1.7, 5.0, 20.0, 70.0, 130.0, 700.0}) {
      for (const int n : {0, 3, 40, 200, 700}) {
        if (std::pow(n / b, p.value()) > 1e5) continue;
        if (p.is_whole() ? n > 200 : b > 130 || n == 3 || n == 200) continue;
        SCOPED_TRACE(testing::Message() << "p " << p.value() << " b " << b << " n " << n);
        Real from = 0, upto = 0;
        for (int x = 0;; ++x) {
          const Real weight = x == 0 ? Real(1) : exp(-pow(Real(x) / b, exact(p)));
          if (x <= n) upto += weight;
          if (x >= n) from += weight;
          if (x >= n && weight < from * Real("1e-42")) break;
        }
        const Bounds tail = mechanism::tail_bounds(p, b, n), head = mechanism::head_bounds(p, b, n);
        EXPECT_LE(tail.low, from);
        EXPECT_GE(tail.high, from);
        EXPECT_LE(head.low, upto);
        EXPECT_GE(head.high, upto);
        EXPECT_LE(tail.high - tail.low, from * Real("1e-11"));
        EXPECT_LE(head.high - head.low, upto * Real("1e-11"));
        EXPECT_NEAR(mechanism::log_tail(p, b, n), static_cast<double>(Real(log(from))), 1e-9);
        EXPECT_NEAR(mechanism::head(p, b, n) / static_cast<double>(upto), 1, 1e-11);
      }
    }
  }
}

// gg_scale.json: b_exact_pdp_two_sided and b_exact_adp.
TEST(GeneralisedGaussianScale, AgreesWithReferenceOnTheReals) {
  struct {
    unsigned p;
    double epsilon, delta, probabilistic, approximate;
  } const rows[] = {
      {2, 0.5, 1e-06, 13.853492682920383, 11.395193335869461}, {2, 0.5, 0.01, 7.319274986586547, 4.450407183658924},
      {2, 0.5, 0.1, 4.7046540568982484, 2.200923448594307},    {2, 1.0, 1e-06, 6.952294059129649, 5.974598181957311},
      {2, 1.0, 0.01, 3.7070414830518184, 2.6557170866842204},  {2, 1.0, 0.1, 2.423401544538131, 1.5356630626137107},
      {2, 2.0, 1e-06, 3.5200793268116604, 3.1543697932632138}, {2, 2.0, 0.01, 1.9310154448365902, 1.5786220008928182},
      {2, 2.0, 0.1, 1.319146654627421, 1.035141032168402},     {3, 0.5, 1e-06, 30.032939829885663, 23.404151311086522},
      {3, 0.5, 0.01, 11.913306247557765, 6.509854689704547},   {3, 0.5, 0.1, 6.012884516168104, 2.656034308677974},
      {3, 1.0, 1e-06, 15.096214142153027, 12.488448258318455}, {3, 1.0, 0.01, 6.083190688981615, 4.119347497314454},
      {3, 1.0, 0.1, 3.18318763707198, 2.001033587069805},      {3, 2.0, 1e-06, 7.684865263496334, 6.726538364620659},
      {3, 2.0, 0.01, 3.2444554160919856, 2.5985170013221537},  {3, 2.0, 0.1, 1.8415550500204403, 1.4642664161991437},
      {4, 0.5, 1e-06, 47.39261956048046, 35.906645093526656},  {4, 0.5, 0.01, 15.745823500545734, 8.162204665802394},
      {4, 0.5, 0.1, 6.682991231155716, 2.9599538604097626},    {4, 1.0, 1e-06, 23.844879450034377, 19.350649332051706},
      {4, 1.0, 0.01, 8.090035256131529, 5.350973060355515},    {4, 1.0, 0.1, 3.6335474388723625, 2.3317919950448567},
      {4, 2.0, 1e-06, 12.176794017675183, 10.539823307430177}, {4, 2.0, 0.01, 4.387880253644938, 3.4967465743894155},
      {4, 2.0, 0.1, 2.2067528302764896, 1.7892433021323997},   {2, 1.0, 0.05, 2.854790, 1.884833}};
  for (const auto& [p, epsilon, delta, probabilistic, approximate] : rows) {
    SCOPED_TRACE(testing::Message() << "p " << p << " epsilon " << epsilon << " delta " << delta);
    const auto scale = [&](Definition definition) {
      return mechanism::continuous_scale(definition, p, Epsilon::from(epsilon), Delta::from(delta));
    };
    EXPECT_NEAR(scale(Definition::probabilistic) / probabilistic, 1, 1e-6);
    EXPECT_NEAR(scale(Definition::approximate) / approximate, 1, 1e-6);
  }
}

// Power 1 is Laplace noise: beyond change/epsilon it loses nothing more; less than that by the closed form of its
// tails.
TEST(GeneralisedGaussianScale, OfPowerOneIsLaplaces) {
  const auto scale = [](Definition definition, double delta) {
    return mechanism::continuous_scale(definition, 1, Epsilon::from(0.5), Delta::from(delta));
  };
  EXPECT_DOUBLE_EQ(scale(Definition::probabilistic, 1e-6), 2);
  EXPECT_DOUBLE_EQ(scale(Definition::approximate, 0.1), 1 / (0.5 - 2 * std::log(0.9)));
}

// Never more delta than asked for, by adding up the integer law that is sampled, for all changes up to the declared
// one; and, on the approximate side, hardly less.
TEST(GeneralisedGaussianScale, KeepsDeltaOnTheIntegers) {
  for (const Definition definition : kBoth) {
    for (const unsigned p : {1u, 2u, 3u, 4u, 8u, 16u}) {
      for (const double epsilon : {0.1, 0.5, 1.0, 2.0, 10.0}) {
        for (const double delta : {1e-9, 1e-6, 0.01, 0.1, 0.4, 0.8}) {
          for (const int change : {1, 2, 3, 7}) {
            SCOPED_TRACE(testing::Message()
                         << "p " << p << " epsilon " << epsilon << " delta " << delta << " change " << change);
            const auto law = mechanism::certified_scale(definition, p, static_cast<Uint128>(change),
                                                        Epsilon::from(epsilon), Delta::from(delta));
            if (law.scale() > 1500) continue;
            const bool probabilistic = definition == Definition::probabilistic;
            const auto spent = summed_power_delta(p, law.scale(), change, epsilon, probabilistic);
            EXPECT_LE(spent, delta * (1 + 1e-9L));
            if (!probabilistic && p > 1) {
              EXPECT_GT(summed_power_delta(p, law.scale() * (1 - 1e-8L), change, epsilon, false), delta)
                  << "more noise than needed";
            }
          }
        }
      }
    }
  }
}

// Delta comes in waves as b passes the points at which another integer becomes harmless: no scale before the least one
// will do, though some are followed by scales that will not.
TEST(GeneralisedGaussianScale, IsTheLeastOnTheIntegers) {
  for (const Definition definition : kBoth) {
    for (const unsigned p : {2u, 3u, 8u, 16u}) {
      for (const double epsilon : {0.5, 2.0}) {
        for (const double delta : {1e-9, 0.05}) {
          for (const int change : {1, 3}) {
            SCOPED_TRACE(testing::Message() << "p " << p << " epsilon " << epsilon << " delta " << delta << " change "
                                            << change << " definition " << static_cast<int>(definition));
            const auto law = mechanism::certified_scale(definition, p, static_cast<Uint128>(change),
                                                        Epsilon::from(epsilon), Delta::from(delta));
            const bool probabilistic = definition == Definition::probabilistic;
            for (double part = 0.9; part < 1 - 1e-6; part += 0.0017) {
              EXPECT_GT(summed_power_delta(p, law.scale() * part, change, epsilon, probabilistic), delta)
                  << "at " << part << " of b";
            }
          }
        }
      }
    }
  }
}

// The continuous scale is not the integer law's: a count with p = 3 and delta 1e-6 would lose 1.88e-6.
TEST(GeneralisedGaussianScale, ContinuousScaleIsUnsafeForCounts) {
  const double b = mechanism::continuous_scale(Definition::probabilistic, 3, Epsilon::from(2), Delta::from(1e-6));
  EXPECT_NEAR(static_cast<double>(summed_power_delta(3, b, 1, 2, true)), 1.875e-6, 1e-9);
  EXPECT_NEAR(static_cast<double>(mechanism::certified_delta(Definition::probabilistic, 3, b, 1, Epsilon::from(2))),
              1.875e-6, 1e-9);
}

// Fine lattices: the integer law approaches the continuous one, and the certificate stays within 1e-6 of it.
TEST(GeneralisedGaussianScale, ApproachesTheContinuousOne) {
  for (const Definition definition : kBoth) {
    for (const unsigned p : {1u, 2u, 3u, 8u, 16u}) {
      for (const double epsilon : {0.01, 1.0, 5.0}) {
        for (const double delta : {1e-12, 1e-6, 0.1}) {
          const auto law =
              mechanism::certified_scale(definition, p, Uint128{1} << 33, Epsilon::from(epsilon), Delta::from(delta));
          const double wanted = mechanism::continuous_scale(definition, p, Epsilon::from(epsilon), Delta::from(delta));
          EXPECT_NEAR(std::ldexp(law.scale(), -33) / wanted, 1, 1e-6) << p << ' ' << epsilon << ' ' << delta;
        }
      }
    }
  }
}

// Fractions: by the sums of support/power_laws.h, which know nothing of roots; p = 1.5 in the middle of 1 and 2.
TEST(GeneralisedGaussianScale, OfAFractionKeepsDelta) {
  for (const Definition definition : kBoth) {
    const bool probabilistic = definition == Definition::probabilistic;
    for (const Power p : {Power{3, 2}, Power{5, 2}}) {
      for (const double epsilon : {0.1, 1.0, 10.0}) {
        for (const double delta : {1e-9, 0.4}) {
          for (const int change : {1, 3}) {
            SCOPED_TRACE(testing::Message()
                         << "p " << p.value() << " epsilon " << epsilon << " delta " << delta << " change " << change);
            const auto law = mechanism::certified_scale(definition, p, static_cast<Uint128>(change),
                                                        Epsilon::from(epsilon), Delta::from(delta));
            if (law.scale() > 1500) continue;
            const long double power = static_cast<long double>(p.num) / p.den;
            EXPECT_LE(summed_power_delta(power, law.scale(), change, epsilon, probabilistic), delta * (1 + 1e-9L));
            if (probabilistic) continue;
            EXPECT_GT(summed_power_delta(power, law.scale() * (1 - 1e-8L), change, epsilon, false), delta)
                << "more noise than needed";
          }
        }
      }
    }
    const auto fine =
        mechanism::certified_scale(definition, {3, 2}, Uint128{1} << 33, Epsilon::from(1), Delta::from(1e-6));
    const double wanted = mechanism::continuous_scale(definition, {3, 2}, Epsilon::from(1), Delta::from(1e-6));
    EXPECT_NEAR(std::ldexp(fine.scale(), -33) / wanted, 1, 1e-6);
  }
}

TEST(GeneralisedGaussianSampler, HasItsLaw) {
  struct {
    Power p;
    std::uint64_t mantissa;
    int exponent;
    double teeth;
  } const cases[] = {{1, 3, -1, 0.3}, {2, 5, -2, 0.3}, {3, 1, 0, 0.55}, {3, 9, -2, 0.5}, {{3, 2}, 3, -1, 0.9}};
  for (const auto& [p, mantissa, exponent, teeth] : cases) {
    SCOPED_TRACE(testing::Message() << "p " << p.value() << " b " << mantissa << " * 2^" << exponent);
    const auto law = GeneralisedGaussian::with_scale(p, mantissa, exponent);
    const PowerLaw wanted(exact(p), ldexp(Real(mantissa), exponent));
    expect_encloses(enumerate(p.is_whole() ? 18 : 13, [&](noise::BitSource& bits) { return law.sample(bits); }), wanted,
                    teeth);
  }
}

// What few bits cannot show, by draws of fixed seeds, within five standard errors: the mean of wide noise, and how
// often e^{-r} is true of an r above 2.
TEST(GeneralisedGaussianSampler, OfAFractionHasItsMean) {
  SeededBits bits(9);
  for (const Power p : {Power{3, 2}, Power{7, 3}}) {
    constexpr int kDraws = 6000;
    const auto law = GeneralisedGaussian::with_scale(p, 40, 0);
    const PowerLaw wanted(exact(p), 40);
    double first = 0, second = 0, sum = 0, taken = 0;
    for (int x = -600; x <= 600; ++x) {
      const auto mass = static_cast<double>(wanted.mass(x));
      first += mass * std::abs(x);
      second += mass * x * x;
    }
    for (int i = 0; i < kDraws; ++i) {
      sum += std::fabs(static_cast<double>(law.sample(bits)));
      taken += law.accepts(70, bits);
    }
    EXPECT_NEAR(sum / kDraws, first, 5 * std::sqrt((second - first * first) / kDraws));
    const double chance = std::exp(-std::pow(70 / 40.0, p.value()));
    EXPECT_NEAR(taken / kDraws, chance, 5 * std::sqrt(chance * (1 - chance) / kDraws));
  }
}

// The proposal's scale is the least whose density dominates; the widest integers of the acceptance fit.
TEST(GeneralisedGaussianSampler, WorksAtTheEndsOfItsRange) {
  SeededBits bits(5);
  for (const Power p : {Power{1}, Power{2}, Power{7}, Power{16}, Power{101, 100}, Power{3, 2}, Power{1599, 100}}) {
    for (const int exponent : {-80, -40, 0, 80}) {
      for (const std::uint64_t mantissa : {1ull, 3ull, 0xffffffffull}) {
        const auto law = GeneralisedGaussian::with_scale(p, mantissa, exponent);
        const Real b = ldexp(Real(mantissa), exponent);
        const Real least = b * pow(exact(p), -1 / exact(p));
        const double slack = p.is_whole() ? 1e-15 : 0x1p-39;  // of the latter a scale near the least
        const Real t = static_cast<double>(law.proposal_scale);
        EXPECT_GE(t, least * (1 - 1e-15));
        EXPECT_LT(t, (least + (p.is_whole() ? 1 : 2)) * (1 + slack));
        for (int i = 0; i < 20; ++i) {
          const auto drawn = static_cast<double>(law.sample(bits));
          EXPECT_LE(std::fabs(drawn), static_cast<double>(b) * 60 + 60);
        }
      }
    }
  }
  EXPECT_THROW(GeneralisedGaussian::with_scale(0, 1, 0), std::invalid_argument);
  EXPECT_THROW(GeneralisedGaussian::with_scale(17, 1, 0), std::invalid_argument);
  EXPECT_THROW(GeneralisedGaussian::with_scale(2, 0, 0), std::invalid_argument);
  EXPECT_THROW(GeneralisedGaussian::with_scale(2, std::uint64_t{1} << 32, 0), std::invalid_argument);
  EXPECT_THROW(GeneralisedGaussian::with_scale(2, 1, 81), std::invalid_argument);
  EXPECT_THROW(GeneralisedGaussian::with_scale({99, 100}, 1, 0), std::invalid_argument);
  EXPECT_THROW(GeneralisedGaussian::with_scale({1601, 100}, 1, 0), std::invalid_argument);
  EXPECT_THROW(GeneralisedGaussian::with_scale({301, 200}, 1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace dp::test
