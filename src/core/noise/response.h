// Randomised responses of one person, which that person can make more accurate later.
//
// All odds are rationals E > 1 in parts of 2^-40, so every probability here is a rational, drawn exactly.
//
// Among k categories the answer is the truth with probability E / (E+k-1), each other one with 1 / (E+k-1): any two
// truths give an answer with probabilities whose ratio is at most E, so it is local (ln E)-DP.
//
// Relaxing: with T_i the channel of odds E_i, E_1 < E_2, there is a K with T_1 = T_2 K. K keeps a response with c and
// turns it into each other one with c',
//   c'/c = (E_2-E_1) / (E_1 E_2 + (k-2) E_1 - (k-1)).
// Proof: T_i = (E_i-1)/(E_i+k-1) I + J/(E_i+k-1) with J all ones; such matrices multiply as the first factors do, so K
// is the one with first factor (E_1-1)(E_2+k-1) / ((E_1+k-1)(E_2-1)), which is in (0, 1).
// A person whose truth is x and whose first response was y_1 draws the second from its law given both,
//   P(y_2 | x, y_1) = T_2(x,y_2) K(y_2,y_1) / T_1(x,y_1).
// So y_1 given y_2 does not depend on x: all responses of a chain together are post-processing of the last one, and
// lose ln E of that one alone. That holds for one chain: each step starts from the response before, which is replaced.
// Two second responses from one first lose more, as with relaxation.h.
//
// Sources: Warner (1965); Kairouz, Bonawitz, Ramage (2016); Koufogiannis, Han, Pappas (2016), section 4.1, for the idea
// of relaxing them. That the second response is drawn in one step is ours: drawing until it fits takes E_1 tries where
// the first response was a lie, which would tell that it was.
#pragma once

#include <cstddef>

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// How much likelier the truth is than any other one answer.
struct Odds {
  static constexpr Uint128 kOne = Uint128{1} << 40;
  static constexpr Uint128 kMost = Uint128{1} << 120;

  Uint128 parts;  // kOne < parts <= kMost
};

// Both throw std::invalid_argument, before they draw, for other odds, fewer than two categories, and a truth or a
// response that is none of them. Their cost does not depend on the odds.

std::size_t randomized_response(BitSource& bits, std::size_t truth, std::size_t categories, Odds odds);

// The second response of a person whose first one had the odds `coarse`, at the odds `fine` >= coarse.
std::size_t relaxed_response(BitSource& bits, std::size_t truth, std::size_t response, std::size_t categories,
                             Odds coarse, Odds fine);

// The same of one bit, which is a response among two categories.
inline bool randomized_bit(BitSource& bits, bool truth, Odds odds) {
  return randomized_response(bits, truth ? 1 : 0, 2, odds) == 1;
}
inline bool relaxed_bit(BitSource& bits, bool truth, bool response, Odds coarse, Odds fine) {
  return relaxed_response(bits, truth ? 1 : 0, response ? 1 : 0, 2, coarse, fine) == 1;
}

}  // namespace dp::noise
