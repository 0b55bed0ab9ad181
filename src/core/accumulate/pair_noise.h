// How far off is what the numbers of pairs say (pairs.h): each is a quotient of several noisy numbers.
//
// An exact number is the noisy one less its noise, of which the law is known. So what is said is computed again from
// the noisy numbers less noise, for a thousand combinations that are spread evenly over the law (a Latin hypercube:
// each number has each of a thousand quantiles once). The error is what the distance to the answer stays below with
// the confidence that is asked, and the chance by which so few combinations miss it on top.
//
// Arithmetic on noisy values and public parameters only, the same each time; nothing here decides a draw or a charge.
#pragma once

#include "core/accumulate/pairs.h"
#include "core/mechanism/law.h"

namespace dp::aggregate {

// Plain data, about 40 kB: it lives in PostgreSQL's memory contexts.
class PairNoise {
 public:
  // Each number is the sum of `summed` draws of the law. Throws dp::Error unless 0 < confidence < 1, std::logic_error for
  // a law that depends on the exact answer.
  PairNoise(const mechanism::Law& law, int summed, double confidence);

  // Of each part that the numbers say, in units of the answer; of counts whole ones. `numbers`: in units of a row. Of a
  // slope whose x may be constant the largest double.
  PairSays errors(const Form& form, const double* numbers, std::size_t count) const;

 private:
  static constexpr int kDraws = 512, kNumbers = 10;

  // The distances of each part, kDraws of them, with the one that counts at its place; `known`: numbers are not negative.
  double* off(const Form& form, const double* numbers, std::size_t count, bool known, double* distances) const;

  double noise_[kDraws][kNumbers];  // in refined steps
  int within_;                      // so many combinations are nearer than the error
  double beyond_;                   // for a confidence that they cannot tell: the error in the place of 1
};

}  // namespace dp::aggregate
