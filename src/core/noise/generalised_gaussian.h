// The generalised Gaussian law on the integers.
#pragma once

#include <numeric>

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// The power p of such a law: a whole number, or a fraction in lowest terms.
struct Power {
  std::uint32_t num;
  std::uint32_t den = 1;

  constexpr Power(unsigned whole) : num(whole) {}
  constexpr Power(std::uint32_t numerator, std::uint32_t denominator)
      : num(numerator / std::gcd(numerator, denominator)), den(denominator / std::gcd(numerator, denominator)) {}

  constexpr bool is_whole() const { return den == 1; }
  constexpr double value() const { return static_cast<double>(num) / den; }
  friend constexpr bool operator==(const Power&, const Power&) = default;
};

// P(x) proportional to e^{-(|x|/b)^power}, b = mantissa * 2^exponent exactly: power 1 is the discrete Laplace of scale
// b, power 2 the discrete Gaussian of variance b^2/2; a greater power gives a flatter top and lighter tails.
struct GeneralisedGaussian {
  static constexpr unsigned kMaxPower = 16;
  static constexpr unsigned kMaxDenominator = 100;
  static constexpr int kMantissaBits = 32;
  static constexpr int kMaxExponent = 80;  // b < 2^112, and a draw beyond 2^127 has a probability below e^-2^15

  Power power;             // 1..kMaxPower
  std::uint64_t mantissa;  // 1..2^32-1
  int exponent;            // -kMaxExponent..kMaxExponent
  Uint128 proposal_scale;  // the smallest t >= 1 with power * t^power >= b^power; of a fraction one near it

  // Throws std::invalid_argument outside the ranges above.
  static GeneralisedGaussian with_scale(Power power, std::uint64_t mantissa, int exponent);

  double scale() const;  // b, exactly

  // Rejection from the discrete Laplace of scale t: y is accepted with probability e^{-((|y|/b)^p - |y|/t + 1 - 1/p)}.
  // Of a whole power in 4096-bit integers that throw on overflow, of a fraction by rational_power.h.
  // Proof that the exponent is never positive: with v = p^{1/p} |y|/b, Young's inequality says v <= v^p/p + 1 - 1/p,
  // and |y|/t <= v because t >= b p^{-1/p}. More than one proposal in six is accepted. For p = 2 this is the sampler of
  // Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy" (2020).
  Int128 sample(BitSource& bits) const;

  // True with probability exactly e^{-(distance/b)^power}.
  bool accepts(Uint128 distance, BitSource& bits) const;
};

}  // namespace dp::noise
