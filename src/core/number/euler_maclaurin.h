// What the Euler-Maclaurin formula weighs derivatives with.
#pragma once

namespace dp {

constexpr double factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }  // exact up to 22

// B_{2k} / (2k)! for k = 1..6, B the Bernoulli numbers: the weight of the derivative of order 2k - 1.
template <class Number>
Number euler_maclaurin_weight(int k) {
  constexpr int kNumerators[] = {1, -1, 1, -1, 5, -691};
  constexpr int kDenominators[] = {6, 30, 42, 30, 66, 2730};
  return Number(kNumerators[k - 1]) / kDenominators[k - 1] / factorial(2 * k);
}

}  // namespace dp
