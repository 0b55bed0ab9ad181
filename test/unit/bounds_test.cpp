// dp_bounds: which bin a value lies in, which noisy counts pass, and what bounds these give.
#include "core/accumulate/bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string>

#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/catalogue.h"
#include "mechanism_laws.h"
#include "support/bits.h"
#include "support/errors.h"
#include "support/mixture_law.h"
#include "support/power_laws.h"

namespace dp::test {
namespace {

using aggregate::at_level;
using aggregate::Bounds;
using aggregate::bounds_form;
using aggregate::bounds_threshold;
using aggregate::Form;
using aggregate::found_bounds;
using aggregate::PowerBins;
using mechanism::Epsilon;
using mechanism::parse;
using noise::Int128;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// Whether the value lies between the edges of that bin: away from zero closed, towards it open, except that zero is
// positive.
template <class Number>
bool lies_in(const PowerBins& bins, int bin, Number value, Number lower, Number upper) {
  if (bin < 0 || bin >= bins.count()) return false;
  return value < 0 ? lower <= value && value < upper : value <= upper && (lower < value || (lower == 0 && value == 0));
}

// In integers: a double cannot hold them all, but it holds the edges.
bool lies_in(const PowerBins& bins, int bin, std::int64_t value) {
  return lies_in<Int128>(bins, bin, value, static_cast<Int128>(bins.lower_edge(bin)),
                         static_cast<Int128>(bins.upper_edge(bin)));
}

bool lies_in(const PowerBins& bins, int bin, double value) {
  return lies_in<double>(bins, bin, value, bins.lower_edge(bin), bins.upper_edge(bin));
}

TEST(Bounds, BinsTileTheLine) {
  for (const PowerBins bins : {PowerBins::of_integers(16), PowerBins::of_integers(64), PowerBins::of_reals()}) {
    for (int bin = 0; bin + 1 < bins.count(); ++bin) {
      EXPECT_LT(bins.lower_edge(bin), bins.upper_edge(bin));
      EXPECT_EQ(bins.upper_edge(bin), bins.lower_edge(bin + 1));
    }
    EXPECT_EQ(bins.upper_edge(bins.count() - 1), -bins.lower_edge(0));
    EXPECT_EQ(bins.lower_edge(bins.count() / 2), 0);
    EXPECT_FALSE(std::signbit(bins.upper_edge(bins.count() / 2 - 1))) << "-0 would be shown";
  }
  EXPECT_EQ(PowerBins::of_integers(16).upper_edge(31), 0x1p15);
  EXPECT_EQ(PowerBins::of_integers(64).lower_edge(0), -0x1p63);
  EXPECT_EQ(PowerBins::of_reals().upper_edge(255), 0x1p64);
  EXPECT_EQ(PowerBins::of_reals().upper_edge(128), 0x1p-63);
}

TEST(Bounds, EveryIntegerLiesInItsBin) {
  const PowerBins small = PowerBins::of_integers(16);
  for (std::int64_t value = -32768; value <= 32767; ++value) {
    ASSERT_TRUE(lies_in(small, small.bin_of(value), value)) << value;
  }
  const PowerBins large = PowerBins::of_integers(64);
  for (int power = 0; power <= 63; ++power) {
    for (int off = -1; off <= 1; ++off) {
      const Int128 magnitude = (Int128{1} << power) + off;
      for (const Int128 value : {magnitude, -magnitude}) {
        if (value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min())
          continue;
        const auto whole = static_cast<std::int64_t>(value);
        EXPECT_TRUE(lies_in(large, large.bin_of(whole), whole)) << whole;
      }
    }
  }
}

TEST(Bounds, EveryRealLiesInItsBin) {
  const PowerBins bins = PowerBins::of_reals();
  for (int power = -80; power <= 64; ++power) {
    const double edge = std::ldexp(1.0, power);
    for (const double magnitude : {edge, std::nextafter(edge, 0), std::nextafter(edge, kInf), edge * 1.5}) {
      if (magnitude > 0x1p64) continue;
      EXPECT_TRUE(lies_in(bins, *bins.bin_of(magnitude), magnitude)) << magnitude;
      EXPECT_TRUE(lies_in(bins, *bins.bin_of(-magnitude), -magnitude)) << -magnitude;
    }
  }
  EXPECT_EQ(bins.bin_of(0.0), 128);
  EXPECT_EQ(bins.bin_of(-0.0), 128);
  EXPECT_EQ(bins.bin_of(kTiny), 128);
  EXPECT_EQ(bins.bin_of(-kTiny), 127);
  for (const double beyond : {std::nextafter(0x1p64, kInf), std::numeric_limits<double>::max(), kInf}) {
    EXPECT_EQ(bins.bin_of(beyond), 255);
    EXPECT_EQ(bins.bin_of(-beyond), 0);
  }
  EXPECT_EQ(bins.bin_of(std::nan("")), std::nullopt);
}

// P(|noise| >= t) of the law that is drawn from.
Real beyond(const mechanism::Law& law, std::int64_t t) {
  return std::visit(
      [t](const auto& sampler) -> Real {
        using Sampler = std::remove_cvref_t<decltype(sampler)>;
        if constexpr (std::is_same_v<Sampler, noise::DiscreteGaussian>) {
          return 2 * GaussianLaw(variance_of(sampler)).upper(t);
        }
        if constexpr (std::is_same_v<Sampler, noise::LaplaceMixture>) return 2 * MixtureLaw(sampler).upper(t);
        if constexpr (std::is_same_v<Sampler, noise::GeneralisedGaussian>) {
          return 2 * PowerLaw(sampler.power.num, Real(sampler.scale())).upper(t);
        }
        if constexpr (std::is_same_v<Sampler, noise::DiscreteLaplace> || std::is_same_v<Sampler, noise::Staircase>) {
          return 2 * reading(sampler).upper(t);
        }
        throw std::logic_error("no law");
      },
      law);
}

mechanism::Calibration noise_of(const mechanism::Mechanism& m, double epsilon,
                                const mechanism::Changes& changes = mechanism::Changes::one(1)) {
  return mechanism::calibrate(m, Epsilon::from(epsilon), changes, mechanism::Lattice::integer);
}

std::int64_t threshold(const char* text, double epsilon, int bins) {
  return bounds_threshold(noise_of(parse(text), epsilon), bins);
}

// What lies within one part in 1,000 of the limit may fall on either side of it: the tails are doubles.
void expect_least(const mechanism::Calibration& noise, int bins, std::int64_t t) {
  const auto first = [&noise](std::int64_t rows) {
    return noise.refinement == 0 ? rows : (2 * rows - 1) * (std::int64_t{1} << (noise.refinement - 1));
  };
  EXPECT_LE(bins * beyond(noise.law, first(t)), 1e-9 * 1.001) << t;
  EXPECT_GT(bins * beyond(noise.law, first(t - 1)), 1e-9 * 0.999) << t;
}

TEST(Bounds, ThresholdIsTheLeastThatKeepsEmptyBinsOut) {
  for (const char* text : {"auto", "geometric", "staircase", "gaussian(delta=1e-6)",
                           "gaussian(delta=1e-6, definition=probabilistic)", "gg(p=3, delta=1e-6)", "r2dp(gamma=5)"}) {
    for (const double epsilon : {0.01, 0.1, 1.0, 8.0}) {
      for (const int bins : {32, 256}) {
        SCOPED_TRACE(std::string(text) + ", epsilon " + std::to_string(epsilon));
        const auto noise = noise_of(parse(text), epsilon);
        expect_least(noise, bins, bounds_threshold(noise, bins));
      }
    }
  }
}

// Of a table with privacy units, whose rows move several counts: mechanisms that divide epsilon among them make more
// noise than one number at the whole of it has.
TEST(Bounds, ThresholdIsOfTheNoiseThatUnitsNeed) {
  constexpr mechanism::Contribution kUnits[] = {{5, 5, 1}, {5, 1, 5}, {6, 3, 2}};
  for (const char* text :
       {"auto", "geometric", "laplace", "staircase", "staircase(metric=l2)", "gaussian(delta=1e-6)",
        "gaussian(delta=1e-6, definition=probabilistic)", "gg(p=1, delta=1e-6)", "gg(p=3, delta=1e-6)",
        "gg(p=2, delta=1e-6, definition=approximate)", "r2dp(gamma=5)", "r2dp(metric=l1)"}) {
    for (const mechanism::Contribution& unit : kUnits) {
      SCOPED_TRACE(std::string(text) + ", " + std::to_string(unit.rows) + " rows in " + std::to_string(unit.groups) +
                   " groups");
      const auto noise = noise_of(parse(text), 1, mechanism::Changes::one(1).by_unit(unit, 32));
      expect_least(noise, 32, aggregate::with_noise(bounds_form(PowerBins::of_integers(16), 0), 32, noise).range);
    }
  }
}

// laplace is drawn on a finer lattice and rounded: |noise| >= t - 1/2 there.
TEST(Bounds, ThresholdOfRoundedLaplace) {
  for (const double epsilon : {0.01, 0.5, 3.0}) {
    EXPECT_EQ(threshold("laplace", epsilon, 256), std::ceil(std::log(256e9) / epsilon + 0.5));
  }
}

TEST(Bounds, ThresholdAtTheEndsOfEpsilon) {
  EXPECT_EQ(threshold("auto", 1e6, 256), 1);
  const auto highest = static_cast<double>(threshold("auto", 1e-9, 256));
  EXPECT_NEAR(highest / (std::log(256e9) * 1e9), 1, 1e-5);
}

TEST(Bounds, MechanismsThatDoMoreThanAddAreRefused) {
  for (const char* text :
       {"bit_gg(p=2, lower=0, upper=100)", "truncated_gg(p=2, lower=0, upper=100)", "rounded_geometric(step=1)"}) {
    expect_error([text] { threshold(text, 1, 256); }, text, "geometric");
  }
  expect_error([] { threshold("exponential", 1, 256); }, "exponential", "geometric");
}

// Noisy counts in the bins of int2, zero where nothing is said.
struct Counts {
  Int128 noisy[32] = {};

  Counts with(int bin, Int128 count) const {
    Counts other = *this;
    other.noisy[bin] = count;
    return other;
  }
  std::optional<Bounds> found(const Form& form) const { return found_bounds(form, {noisy, std::size(noisy)}); }
};

void expect_bounds(const std::optional<Bounds>& found, double lower, double upper) {
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lower, lower);
  EXPECT_EQ(found->upper, upper);
}

TEST(Bounds, EncloseTheBinsThatPass) {
  const PowerBins bins = PowerBins::of_integers(16);
  const Form form = bounds_form(bins, 10);
  const Counts none;
  EXPECT_FALSE(none.found(form));
  EXPECT_FALSE(none.with(5, 9).with(20, -100).found(form)) << "below the threshold";
  expect_bounds(none.with(bins.bin_of(std::int64_t{100}), 10).found(form), 64, 128);
  expect_bounds(none.with(bins.bin_of(std::int64_t{-100}), 10).found(form), -128, -64);
  expect_bounds(none.with(bins.bin_of(std::int64_t{0}), 50).found(form), 0, 1);
  expect_bounds(none.with(bins.bin_of(std::int64_t{-1}), 50).found(form), -1, 0);
  expect_bounds(none.with(0, 11).with(31, 12).found(form), -0x1p15, 0x1p15);
  expect_bounds(none.with(16, 11).with(18, 3).with(20, 12).with(25, 9).found(form), 0, 16);
  expect_bounds(none.with(16, noise::kInt128Max).found(form), 0, 1);
}

TEST(Bounds, RefinedCountsAreRoundedFirst) {
  Form form = bounds_form(PowerBins::of_integers(16), 10);
  form.refinement = 32;
  const Int128 step = Int128{1} << 32;
  EXPECT_FALSE(Counts().with(20, 10 * step - step / 2 - 1).found(form));
  expect_bounds(Counts().with(20, 10 * step - step / 2).found(form), 8, 16);
}

TEST(Bounds, AFinerLevelHearsSmallerBins) {
  const Form first = bounds_form(PowerBins::of_integers(16), threshold("geometric", 0.1, 32));
  const Counts counts = Counts().with(20, 100);
  EXPECT_FALSE(counts.found(first));
  const Form finer = at_level(first, 32, parse("geometric"), Epsilon::from(1));
  EXPECT_EQ(finer.range, threshold("geometric", 1, 32));
  expect_bounds(counts.found(finer), 8, 16);
  EXPECT_GT(at_level(first, 32, parse("geometric"), Epsilon::from(0.01)).range, first.range);
  EXPECT_EQ(at_level({.kind = Form::Kind::mean, .range = 7}, 2, parse("laplace"), Epsilon::from(1)).range, 7);
}

// As they are drawn: empty bins never pass (10,000 answers: 1e-5 for this test at worst, with a seed that is fixed),
// and a bin of twice the threshold always does.
TEST(Bounds, DrawnCounts) {
  SeededBits bits(20240607);
  for (const char* text : {"geometric", "laplace"}) {
    const auto calibration =
        mechanism::calibrate(parse(text), Epsilon::from(0.5), mechanism::Changes::one(1), mechanism::Lattice::integer);
    Form form = bounds_form(PowerBins::of_integers(16), bounds_threshold(calibration, 32));
    form.refinement = static_cast<std::uint8_t>(calibration.refinement);
    for (int answer = 0; answer < 5000; ++answer) {
      Counts counts;
      for (Int128& count : counts.noisy) count = aggregate::noised(0, calibration, bits);
      EXPECT_FALSE(counts.found(form));
      expect_bounds(counts.with(20, aggregate::noised(2 * form.range, calibration, bits)).found(form), 8, 16);
    }
  }
}

}  // namespace
}  // namespace dp::test
