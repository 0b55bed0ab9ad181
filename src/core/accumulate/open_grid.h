// The grid of quantiles and ends of values for which nobody has said where they end.
//
// Its points are the numbers with so many binary digits, 0 and both signs: close together near 0, far apart where
// numbers are large. A step of the reader (grid.h) goes to the nearest one, halves to the larger magnitude, so that
// points are monotone. Small whole numbers are points themselves.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace dp::aggregate {

struct OpenGrid {
  int digits;          // behind the leading one
  std::int64_t first;  // the number of the lower bound, whose point is 0
  std::int64_t last;   // that of the upper bound

  static OpenGrid make(int digits, std::int64_t low, std::int64_t high) {
    return {digits, number(digits, low), number(digits, high)};
  }

  std::int64_t points() const { return last - first + 1; }

  // That of a step from the lower to the upper bound.
  std::int64_t point(std::int64_t step) const { return number(digits, step) - first; }

  // The step at a point.
  double step(std::int64_t point) const {
    const std::int64_t number = first + point;
    if (number == 0) return 0;
    const auto magnitude = static_cast<std::uint64_t>(number < 0 ? -number : number) - 1;
    const auto value = std::bit_cast<double>((magnitude + (kBias << digits)) << (kMantissa - digits));
    return number < 0 ? -value : value;
  }

  // How far a number from about there is from the next one.
  double apart(double value) const { return std::ldexp(std::fabs(value), -digits - 1); }

 private:
  static constexpr int kMantissa = 52;
  static constexpr std::uint64_t kBias = 1023;

  // Of 0 it is 0, of 1 it is 1, and then the following magnitudes with so many digits.
  static std::int64_t number(int digits, std::int64_t step) {
    if (step == 0) return 0;
    const auto word = std::bit_cast<std::uint64_t>(std::fabs(static_cast<double>(step)));
    const int dropped = kMantissa - digits;
    const std::uint64_t rounded = (word + (std::uint64_t{1} << (dropped - 1))) >> dropped;
    const auto number = static_cast<std::int64_t>(rounded - (kBias << digits)) + 1;
    return step < 0 ? -number : number;
  }
};

}  // namespace dp::aggregate
