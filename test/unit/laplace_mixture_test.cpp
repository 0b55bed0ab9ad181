// The sampler of a mixture of discrete Laplaces: the choice of the atom to the last bit, and one choice per draw.
#include "core/noise/laplace_mixture.h"

#include <gtest/gtest.h>

#include "support/bits.h"
#include "support/enumeration.h"
#include "support/mixture_law.h"

namespace dp::test {
namespace {

using noise::BitSource;
using noise::LaplaceMixture;
using noise::ratio;
using noise::Uint128;

// So steep that nothing but zero is drawn, and so flat that zero is hardly ever drawn.
constexpr noise::Ratio kSteep{60, 1};
const noise::Ratio kFlat = ratio(1, Uint128{1} << 60);

TEST(LaplaceMixture, Enumeration) {
  const LaplaceMixture laws[] = {{1, 1, {{{1, ratio(1, 1)}}}},
                                 {15, 2, {{{4, ratio(1, 1)}, {11, ratio(2, 1)}}}},
                                 {8, 3, {{{4, ratio(2, 1)}, {3, ratio(1, 1)}, {1, ratio(1, 2)}}}}};
  for (const LaplaceMixture& law : laws) {
    SCOPED_TRACE(law.count);
    const auto seen = enumerate(20, [&law](BitSource& bits) { return law.sample(bits); });
    expect_encloses(seen, MixtureLaw(law), 0.08);
  }
}

// Two draws of a vector do not share their atom: with two atoms of weight one half, as many pairs agree as differ. Were
// it one scale for all, the loss of the vector would be that of the steepest atom.
TEST(LaplaceMixture, EveryDrawChoosesAnew) {
  const LaplaceMixture law{2, 2, {{{1, kSteep}, {1, kFlat}}}};
  SeededBits bits(11);
  int steep = 0, changes = 0;
  bool before = false;
  for (int i = 0; i < 4000; ++i) {
    const bool zero = law.sample(bits) == 0;
    steep += zero;
    changes += i > 0 && zero != before;
    before = zero;
  }
  EXPECT_NEAR(steep, 2000, 200);  // more than 6 standard deviations
  EXPECT_NEAR(changes, 2000, 200);
}

TEST(LaplaceMixture, TheLastAtomTakesWhatIsLeft) {
  const Uint128 total = Uint128{1} << 120;
  const LaplaceMixture law{total, 3, {{{1, kFlat}, {1, kFlat}, {total - 2, kSteep}}}};
  SeededBits bits(12);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(law.sample(bits) == 0);
}

}  // namespace
}  // namespace dp::test
