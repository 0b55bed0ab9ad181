// Whole numbers in as few bytes as they need: those below 240 in one, others behind their length.
//
// Where numbers are written or read there must be kSlack bytes more than they take.
#pragma once

#include <bit>
#include <cstring>

#include "core/noise/integers.h"

namespace dp::aggregate::packed {

using noise::Int128;
using noise::Uint128;

inline constexpr std::size_t kSlack = 8;
inline constexpr std::size_t kMostOfNumber = 9;
inline constexpr std::size_t kMostOfTotal = 17;

inline constexpr unsigned kOneByte = 240;  // of numbers that stand for themselves; then come lengths from 1 to 8,
inline constexpr unsigned kLong = 248;     // and this for 16

inline unsigned first_byte(const char* from) { return static_cast<unsigned char>(*from); }

// Writes a number; returns what is behind it.
inline char* put(char* to, std::uint64_t number) {
  if (number < kOneByte) {
    *to = static_cast<char>(number);
    return to + 1;
  }
  const unsigned bytes = (static_cast<unsigned>(std::bit_width(number)) + 7) / 8;
  *to = static_cast<char>(kOneByte - 1 + bytes);
  std::memcpy(to + 1, &number, sizeof number);
  return to + 1 + bytes;
}

// Reads a number; returns what is behind it.
inline const char* get(const char* from, std::uint64_t* number) {
  const unsigned first = first_byte(from);
  if (first < kOneByte) {
    *number = first;
    return from + 1;
  }
  const unsigned bytes = first - (kOneByte - 1);
  std::memcpy(number, from + 1, sizeof *number);
  *number &= ~std::uint64_t{0} >> (64 - 8 * bytes);
  return from + 1 + bytes;
}

// The same of 128 bits.
inline char* put_total(char* to, Uint128 total) {
  if (total >> 64 == 0) return put(to, static_cast<std::uint64_t>(total));
  *to = static_cast<char>(kLong);
  std::memcpy(to + 1, &total, sizeof total);
  return to + 1 + sizeof total;
}

inline const char* get_total(const char* from, Uint128* total) {
  if (first_byte(from) == kLong) {
    std::memcpy(total, from + 1, sizeof *total);
    return from + 1 + sizeof *total;
  }
  std::uint64_t low;
  from = get(from, &low);
  *total = low;
  return from;
}

// Signed ones, of which those near zero are small.
inline char* put_signed(char* to, Uint128 total) {
  const Uint128 sign = -(total >> 127);
  return put_total(to, (total << 1) ^ sign);
}

inline const char* get_signed(const char* from, Uint128* total) {
  from = get_total(from, total);
  *total = (*total >> 1) ^ -(*total & 1);
  return from;
}

}  // namespace dp::aggregate::packed
