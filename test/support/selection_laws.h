// The laws of exact selection, in 50-digit arithmetic and written from their definitions, not from src/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/noise/selection.h"
#include "support/laws.h"
#include "support/ratio.h"

namespace dp::test {

// A law on the places of a list of candidates.
struct SelectionLaw {
  std::vector<Real> masses;

  Real mass(std::int64_t x) const {
    return x >= 0 && x < std::ssize(masses) ? masses[static_cast<std::size_t>(x)] : Real(0);
  }

  Real mean_of(const std::vector<noise::Utility>& utilities) const {
    Real mean = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) mean += masses[i] * static_cast<std::int64_t>(utilities[i]);
    return mean;
  }

  Real entropy_bits() const {
    Real bits = 0;
    for (const Real& mass : masses) bits -= mass * log2(mass);
    return bits;
  }
};

// The greatest log-ratio of two laws, either way.
inline Real greatest_loss(const SelectionLaw& a, const SelectionLaw& b) {
  Real loss = 0;
  for (std::size_t i = 0; i < a.masses.size(); ++i) loss = std::max(loss, Real(abs(log(a.masses[i] / b.masses[i]))));
  return loss;
}

// e^{-rate (M - u_i)}
inline std::vector<Real> flips(const std::vector<noise::Utility>& utilities, const Real& rate) {
  const noise::Utility best = *std::max_element(utilities.begin(), utilities.end());
  std::vector<Real> p;
  for (const noise::Utility u : utilities) p.push_back(exp(-rate * static_cast<std::int64_t>(best - u)));
  return p;
}

// All weights are 1 where none are given.
inline SelectionLaw exponential_law(const std::vector<noise::Utility>& utilities,
                                    const std::vector<noise::Weight>& weights, const Real& rate) {
  std::vector<Real> masses = flips(utilities, rate);
  Real total = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (!weights.empty()) masses[i] *= static_cast<std::uint64_t>(weights[i]);
    total += masses[i];
  }
  for (Real& mass : masses) mass /= total;
  return {masses};
}

// Over all orders of the candidates, the product of failures before the first success; by sets of predecessors.
inline SelectionLaw permute_and_flip_law(const std::vector<noise::Utility>& utilities, const Real& rate) {
  const std::vector<Real> p = flips(utilities, rate);
  const std::size_t n = p.size();
  std::vector<Real> reached(std::size_t{1} << n);  // reached[set]: exactly that set has been flipped, without success
  reached[0] = 1;
  SelectionLaw law{std::vector<Real>(n)};
  for (std::size_t set = 0; set + 1 < reached.size(); ++set) {
    const Real waiting = static_cast<int>(n) - __builtin_popcountll(set);
    for (std::size_t i = 0; i < n; ++i) {
      if (set >> i & 1) continue;
      law.masses[i] += reached[set] / waiting * p[i];
      reached[set | std::size_t{1} << i] += reached[set] / waiting * (1 - p[i]);
    }
  }
  return law;
}

}  // namespace dp::test
