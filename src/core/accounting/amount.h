// What is charged: epsilon and delta together, as whole numbers of their quanta.
#pragma once

#include <cstdint>

#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/error.h"

namespace dp::budget {

// Basic composition: amounts add up, each part for itself. Sums that would leave 63 bits throw dp::Error (DP001), so
// that a total never wraps to something small (an epsilon of 9.2e9 or a delta of 9.2 is beyond every promise).
struct Amount {
  std::int64_t epsilon = 0;  // nano-epsilon
  std::int64_t delta = 0;    // 10^-18

  static Amount of(mechanism::Epsilon epsilon, mechanism::Delta delta) {
    return {static_cast<std::int64_t>(epsilon.nano), static_cast<std::int64_t>(delta.atto)};
  }

  Amount& operator+=(const Amount& other) {
    if (__builtin_add_overflow(epsilon, other.epsilon, &epsilon) ||
        __builtin_add_overflow(delta, other.delta, &delta)) {
      refuse();
    }
    return *this;
  }
  friend Amount operator+(Amount a, const Amount& b) { return a += b; }

  Amount times(std::int64_t factor) const {
    Amount product;
    if (__builtin_mul_overflow(epsilon, factor, &product.epsilon) ||
        __builtin_mul_overflow(delta, factor, &product.delta)) {
      refuse();
    }
    return product;
  }

  [[noreturn]] static void refuse() {
    throw Error(
        ErrorCode::budget_exhausted, "query costs more than any budget can hold",
        "Ask with a smaller epsilon, in fewer aggregates or grouping sets; 0.1 to 1 is usual for an aggregate.");
  }

  // What takes it off a sum again.
  friend Amount operator-(const Amount& a) { return {-a.epsilon, -a.delta}; }

  bool zero() const { return epsilon == 0 && delta == 0; }
  friend bool operator==(const Amount&, const Amount&) = default;
};

// A number of quanta as the shortest decimal, exactly: 0.1, 1, 0.000000000000000001. Plain characters without a
// destructor, so that an error may be raised over it.
struct Decimal {
  char text[32];
};
Decimal epsilon_decimal(std::int64_t nano);
Decimal epsilon_decimal(mechanism::Epsilon epsilon);
Decimal delta_decimal(std::int64_t atto);

}  // namespace dp::budget
