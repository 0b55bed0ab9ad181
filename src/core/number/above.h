// Positive numbers of 64 binary digits that are rounded up at each step: certified upper bounds, by integers alone.
#pragma once

#include <bit>
#include <cstdint>

#include "core/number/real.h"

namespace dp {

class Above {
 public:
  // Of num/den, both below 2^127 and not 0.
  static constexpr Above quotient(unsigned __int128 num, unsigned __int128 den) {
    const int up = 128 - bits(num), down = 128 - bits(den);
    const unsigned __int128 above = (num << up >> 64) + (static_cast<std::uint64_t>(num << up) != 0);  // up to 2^64
    const auto below = static_cast<std::uint64_t>(den << down >> 64);
    const unsigned __int128 digits = above << 63;
    return rounded(digits / below + (digits % below != 0), down - up - 63);
  }

  // A number above x, which is positive, by a few parts of 2^62 at most.
  static Above above(const Real& x) {
    Above near = not_above(x);
    return rounded(static_cast<unsigned __int128>(near.digits_) + 4, near.exponent_);
  }

  // It is digits() 2^exponent(), and the first of the 64 digits is set.
  constexpr std::uint64_t digits() const { return digits_; }
  constexpr std::int64_t exponent() const { return exponent_; }

  // The greatest of these numbers that is not above x, which is positive: what others are compared with.
  static Above not_above(const Real& x) {
    const auto exponent = static_cast<int>(static_cast<std::int64_t>(floor(log2(x)))) - 62;
    return rounded(static_cast<std::uint64_t>(static_cast<unsigned __int128>(floor(ldexp(x, -exponent)))), exponent);
  }

  friend constexpr Above operator*(Above a, Above b) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a.digits_) * b.digits_;
    return rounded((product >> 64) + (static_cast<std::uint64_t>(product) != 0), a.exponent_ + b.exponent_ + 64);
  }

  friend constexpr Above operator+(Above a, Above b) {
    if (a.exponent_ < b.exponent_) return b + a;
    const std::int64_t apart = a.exponent_ - b.exponent_;
    if (apart > 63) return rounded(static_cast<unsigned __int128>(a.digits_) + 1, a.exponent_);
    const std::uint64_t rest = b.digits_ >> apart << apart != b.digits_;
    return rounded(static_cast<unsigned __int128>(a.digits_) + (b.digits_ >> apart) + rest, a.exponent_);
  }

  // By repeated squaring; power >= 1.
  constexpr Above to_the(std::uint64_t power) const {
    Above result = *this, square = *this;
    for (std::uint64_t left = power - 1; left > 0; left >>= 1, square = square * square) {
      if (left & 1) result = result * square;
    }
    return result;
  }

  friend constexpr bool operator<=(Above a, Above b) {
    return a.exponent_ != b.exponent_ ? a.exponent_ < b.exponent_ : a.digits_ <= b.digits_;
  }

 private:
  constexpr Above(std::uint64_t digits, std::int64_t exponent) : digits_(digits), exponent_(exponent) {}

  static constexpr int bits(unsigned __int128 x) {
    const auto high = static_cast<std::uint64_t>(x >> 64);
    return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(x));
  }

  // digits 2^exponent, with the first of 64 digits set. `digits`: not 0, less than 2^66.
  static constexpr Above rounded(unsigned __int128 digits, std::int64_t exponent) {
    while (digits >> 64 != 0) digits = (digits >> 1) + (digits & 1), ++exponent;
    const int shift = 64 - bits(digits);
    return {static_cast<std::uint64_t>(digits << shift), exponent - shift};
  }

  std::uint64_t digits_;
  std::int64_t exponent_;
};

}  // namespace dp
