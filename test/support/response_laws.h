// The laws of randomised responses and of chains of them, as exact rationals, written from their definitions.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <vector>

#include "core/noise/response.h"
#include "core/number/real.h"

namespace dp::test {

using Rational = boost::multiprecision::cpp_rational;
using Channel = std::vector<std::vector<Rational>>;  // [truth][response]

inline Rational rational(noise::Uint128 value) {
  return Rational(boost::multiprecision::cpp_int(static_cast<std::uint64_t>(value >> 64)) << 64 |
                  static_cast<std::uint64_t>(value));
}

inline Rational rational(noise::Odds odds) { return rational(odds.parts) / rational(noise::Odds::kOne); }

// num/den as odds; den is a power of two.
inline noise::Odds odds(std::uint64_t num, std::uint64_t den) { return {noise::Odds::kOne / den * num}; }

inline Real real(const Rational& x) { return Real(numerator(x).str().c_str()) / Real(denominator(x).str().c_str()); }

inline Channel response_channel(std::size_t categories, const Rational& odds) {
  const Rational lie = 1 / (odds + categories - 1);
  Channel channel(categories, std::vector<Rational>(categories, lie));
  for (std::size_t i = 0; i < categories; ++i) channel[i][i] *= odds;
  return channel;
}

inline Channel operator*(const Channel& a, const Channel& b) {
  Channel product(a.size(), std::vector<Rational>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) product[i][j] += a[i][k] * b[k][j];
  return product;
}

// K with (the channel of fine odds) K = the channel of coarse odds: Gauss and Jordan, not the formula.
inline Channel quotient_channel(std::size_t categories, const Rational& coarse, const Rational& fine) {
  Channel left = response_channel(categories, fine), right = response_channel(categories, coarse);
  for (std::size_t i = 0; i < categories; ++i) {
    const Rational pivot = left[i][i];
    for (std::size_t j = 0; j < categories; ++j) {
      left[i][j] /= pivot;
      right[i][j] /= pivot;
    }
    for (std::size_t other = 0; other < categories; ++other) {
      const Rational factor = left[other][i];
      for (std::size_t j = 0; other != i && j < categories; ++j) {
        left[other][j] -= factor * left[i][j];
        right[other][j] -= factor * right[i][j];
      }
    }
  }
  return right;
}

// A law on places, for expect_encloses.
struct PlaceLaw {
  std::vector<Rational> masses;
  Real mass(std::int64_t x) const {
    return x >= 0 && x < std::ssize(masses) ? real(masses[static_cast<std::size_t>(x)]) : Real(0);
  }
};

// P(second | truth, first), by Bayes' rule.
inline PlaceLaw relaxed_law(std::size_t truth, std::size_t first, std::size_t categories, const Rational& coarse,
                            const Rational& fine) {
  const Channel t2 = response_channel(categories, fine), k = quotient_channel(categories, coarse, fine);
  PlaceLaw law;
  Rational total = 0;
  for (std::size_t second = 0; second < categories; ++second) {
    law.masses.push_back(t2[truth][second] * k[second][first]);
    total += law.masses.back();
  }
  for (Rational& mass : law.masses) mass /= total;
  return law;
}

}  // namespace dp::test
