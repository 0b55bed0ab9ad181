// Integers for samplers whose law is a rational of several 128-bit integers.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "core/noise/integers.h"

namespace dp::noise {

// Of 1024 bits; what would leave them throws std::overflow_error.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    1024, 1024, boost::multiprecision::unsigned_magnitude, boost::multiprecision::checked, void>>;

inline Wide widen(Uint128 value) {
  return Wide(static_cast<std::uint64_t>(value >> 64)) << 64 | static_cast<std::uint64_t>(value);
}

// The last 128 bits.
inline Uint128 narrow(const Wide& value) {
  return static_cast<Uint128>(static_cast<std::uint64_t>(Wide(value >> 64) & ~std::uint64_t{0})) << 64 |
         static_cast<std::uint64_t>(Wide(value & ~std::uint64_t{0}));
}

inline Wide magnitude(Int128 value) {
  return widen(value < 0 ? -static_cast<Uint128>(value) : static_cast<Uint128>(value));
}

inline Wide distance(const Wide& a, const Wide& b) { return a > b ? Wide(a - b) : Wide(b - a); }

}  // namespace dp::noise
