// Goodness of fit of the generalised Gaussian laws: fixed seeds, bins fixed from the pmf. 14 tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/noise/generalised_gaussian.h"
#include "core/noise/range_noise.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/power_laws.h"

namespace dp::test {
namespace {

using noise::GeneralisedGaussian;

constexpr std::int64_t kDraws = 200'000;

TEST(PowerFit, GeneralisedGaussian) {
  struct {
    unsigned p;
    std::uint64_t mantissa;
    int exponent;
  } const cases[] = {{1, 7, 0}, {2, 9, -1}, {3, 1, 0}, {3, 25, 0}, {8, 6, 0}, {16, 5, -1}};
  for (const auto& [p, mantissa, exponent] : cases) {
    SCOPED_TRACE(testing::Message() << "p " << p << " b " << mantissa << " * 2^" << exponent);
    const auto law = GeneralisedGaussian::with_scale(p, mantissa, exponent);
    const Cells cells = Cells::spaced(-80, 1, 161);
    ChiSquare fit(cells.probabilities(PowerLaw(p, ldexp(Real(mantissa), exponent))), kDraws);
    ASSERT_GE(fit.size(), 3u) << "the bins see nothing";
    SeededBits bits(11);
    for (std::int64_t i = 0; i < kDraws; ++i) fit.add(cells.of(static_cast<std::int64_t>(law.sample(bits))));
    EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
  }
}

// `draw(bits)` in low..high against the law there.
template <class Draw>
void expect_fit(const RangeLaw& law, std::int64_t low, std::int64_t high, Draw draw) {
  std::vector<Real> probabilities;
  for (std::int64_t y = low; y <= high; ++y) probabilities.push_back(law.mass(y));
  ChiSquare fit(probabilities, kDraws);
  ASSERT_GE(fit.size(), 3u) << "the bins see nothing";
  SeededBits bits(12);
  for (std::int64_t i = 0; i < kDraws; ++i)
    fit.add(static_cast<std::size_t>(static_cast<std::int64_t>(draw(bits)) - low));
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

// Wide and narrow ranges, answers in the middle, near and beyond an end.
TEST(PowerFit, Ranges) {
  struct {
    unsigned p;
    std::uint64_t mantissa;
    int low, high, exact;
  } const cases[] = {{3, 12, -3, 7, 0}, {3, 12, -20, 20, 15}, {1, 4, 0, 30, 31}, {2, 6, -5, 7, -4}};
  for (const auto& [p, mantissa, low, high, exact] : cases) {
    SCOPED_TRACE(testing::Message() << "p " << p << ' ' << low << ".." << high << " at " << exact);
    const auto noise = GeneralisedGaussian::with_scale(p, mantissa, 0);
    const std::int64_t x = std::clamp(exact, low, high);
    const noise::TruncatedGeneralisedGaussian truncated{noise, low, high};
    expect_fit(RangeLaw::truncated(p, Real(mantissa), low, high, x), low, high,
               [&, at = exact](noise::BitSource& bits) { return truncated.release(at, bits); });
    const noise::BoundaryInflatedGaussian inflated{noise, low, high};
    expect_fit(RangeLaw::inflated(PowerLaw(p, Real(mantissa)), low, high, x), low, high,
               [&, at = exact](noise::BitSource& bits) { return inflated.release(at, bits); });
  }
}

}  // namespace
}  // namespace dp::test
