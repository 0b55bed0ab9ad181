// What the families gg, truncated_gg and bit_gg share in reading their keys.
#pragma once

#include <cmath>
#include <string>

#include "core/mechanism/error.h"
#include "core/mechanism/mechanism.h"
#include "core/noise/generalised_gaussian.h"

namespace dp::mechanism {

// The number given for the key at that place. Throws dp::Error where it was left out.
inline double required_number(const Mechanism& m, std::size_t key) {
  if (const auto* number = std::get_if<double>(&m.values[key])) return *number;
  throw Error("mechanism \"" + std::string(m.family->name) + "\" needs " + std::string(m.family->keys[key].name),
              "For example " + std::string(m.family->example) + ".");
}

// The power p at that place. Throws dp::Error unless it is from 1 to 16, the most that the exact sampler's integers are
// wide enough for, with at most two digits behind the point.
inline noise::Power required_power(const Mechanism& m, std::size_t key) {
  constexpr unsigned kParts = noise::GeneralisedGaussian::kMaxDenominator;
  const double p = required_number(m, key);
  const double parts = std::round(p * kParts);
  if (!(p >= 1 && p <= noise::GeneralisedGaussian::kMaxPower) || p != parts / kParts) {
    throw Error("p must be a number from 1 to 16 with at most two digits behind the point, not " + decimal(p),
                "1 is Laplace noise, 2 Gaussian noise; for example " + std::string(m.family->example) + ".");
  }
  return {static_cast<std::uint32_t>(parts), kParts};
}

}  // namespace dp::mechanism
