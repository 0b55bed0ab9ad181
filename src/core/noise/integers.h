// Exact integers of the noise layer.
//
// Every random draw is decided by these types alone; floating point never is. Arithmetic that could leave the
// type is done with the checked helpers below, which throw std::overflow_error rather than wrap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace dp::noise {

// PostgreSQL's palloc aligns to 8 bytes, so the 128-bit integers that live in aggregate states must not ask for 16.
using Int128 = __int128 __attribute__((aligned(8)));
using Uint128 = unsigned __int128 __attribute__((aligned(8)));

// Consecutive integers that somebody else keeps. (std::span would forget that they are aligned to 8 bytes only.)
struct Int128View {
  const Int128* values;
  std::size_t size;

  const Int128& operator[](std::size_t i) const { return values[i]; }
  const Int128* begin() const { return values; }
  const Int128* end() const { return values + size; }
};

inline constexpr Int128 kInt128Max = static_cast<Int128>(~Uint128{0} >> 1);

inline Uint128 checked_mul(Uint128 a, Uint128 b) {
  Uint128 product;
  if (__builtin_mul_overflow(a, b, &product)) throw std::overflow_error("128-bit product overflows");
  return product;
}

inline Uint128 checked_add(Uint128 a, Uint128 b) {
  Uint128 sum;
  if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("128-bit sum overflows");
  return sum;
}

// The integer of that sign and magnitude. Throws std::overflow_error beyond 2^127 - 1.
inline Int128 signed_magnitude(bool negative, Uint128 magnitude) {
  if (magnitude > static_cast<Uint128>(kInt128Max)) throw std::overflow_error("magnitude beyond 127 bits");
  return negative ? -static_cast<Int128>(magnitude) : static_cast<Int128>(magnitude);
}

// A positive rational num/den in lowest terms. Both stay below 2^126, so that the samplers may double a remainder.
struct Ratio {
  Uint128 num;
  Uint128 den;
};

// num/den in lowest terms. Throws std::invalid_argument where one of them is zero, std::overflow_error beyond 2^126.
inline Ratio ratio(Uint128 num, Uint128 den) {
  if (num == 0 || den == 0) throw std::invalid_argument("ratio with a zero");
  Uint128 a = num, b = den;
  while (b != 0) {
    const Uint128 rest = a % b;
    a = b;
    b = rest;
  }
  const Ratio reduced{num / a, den / a};
  if ((reduced.num | reduced.den) >> 126) throw std::overflow_error("ratio beyond 126 bits");
  return reduced;
}

}  // namespace dp::noise
