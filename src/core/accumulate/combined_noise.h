// How far a combination of noisy numbers is off: w1 N1 + w2 N2 + w3 N3 of independent noise of one law.
//
// The noise of several numbers adds up to less than the sum of what each may be off by: half the sum of two Laplace
// draws is within 2.1 scales in 95 of 100 cases, where the union bound says 3.7. What is returned is never too small:
//   - Noise on whole numbers is within 1/2 of the same noise with a uniform number from -1/2 to 1/2 on it, which has a
//     density, symmetric and with one mode. Of such laws a sum is spread more when a weight grows (Anderson's
//     inequality: the chance that |X + y| <= t falls with |y|). So weights may be rounded up.
//   - Each part is rounded to a grid, which moves it by half a cell at most; the law of their sum is then computed as
//     it is. These halves are added to the result.
// Arithmetic on public parameters only; nothing here decides a draw or a charge.
#pragma once

#include "core/mechanism/law.h"

namespace dp::aggregate {

// Plain data: it lives in PostgreSQL's memory contexts. What was computed is kept, for the next group.
class CombinedNoise {
 public:
  // Each number is the sum of `summed` draws of the law, and what is returned may miss with probability `miss`.
  CombinedNoise(const mechanism::Law& law, int summed, double miss);

  // t with P(|w1 N1 + w2 N2 + w3 N3| > t) <= miss, in the steps of the law; a few percent larger than it need be, and
  // more of sums (half_width.h). Throws std::logic_error for several draws of another law than the discrete Laplace,
  // and for one that depends on the exact answer.
  double width(double w1, double w2, double w3);

 private:
  static constexpr int kRatios = 32;  // weights are rounded up to so many parts of the largest one

  double of_ratios(double second, double third) const;

  mechanism::Law law_;
  int summed_;
  double miss_;
  double known_[kRatios + 1][kRatios + 1] = {};  // by second and third weight; 0: not computed yet
};

}  // namespace dp::aggregate
