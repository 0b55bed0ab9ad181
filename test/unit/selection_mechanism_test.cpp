// The mechanisms that select are mechanisms by name, and say so where noise is wanted.
#include <gtest/gtest.h>

#include <vector>

#include "core/mechanism/candidate_selection.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "support/bits.h"

namespace dp::test {
namespace {

using namespace dp::mechanism;

TEST(SelectionMechanism, NamesSelect) {
  EXPECT_EQ(selection(parse("exponential"), Selection::permute_and_flip), Selection::exponential);
  EXPECT_EQ(selection(parse("permute_and_flip"), Selection::exponential), Selection::permute_and_flip);
  for (const Selection automatic : {Selection::exponential, Selection::permute_and_flip}) {
    EXPECT_EQ(selection(parse("auto"), automatic), automatic);
    EXPECT_THROW(selection(parse("laplace"), automatic), Error);
    EXPECT_THROW(selection(parse("gaussian(delta=1e-6)"), automatic), Error);
    const std::vector<noise::Utility> utilities{0, 1000, 0};
    SeededBits bits(1);
    EXPECT_EQ(select(automatic, utilities, {1, 1}, bits), 1u);
  }
}

TEST(SelectionMechanism, TheyAddNoNoise) {
  for (const char* name : {"exponential", "permute_and_flip"}) {
    EXPECT_EQ(format(parse(name)), name);
    EXPECT_THROW(calibrate(parse(name), Epsilon::from(1), Changes::one(1), Lattice::integer), Error);
    EXPECT_THROW(describe(parse(name), Epsilon::from(1), 1, Lattice::integer), Error);
  }
}

}  // namespace
}  // namespace dp::test
