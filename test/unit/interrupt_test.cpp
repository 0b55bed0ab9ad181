// What runs the pure core can stop it: every computation that may take long asks, and lets what is thrown pass.
#include "core/noise/interrupt.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "core/mechanism/mechanism_text.h"
#include "core/planning/accuracy.h"
#include "core/planning/collusion.h"
#include "core/planning/minimax_remap.h"
#include "core/planning/privacy_loss.h"

namespace dp::test {
namespace {

using mechanism::Epsilon;
using mechanism::Lattice;
using mechanism::parse;

struct Stopped {};

// Stops what runs when it has asked so often.
int left = 0;
void stop() {
  if (left-- == 0) throw Stopped{};
}

bool stops(int asks, const std::function<void()>& computation) {
  left = asks;
  noise::interrupt_check = stop;
  bool stopped = false;
  try {
    computation();
  } catch (const Stopped&) {
    stopped = true;
  }
  noise::interrupt_check = nullptr;
  return stopped;
}

planning::Noise noise_of(const char* text, double sensitivity = 1, Lattice lattice = Lattice::integer) {
  return {parse(text), sensitivity, lattice};
}

// Each asks at its beginning and goes on to ask.
TEST(Interrupt, StopsWhatTakesLong) {
  const double one[] = {1};
  const std::vector<double> several(8, 1000);
  const auto epsilon = Epsilon::from(1);
  const std::pair<const char*, std::function<void()>> computations[] = {
      {"minimax remap", [&] { planning::minimax_remap(epsilon, 100, planning::ReadingLoss::abs); }},
      {"loss of a law on a range",
       [&] { planning::privacy_loss(parse("truncated_gg(p=2, lower=0, upper=1000)"), epsilon, one); }},
      {"loss of several numbers", [&] { planning::privacy_loss(parse("laplace"), epsilon, several); }},
      {"loss of a rounded law", [&] { planning::privacy_loss(parse("rounded_geometric(step=5)"), epsilon, several); }},
      {"loss with a delta", [&] { planning::privacy_loss(parse("gaussian(delta=1e-6)"), epsilon, one); }},
      {"search of an epsilon", [&] { planning::epsilon_for(noise_of("gg(p=3, delta=1e-6)"), 10, 0.95); }},
      {"interval", [&] { planning::half_width(noise_of("gg(p=3, delta=1e-6)"), epsilon, 0.95); }},
      {"median of many answers", [&] { planning::collusion_error(noise_of("geometric"), Epsilon::from(1e-5), 1000); }},
      {"characteristic function",
       [&] { noise_of("gg(p=5, delta=1e-9, definition=approximate)", 1000).at(epsilon).phi(1); }},
      {"family of mixtures", [&] { noise_of("r2dp(gamma=5, family=combined)").at(epsilon); }},
      {"best mixture", [&] { noise_of("r2dp(gamma=5)", 100, Lattice::fine).at(epsilon); }},
      {"calibration", [&] { noise_of("gaussian(delta=1e-6)").at(epsilon); }},
  };
  for (const auto& [name, computation] : computations) {
    EXPECT_TRUE(stops(0, computation)) << name;
    EXPECT_TRUE(stops(10, computation)) << name;
    EXPECT_FALSE(stops(-1, computation)) << name;
  }
}

}  // namespace
}  // namespace dp::test
