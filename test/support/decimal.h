// 128-bit integers to and from decimal text, which the standard library does not print.
#pragma once

#include <string>

#include "core/noise/integers.h"

namespace dp::test {

inline std::string decimal(noise::Uint128 value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

inline std::string decimal(noise::Int128 value) {
  const auto magnitude = static_cast<noise::Uint128>(value);
  return value < 0 ? "-" + decimal(-magnitude) : decimal(magnitude);
}

inline std::string decimal(bool value) { return value ? "1" : "0"; }

inline noise::Uint128 from_decimal(const std::string& digits) {
  noise::Uint128 value = 0;
  for (const char digit : digits) value = value * 10 + static_cast<unsigned>(digit - '0');
  return value;
}

inline noise::Int128 from_signed_decimal(const std::string& digits) {
  const bool negative = digits.starts_with('-');
  return noise::signed_magnitude(negative, from_decimal(negative ? digits.substr(1) : digits));
}

}  // namespace dp::test
