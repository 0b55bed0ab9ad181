// Goodness of fit of randomised responses and of those that relax: a million draws each, fixed seeds.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/mechanism/response_odds.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/response_laws.h"

namespace dp::test {
namespace {

using mechanism::Epsilon;
using mechanism::odds_of;
using noise::Odds;

constexpr std::int64_t kResponses = 1'000'000;

std::vector<Real> masses_of(const std::vector<Rational>& law) {
  std::vector<Real> masses;
  for (const Rational& mass : law) masses.push_back(real(mass));
  return masses;
}

TEST(ResponseFit, Responses) {
  for (const std::size_t categories : {2, 4, 25}) {
    for (const double epsilon : {1.0, 0.1, 4.0}) {
      const Odds odds = odds_of(Epsilon::from(epsilon));
      ChiSquare fit(masses_of(response_channel(categories, rational(odds))[categories - 1]), kResponses);
      ASSERT_GE(fit.size(), 2u);
      SeededBits bits(24);
      for (std::int64_t i = 0; i < kResponses; ++i)
        fit.add(noise::randomized_response(bits, categories - 1, categories, odds));
      EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
    }
  }
}

// The pair (first, second) against the channel of the second, followed by the one that leads back to the first.
TEST(ResponseFit, PairsOfLevels) {
  for (const std::size_t categories : {2, 3, 6}) {
    const Odds coarse = odds_of(Epsilon::from(0.5)), fine = odds_of(Epsilon::from(1.5));
    const Channel second = response_channel(categories, rational(fine));
    const Channel back = quotient_channel(categories, rational(coarse), rational(fine));
    std::vector<Rational> law;
    for (std::size_t y2 = 0; y2 < categories; ++y2)
      for (std::size_t y1 = 0; y1 < categories; ++y1) law.push_back(second[1][y2] * back[y2][y1]);
    ChiSquare fit(masses_of(law), kResponses);
    SeededBits bits(25);
    for (std::int64_t i = 0; i < kResponses; ++i) {
      const std::size_t y1 = noise::randomized_response(bits, 1, categories, coarse);
      fit.add(noise::relaxed_response(bits, 1, y1, categories, coarse, fine) * categories + y1);
    }
    EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
  }
}

}  // namespace
}  // namespace dp::test
