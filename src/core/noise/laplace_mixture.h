// A finite mixture of discrete Laplace laws on the integers.
#pragma once

#include <array>

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// P(x) = sum over the atoms of weight/total * (1-a)/(1+a) a^{|x|}, a = e^{-rate}.
//
// Every draw chooses its own atom. That is not a detail: the privacy of the mixture rests on it. One atom shared by
// several numbers would join them, and the loss of the vector would be that of the largest rate.
struct LaplaceMixture {
  static constexpr unsigned kMaxAtoms = 24;

  struct Atom {
    Uint128 weight;  // >= 1
    Ratio rate;      // > 0
  };

  Uint128 total;   // the sum of the weights, <= 2^126
  unsigned count;  // of atoms, 1..kMaxAtoms
  std::array<Atom, kMaxAtoms> atoms;

  Int128 sample(BitSource& bits) const;
};
static_assert(sizeof(LaplaceMixture) < 2048, "a law lies in the state of an aggregate");

}  // namespace dp::noise
