// Privacy parameters as integers: noise and charge use the same one, so ten times 0.1 is exactly 1.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "core/noise/integers.h"

namespace dp::mechanism {

// epsilon as a whole number of 10^-9.
struct Epsilon {
  static constexpr std::uint64_t kPerUnit = 1'000'000'000;

  std::uint64_t nano;

  // From a float8, taken for the shortest decimal that reads back as it; what lies beyond 10^-9 is cut off (the safe
  // side). Throws dp::Error for NaN, an infinity, and everything outside 1e-9 .. 1e6; the error calls it `name` and
  // shows the example.
  static Epsilon from(double value, const char* name = "epsilon", const char* example = "dp_count(x, 0.5)");

  // The limit of a budget, read in the same way, from 1e-9 to 9e9: sums up to a limit stay within 63 bits. The error
  // calls it `name` and shows the example.
  static Epsilon limit(double value, const char* name = "epsilon", const char* example = "dp.protect('visits', 10)");

  double value() const { return static_cast<double>(nano) / kPerUnit; }

  // epsilon divided by a sensitivity, exactly: the rate of a law that spends epsilon on a change of that size.
  noise::Ratio per(noise::Uint128 sensitivity) const {
    return noise::ratio(nano, noise::checked_mul(kPerUnit, sensitivity));
  }

  friend auto operator<=>(const Epsilon&, const Epsilon&) = default;
};

// delta as a whole number of 10^-18.
struct Delta {
  static constexpr std::uint64_t kPerUnit = 1'000'000'000'000'000'000;

  std::uint64_t atto;

  // From a float8, rounded as for epsilon. Throws dp::Error outside 1e-18 <= delta < 1.
  static Delta from(double value, const char* name = "delta", const char* example = "gaussian(delta=1e-6)");

  // The limit of a budget: as above, or 0.
  static Delta limit(double value);

  double value() const { return static_cast<double>(atto) / kPerUnit; }

  friend bool operator==(const Delta&, const Delta&) = default;
};

// The shortest decimal that reads back as the same double: 0.1, 1e-06, Infinity, NaN.
std::string decimal(double value);

}  // namespace dp::mechanism
