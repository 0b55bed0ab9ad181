// Randomised responses and their chains: the samplers enumerated bit by bit, the joint law of three levels exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/mechanism/error.h"
#include "core/mechanism/response_odds.h"
#include "core/noise/response.h"
#include "support/bits.h"
#include "support/enclosure.h"
#include "support/enumeration.h"
#include "support/response_laws.h"

namespace dp::test {
namespace {

using mechanism::Epsilon;
using mechanism::odds_of;
using noise::BitSource;
using noise::Odds;

TEST(ResponseLaw, ResponseHasItsLaw) {
  for (const std::size_t categories : {2, 3, 5}) {
    for (const Odds e : {odds(3, 2), odds(3, 1), odds(5, 4), odds_of(Epsilon::from(1)), odds_of(Epsilon::from(30))}) {
      for (std::size_t truth = 0; truth < categories; ++truth) {
        const auto seen =
            enumerate(16, [&](BitSource& bits) { return noise::randomized_response(bits, truth, categories, e); });
        expect_encloses(seen, PlaceLaw{response_channel(categories, rational(e))[truth]}, 0.01);
      }
    }
  }
}

TEST(ResponseLaw, RelaxedResponseHasItsLaw) {
  const Odds levels[] = {odds(5, 4), odds(3, 2), odds(3, 1), odds_of(Epsilon::from(2)), odds(21, 1)};
  for (const std::size_t categories : {2, 3, 5}) {
    for (std::size_t i = 0; i < std::size(levels); ++i) {
      for (std::size_t j = i; j < std::size(levels); ++j) {
        for (std::size_t truth = 0; truth < categories; ++truth) {
          for (std::size_t first = 0; first < categories; ++first) {
            const auto seen = enumerate(14, [&](BitSource& bits) {
              return noise::relaxed_response(bits, truth, first, categories, levels[i], levels[j]);
            });
            expect_encloses(seen, relaxed_law(truth, first, categories, rational(levels[i]), rational(levels[j])),
                            0.03);
          }
        }
      }
    }
  }
}

// P(second | truth, first), by the law that the test above ties the sampler to.
using Step = std::vector<std::vector<PlaceLaw>>;  // [truth][first]

Step step_between(std::size_t categories, const Rational& coarse, const Rational& fine) {
  Step step(categories);
  for (std::size_t truth = 0; truth < categories; ++truth)
    for (std::size_t first = 0; first < categories; ++first)
      step[truth].push_back(relaxed_law(truth, first, categories, coarse, fine));
  return step;
}

// For every history of three responses: its probability is that of the last one from the truth and of the others from
// the last one alone, so two truths give it with a ratio of E_3 at most, which is reached; and each level has its law.
TEST(ResponseLaw, ThreeLevelsLoseTheLastOne) {
  const Rational ladders[][3] = {{Rational(3, 2), Rational(2), Rational(5)},
                                 {Rational(101, 100), Rational(7, 3), Rational(400)},
                                 {rational(odds_of(Epsilon::from(0.1))), rational(odds_of(Epsilon::from(0.5))),
                                  rational(odds_of(Epsilon::from(3)))}};
  for (const std::size_t k : {2, 3, 5}) {
    for (const auto& e : ladders) {
      const Channel first = response_channel(k, e[0]), last = response_channel(k, e[2]);
      const Step second = step_between(k, e[0], e[1]), third = step_between(k, e[1], e[2]);
      const Channel back2 = quotient_channel(k, e[1], e[2]), back1 = quotient_channel(k, e[0], e[1]);
      Rational most = 0;
      Channel levels[3];
      for (Channel& level : levels) level.assign(k, std::vector<Rational>(k));
      for (std::size_t history = 0; history < k * k * k; ++history) {
        const std::size_t y[] = {history % k, history / k % k, history / k / k};
        std::vector<Rational> masses;
        for (std::size_t x = 0; x < k; ++x) {
          masses.push_back(first[x][y[0]] * second[x][y[0]].masses[y[1]] * third[x][y[1]].masses[y[2]]);
          EXPECT_EQ(masses[x], last[x][y[2]] * back2[y[2]][y[1]] * back1[y[1]][y[0]]);
          for (int level = 0; level < 3; ++level) levels[level][x][y[level]] += masses[x];
        }
        const auto [least, greatest] = std::minmax_element(masses.begin(), masses.end());
        most = std::max<Rational>(most, *greatest / *least);
      }
      EXPECT_EQ(most, e[2]);
      for (int level = 0; level < 3; ++level) EXPECT_EQ(levels[level], response_channel(k, e[level]));
    }
  }
}

// What may not be done, so that the test above is seen to have teeth: a fresh response in place of a relaxed one.
TEST(ResponseLaw, FreshResponsesLoseTheSum) {
  const Rational e[] = {Rational(3, 2), Rational(5)};
  const Channel first = response_channel(3, e[0]), second = response_channel(3, e[1]);
  EXPECT_EQ(first[0][0] * second[0][0] / (first[1][0] * second[1][0]), e[0] * e[1]);
}

TEST(ResponseLaw, FormulaOfTheQuotient) {
  for (const int k : {2, 3, 5, 40}) {
    const Rational e1(7, 4), e2(9);
    const Channel keep = quotient_channel(static_cast<std::size_t>(k), e1, e2);
    EXPECT_EQ(keep[0][1] / keep[0][0], (e2 - e1) / (e1 * e2 + (k - 2) * e1 - (k - 1)));
  }
}

TEST(ResponseLaw, OddsAreBelowTheirEpsilonAndNear) {
  for (const double epsilon : {1e-9, 1e-6, 0.1, 1.0, 3.3, 27.0, 55.0}) {
    for (const unsigned parts : {1u, 2u, 7u, 128u}) {
      const Real e = real(rational(odds_of(Epsilon::from(epsilon), parts)));
      const Real exact = exp(Real(Epsilon::from(epsilon).nano) / Real(Epsilon::kPerUnit) / Real(parts));
      EXPECT_LT(e, exact) << epsilon;
      EXPECT_GT(e, Real(1)) << epsilon;
      EXPECT_LE(exact - e, ldexp(Real(1), -40) + exact * ldexp(Real(1), -149)) << epsilon;
    }
  }
  EXPECT_TRUE(odds_of(Epsilon::from(56)).parts == Odds::kMost);
  EXPECT_TRUE(odds_of(Epsilon::from(1e6)).parts == Odds::kMost);
  EXPECT_THROW(odds_of(Epsilon::from(1e-9), 2000), Error);
}

// Whatever the odds, no draw takes more than some bits: how long it takes does not tell whether the first was a lie.
TEST(ResponseLaw, LiesAreRelaxedAsQuickly) {
  SeededBits bits(1, 1);
  constexpr int kDraws = 1000;
  for (int i = 0; i < kDraws; ++i) {
    noise::relaxed_response(bits, 0, 1, 2, odds_of(Epsilon::from(40)), odds_of(Epsilon::from(50)));
  }
  EXPECT_LT(bits.used(), 30u * kDraws);
}

TEST(ResponseLaw, AtTheGreatestOddsNothingChanges) {
  SeededBits bits(2);
  const Odds most{Odds::kMost};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(noise::randomized_response(bits, i, 5, most), i);
    EXPECT_EQ(noise::relaxed_response(bits, 2, i, 5, most, most), i);
    EXPECT_EQ(noise::relaxed_response(bits, 2, i, 5, odds(2, 1), most), 2u);
  }
}

TEST(ResponseLaw, BadArgumentsAreRefused) {
  SeededBits bits(3);
  const Odds two = odds(2, 1), three = odds(3, 1);
  EXPECT_THROW(noise::randomized_response(bits, 0, 1, two), std::invalid_argument);
  EXPECT_THROW(noise::randomized_response(bits, 2, 2, two), std::invalid_argument);
  EXPECT_THROW(noise::randomized_response(bits, 0, 2, {Odds::kOne}), std::invalid_argument);
  EXPECT_THROW(noise::randomized_response(bits, 0, 2, {Odds::kMost + 1}), std::invalid_argument);
  EXPECT_THROW(noise::randomized_response(bits, 0, std::size_t{1} << 32, two), std::invalid_argument);
  EXPECT_THROW(noise::relaxed_response(bits, 0, 0, 2, three, two), std::invalid_argument);
  EXPECT_THROW(noise::relaxed_response(bits, 0, 2, 2, two, three), std::invalid_argument);
  EXPECT_THROW(noise::relaxed_response(bits, 2, 0, 2, two, three), std::invalid_argument);
}

}  // namespace
}  // namespace dp::test
