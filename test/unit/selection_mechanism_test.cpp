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
  const std::vector<noise::Utility> utilities{0, 1000, 0};
  for (const char* name : {"exponential", "permute_and_flip", "auto"}) {
    EXPECT_NO_THROW(require_choice(parse(name))) << name;
    SeededBits bits(1);
    EXPECT_EQ(choose(parse(name), utilities, {1, 1}, bits), 1u) << name;
  }
  for (const char* name : {"laplace", "gaussian", "gaussian(delta=1e-6)"})
    EXPECT_THROW(require_choice(parse(name)), Error) << name;
}

// By the bits that they read: with equal utilities the one draws a place, the other one a sequence of places.
TEST(SelectionMechanism, AutoIsWhatTheAccountIsBestWith) {
  const std::vector<noise::Utility> utilities{3, 1, 2, 3};
  const auto chosen = [&](const Mechanism& mechanism) {
    std::vector<std::size_t> places;
    SeededBits bits(7);
    for (int i = 0; i < 40; ++i) places.push_back(choose(mechanism, utilities, {1, 1}, bits));
    return places;
  };
  EXPECT_EQ(chosen(parse("auto")), chosen(parse("permute_and_flip")));
  EXPECT_EQ(chosen(choice_of_divergences(parse("auto"))), chosen(parse("exponential")));
  EXPECT_NE(chosen(parse("exponential")), chosen(parse("permute_and_flip")));
  EXPECT_EQ(format(choice_of_divergences(parse("permute_and_flip"))), "permute_and_flip");
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
