// Exact Bernoulli and uniform draws, the ground of every sampler.
//
// `N` is an unsigned integer type: Uint128, a checked wide integer of Boost.Multiprecision, or a machine word where the
// rational is known to be small. The draw is the same in all of them.
// Source: Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy" (2020), algorithms 1 and 2.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// Uniform on {0, ..., m-1}, m >= 1: ceil(log2 m) bits, drawn again while they are >= m.
Uint128 below(BitSource& bits, Uint128 m);

// True with probability exactly num/den, 0 <= num <= den, den >= 1, den at most half of N's range.
//
// Proof: let U be uniform on [0,1) and p = num/den. The loop compares the binary digits of U, drawn one at a time,
// with those of p, obtained by long division; the first digit that differs decides U < p. If the remainder becomes
// zero, the rest of p is zeros and U < p can no longer happen. Two digits are expected, whatever the size of den.
template <class N>
bool bernoulli(BitSource& bits, N num, const N& den) {
  if (num == den) return true;
  while (num != 0) {
    num += num;
    const bool digit = num >= den;
    if (digit) num -= den;
    if (bits.bit() != digit) return digit;
  }
  return false;
}

// True with probability exactly e^{-num/den} for 0 <= num <= den.
//
// Proof: let x = num/den; the loop reaches k with probability x^{k-1}/(k-1)!, so P(result is odd) is the alternating
// series of e^{-x}. Bernoulli(x) and Bernoulli(1/k) are two draws, so that den*k is never formed.
template <class N>
bool bernoulli_exp_unit(BitSource& bits, const N& num, const N& den) {
  std::uint64_t k = 1;
  while (bernoulli(bits, num, den) && bernoulli<std::uint64_t>(bits, 1, k)) ++k;
  return k % 2 == 1;
}

// True with probability exactly e^{-num/den}, den >= 1, for any num: e^{-1} for each whole unit, then the rest.
template <class N>
bool bernoulli_exp(BitSource& bits, const N& num, const N& den) {
  N rest = num;
  while (rest > den) {
    if (!bernoulli_exp_unit<std::uint64_t>(bits, 1, 1)) return false;
    rest -= den;
  }
  return bernoulli_exp_unit(bits, rest, den);
}

// True with probability exactly 2/e, from the same alternating series without its first two terms, which cancel.
inline bool bernoulli_two_over_e(BitSource& bits) {
  std::uint64_t k = 2;
  while (bernoulli<std::uint64_t>(bits, 1, k + 1)) ++k;
  return k % 2 == 0;
}

}  // namespace dp::noise
