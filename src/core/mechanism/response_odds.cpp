#include "core/mechanism/response_odds.h"

#include <algorithm>

#include "core/mechanism/error.h"
#include "core/number/real.h"

namespace dp::mechanism {

noise::Odds odds_of(Epsilon epsilon, unsigned parts) {
  using noise::Odds;
  const Real most = Real(static_cast<unsigned __int128>(Odds::kMost));
  const Real exact = exp(Real(epsilon.nano) / Real(Epsilon::kPerUnit) / Real(parts)) *
                     Real(static_cast<unsigned __int128>(Odds::kOne));
  // Far more than an operation rounds (2^-168), far less than what is cut off.
  const Real below = exact * (Real(1) - ldexp(Real(1), -150));
  const Odds odds{static_cast<unsigned __int128>(floor(std::min(below, most)))};
  if (odds.parts <= Odds::kOne) {
    throw Error("epsilon is too small to be divided among " + std::to_string(parts) + " bits",
                "Use a larger epsilon or fewer hashes.");
  }
  return odds;
}

}  // namespace dp::mechanism
