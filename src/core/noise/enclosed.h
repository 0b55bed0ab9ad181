// Flips whose probability is a real number that is known as closely as one asks.
//
// A uniform U lies below x or not as soon as its first bits and an enclosure of x by integers say so; until they do,
// the enclosure is made finer. No U stays undecided but with probability 0, and what is decided is true of x itself.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "core/noise/bit_source.h"

namespace dp::noise {

using Integer = boost::multiprecision::cpp_int;

// low <= 2^precision x <= high, of an x >= 0.
struct Enclosure {
  Integer low;
  Integer high;
};

// Of the first enclosure: two thirds of the draws need no more than ten bits of it.
inline constexpr unsigned kFirstPrecision = 64;

// True with probability exactly x, 0 <= x <= 1: whether U < x, of whose bits as many are drawn as it takes.
template <class Enclose>
bool bernoulli_enclosed(BitSource& bits, Enclose enclose) {
  Integer drawn = 0;
  unsigned count = 0;
  for (unsigned precision = kFirstPrecision;; precision *= 2) {
    const Enclosure x = enclose(precision);
    while (count < precision) {
      drawn = 2 * drawn + (bits.bit() ? 1 : 0);
      ++count;
      if (Integer(drawn + 1) << (precision - count) <= x.low) return true;
      if (drawn << (precision - count) >= x.high) return false;
    }
  }
}

// Of e^{-num/den}, num >= 0, den > 0: the series of its 2^k-th root, which is squared k times.
Enclosure exp_enclosed(const Integer& num, const Integer& den, unsigned precision);

}  // namespace dp::noise
