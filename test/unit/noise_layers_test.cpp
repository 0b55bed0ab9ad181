// Each layer of src/noise, enumerated with the layer below replaced by its exact law.
//
// Enumeration bit by bit (noise_enumeration_test.cpp) leaves much of the mass of a long sampler unfinished. Here a
// whole Bernoulli or uniform draw is one choice with its true probability, so the same samplers are seen to many
// digits.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/enclosure.h"

// The sources are compiled a second time, in a namespace of their own, with the specializations below in the place of
// the real lower layers.
#define noise layered
#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::layered {

namespace mp = boost::multiprecision;
using Wide = mp::number<mp::cpp_int_backend<1024, 1024, mp::unsigned_magnitude, mp::checked, void>>;

// The wide layers are tested on the samplers' own integers, the narrow ones on this type, whose draws stay real.
using Narrow = std::uint32_t;
using Word = std::uint64_t;

template <class N>
bool bernoulli(BitSource& bits, N num, const N& den);
template <class N>
bool bernoulli_exp_unit(BitSource& bits, const N& num, const N& den);
template <class N>
bool bernoulli_exp(BitSource& bits, const N& num, const N& den);

template <>
bool bernoulli<Uint128>(BitSource& bits, Uint128 num, const Uint128& den);
template <>
bool bernoulli<Word>(BitSource& bits, Word num, const Word& den);
template <>
bool bernoulli<Narrow>(BitSource& bits, Narrow num, const Narrow& den);
template <>
bool bernoulli_exp_unit<Uint128>(BitSource& bits, const Uint128& num, const Uint128& den);
template <>
bool bernoulli_exp_unit<Word>(BitSource& bits, const Word& num, const Word& den);
template <>
bool bernoulli_exp<Uint128>(BitSource& bits, const Uint128& num, const Uint128& den);
template <>
bool bernoulli_exp<Wide>(BitSource& bits, const Wide& num, const Wide& den);

}  // namespace dp::layered

#include "core/noise/discrete_gaussian.cpp"
#include "core/noise/discrete_laplace.cpp"
#include "core/noise/gaussian_sampler.cpp"
#include "core/noise/geometric.cpp"
#include "core/noise/primitives.h"
#include "core/noise/staircase.cpp"
#undef noise

namespace dp::test {
namespace {

// One path through a tree of weighted choices. A path whose probability falls below `least` is left unfinished.
//
// Where single bits are drawn for signs only, a sampler that draws a second one has rejected its proposal and is where
// it began. Such paths end as StartedAgain, and the law is what the other paths say, given that one of them is taken.
class Choices : public layered::BitSource {
 public:
  struct TooUnlikely {};
  struct StartedAgain {};

  enum class Bits { kSigns, kAny };

  Choices(double least, Bits use) : least_(least), use_(use) {}

  double probability() const {
    return path_.empty() ? 1 : path_.back().before * path_.back().weights[path_.back().pick];
  }

  std::size_t choose(const std::vector<double>& weights) {
    if (next_ == path_.size()) {
      const double before = probability();
      if (before < least_) throw TooUnlikely();
      path_.push_back({before, weights, 0});
    }
    return path_[next_++].pick;
  }

  bool choose(double probability) {
    if (probability == 0 || probability == 1) return probability == 1;
    return choose({1 - probability, probability}) == 1;
  }

  bool advance() {
    while (!path_.empty() && path_.back().pick + 1 == path_.back().weights.size()) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().pick;
    next_ = 0;
    sign_drawn_ = false;
    return true;
  }

 private:
  struct Choice {
    double before;
    std::vector<double> weights;
    std::size_t pick;
  };

  Chunk refill() override {
    if (use_ == Bits::kSigns && sign_drawn_) throw StartedAgain();
    sign_drawn_ = true;
    return {choose(0.5), 1};
  }

  double least_;
  Bits use_;
  std::vector<Choice> path_;
  std::size_t next_ = 0;
  bool sign_drawn_ = false;
};

}  // namespace
}  // namespace dp::test

namespace dp::layered {

static bool choose(BitSource& bits, double probability) {
  return static_cast<test::Choices&>(bits).choose(probability);
}

Uint128 below(BitSource& bits, Uint128 m) {
  const auto count = static_cast<std::size_t>(m);
  return count == 1
             ? 0
             : static_cast<test::Choices&>(bits).choose(std::vector<double>(count, 1.0 / static_cast<double>(m)));
}

template <>
bool bernoulli<Uint128>(BitSource& bits, Uint128 num, const Uint128& den) {
  return choose(bits, static_cast<double>(num) / static_cast<double>(den));
}

template <>
bool bernoulli<Word>(BitSource& bits, Word num, const Word& den) {
  return choose(bits, static_cast<double>(num) / static_cast<double>(den));
}

template <>
bool bernoulli<Narrow>(BitSource& bits, Narrow num, const Narrow& den) {
  return choose(bits, static_cast<double>(num) / den);
}

template <>
bool bernoulli_exp_unit<Uint128>(BitSource& bits, const Uint128& num, const Uint128& den) {
  return choose(bits, std::exp(-static_cast<double>(num) / static_cast<double>(den)));
}

template <>
bool bernoulli_exp_unit<Word>(BitSource& bits, const Word& num, const Word& den) {
  return choose(bits, std::exp(-static_cast<double>(num) / static_cast<double>(den)));
}

template <>
bool bernoulli_exp<Uint128>(BitSource& bits, const Uint128& num, const Uint128& den) {
  return bernoulli_exp_unit(bits, num, den);
}

template <>
bool bernoulli_exp<Wide>(BitSource& bits, const Wide& num, const Wide& den) {
  return choose(bits, std::exp(-num.convert_to<double>() / den.convert_to<double>()));
}

}  // namespace dp::layered

namespace dp::test {
namespace {

using layered::BitSource;
using layered::ratio;

struct Rate {
  std::uint32_t num;
  std::uint32_t den;

  Real value() const { return Real(num) / den; }
};

std::ostream& operator<<(std::ostream& out, const Rate& rate) { return out << rate.num << '/' << rate.den; }

template <class Sample>
Masses enumerate_choices(double least, Sample sample, Choices::Bits use = Choices::Bits::kSigns) {
  Masses seen{{}, 0, 1e-12};
  Real started_again = 0;
  Choices choices(least, use);
  do {
    try {
      const auto outcome = static_cast<std::int64_t>(sample(choices));
      seen.finished[outcome] += choices.probability();
    } catch (const Choices::TooUnlikely&) {
      seen.unfinished += choices.probability();
    } catch (const Choices::StartedAgain&) {
      started_again += choices.probability();
    }
  } while (choices.advance());
  for (auto& [x, mass] : seen.finished) mass /= 1 - started_again;
  seen.unfinished /= 1 - started_again;
  return seen;
}

TEST(Layers, BernoulliExpUnit) {
  for (std::uint32_t den = 1; den <= 12; ++den) {
    for (std::uint32_t num = 0; num <= den; ++num) {
      const Rate rate{num, den};
      SCOPED_TRACE(testing::Message() << rate);
      const auto seen = enumerate_choices(
          1e-15, [&](BitSource& bits) { return layered::bernoulli_exp_unit(bits, rate.num, rate.den); });
      expect_encloses(seen, BernoulliLaw{exp(-rate.value())}, 1e-12);
    }
  }
}

TEST(Layers, BernoulliExp) {
  for (const Rate rate : {Rate{0, 1}, {1, 3}, {1, 1}, {4, 3}, {2, 1}, {5, 2}, {9, 4}, {3, 1}, {10, 1}, {41, 4}}) {
    SCOPED_TRACE(testing::Message() << rate);
    const auto seen =
        enumerate_choices(1e-15, [&](BitSource& bits) { return layered::bernoulli_exp(bits, rate.num, rate.den); });
    expect_encloses(seen, BernoulliLaw{exp(-rate.value())}, 1e-12);
  }
}

TEST(Layers, BernoulliTwoOverE) {
  const auto seen = enumerate_choices(1e-15, [](BitSource& bits) { return layered::bernoulli_two_over_e(bits); });
  expect_encloses(seen, BernoulliLaw{2 / exp(Real(1))}, 1e-12);
}

TEST(Layers, Geometric) {
  for (const Rate rate : {Rate{1, 1}, {2, 1}, {7, 1}, {1, 2}, {3, 2}, {1, 3}, {2, 3}, {4, 3}}) {
    SCOPED_TRACE(testing::Message() << rate);
    const auto seen =
        enumerate_choices(1e-10, [&](BitSource& bits) { return layered::geometric(bits, ratio(rate.num, rate.den)); });
    expect_encloses(seen, GeometricLaw(rate.value()), 1e-6);
  }
}

TEST(Layers, DiscreteLaplace) {
  for (const Rate rate : {Rate{1, 1}, {2, 1}, {7, 1}, {1, 2}, {3, 2}, {2, 3}}) {
    SCOPED_TRACE(testing::Message() << rate);
    const layered::DiscreteLaplace law{ratio(rate.num, rate.den)};
    const auto seen = enumerate_choices(1e-9, [&](BitSource& bits) { return law.sample(bits); });
    expect_encloses(seen, LaplaceLaw(rate.value()), 1e-5);
  }
}

TEST(Layers, Staircase) {
  struct {
    Rate epsilon;
    std::uint32_t width, step;
  } const cases[] = {{{1, 1}, 1, 1}, {{1, 1}, 2, 1}, {{2, 1}, 2, 1}, {{1, 2}, 3, 2},
                     {{1, 2}, 3, 1}, {{1, 1}, 3, 1}, {{2, 1}, 3, 1}, {{1, 1}, 4, 4}};
  for (const auto& [epsilon, width, step] : cases) {
    SCOPED_TRACE(testing::Message() << epsilon << ", width " << width << ", step " << step);
    const layered::Staircase law{ratio(epsilon.num, epsilon.den), width, step};
    const auto seen = enumerate_choices(
        3e-7, [&](BitSource& bits) { return law.sample(bits); }, Choices::Bits::kAny);
    expect_encloses(seen, StaircaseLaw(epsilon.value(), width, step), 0.04);
  }
}

TEST(Layers, DiscreteGaussian) {
  struct {
    std::uint64_t mantissa;
    int exponent;
  } const variances[] = {{1, 0}, {2, 0}, {3, 0}, {5, 0}, {1, -1}, {1, -2}, {3, -3}, {1, -4}};
  for (const auto& [mantissa, exponent] : variances) {
    SCOPED_TRACE(testing::Message() << mantissa << " * 2^" << exponent);
    const auto law = layered::DiscreteGaussian::with_variance(mantissa, exponent);
    const auto seen = enumerate_choices(1e-9, [&](BitSource& bits) { return law.sample(bits); });
    expect_encloses(seen, GaussianLaw(ldexp(Real(mantissa), exponent)), 1e-4);
  }
}

}  // namespace
}  // namespace dp::test
