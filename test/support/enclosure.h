// The check that ends an exact enumeration: for every outcome, mass <= pmf <= mass + unfinished.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "support/laws.h"

namespace dp::test {

// The probability of all paths that end in an outcome, and of the paths not followed to their end.
struct Masses {
  std::map<std::int64_t, Real> finished;
  Real unfinished = 0;
  double rounding;  // of the masses and of a 50-digit pmf
};

// Checks every outcome seen and every integer of [-40, 40], seen or not. `teeth` bounds the unfinished mass: an outcome
// whose probability is wrong by more than that turns the test red.
template <class Law>
void expect_encloses(const Masses& seen, const Law& law, double teeth) {
  EXPECT_LE(seen.unfinished, teeth);
  std::map<std::int64_t, Real> finished = seen.finished;
  for (std::int64_t x = -40; x <= 40; ++x) finished.try_emplace(x, 0);
  Real total = seen.unfinished;
  for (const auto& [x, mass] : finished) {
    const Real pmf = law.mass(x);
    EXPECT_LE(mass, pmf + seen.rounding) << "outcome " << x << " is drawn too often";
    EXPECT_LE(pmf, mass + seen.unfinished + seen.rounding) << "outcome " << x << " is drawn too seldom";
    total += mass;
  }
  EXPECT_LE(abs(total - 1), seen.rounding) << "the paths do not partition the choices";
}

}  // namespace dp::test
