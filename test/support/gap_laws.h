// The law of a choice over gaps, written from its definition: the exponential mechanism over each part of each point.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/accumulate/gaps.h"
#include "support/selection_laws.h"

namespace dp::test {

using Rows = std::vector<std::uint32_t>;

inline std::vector<aggregate::Fraction> fractions_of(const std::vector<double>& values) {
  std::vector<aggregate::Fraction> fractions;
  for (const double value : values) fractions.push_back(aggregate::Fraction::from(value));
  return fractions;
}

// Of each part of each point, from what u(c) is defined as.
inline std::vector<noise::Utility> gap_utilities(const Rows& rows, const aggregate::Stretch& stretch,
                                                 noise::Utility rank, std::uint64_t unit, std::uint64_t parts) {
  using noise::Utility;
  std::vector<Utility> all;
  for (std::int64_t point = stretch.first; point <= stretch.last; ++point) {
    Utility before = 0, here = 0;
    for (std::uint64_t row = stretch.begin; row < stretch.end; ++row) {
      if (rows[row] < point) ++before;
      if (rows[row] == point) ++here;
    }
    for (std::uint64_t part = 0; part < parts; ++part) {
      const auto of = static_cast<Utility>(unit), j = static_cast<Utility>(part), s = static_cast<Utility>(parts);
      const Utility begin = (before * s + here * j) * of, through = begin + here * of;
      all.push_back(-std::max({Utility{0}, begin - rank, rank - through}));
    }
  }
  return all;
}

// The law over points.
inline SelectionLaw law_of_points(const Rows& rows, const aggregate::Stretch& stretch, noise::Utility rank,
                                  std::uint64_t unit, std::uint64_t parts, const noise::Ratio& rate) {
  const auto of_parts = exponential_law(gap_utilities(rows, stretch, rank, unit, parts), {}, real(rate));
  SelectionLaw law{std::vector<Real>(static_cast<std::size_t>(stretch.last + 1))};
  for (std::size_t i = 0; i < of_parts.masses.size(); ++i)
    law.masses[static_cast<std::size_t>(stretch.first) + i / parts] += of_parts.masses[i];
  return law;
}

// The law of quantiles_together.h over the points of all fractions, the first one's first: of every number of rows s
// and every list of candidates in order.
inline SelectionLaw law_together(const Rows& rows, std::int64_t last, const std::vector<aggregate::Fraction>& fractions,
                                 const std::vector<std::uint64_t>& totals, std::uint64_t parts,
                                 const noise::Ratio& rate) {
  std::vector<Real> ranks;
  for (std::int64_t point = 0; point <= last; ++point) {
    std::int64_t before = 0, here = 0;
    for (const std::uint32_t row : rows) before += row < point, here += row == point;
    for (std::uint64_t part = 0; part < parts; ++part) ranks.push_back(Real(before) + Real(here) * part / Real(parts));
  }
  std::size_t size = 1;
  for (std::size_t i = 0; i < fractions.size(); ++i) size *= static_cast<std::size_t>(last + 1);
  SelectionLaw law{std::vector<Real>(size)};
  std::vector<std::size_t> chosen(fractions.size(), 0);
  const auto q = [&](std::size_t i) {
    return i == 0 ? Real(0) : i > fractions.size() ? Real(1) : Real(fractions[i - 1].nano) / 1'000'000'000;
  };
  Real all = 0;
  for (;;) {
    std::size_t place = 0;
    for (const std::size_t candidate : chosen)
      place = place * static_cast<std::size_t>(last + 1) + candidate / static_cast<std::size_t>(parts);
    for (const std::uint64_t total : totals) {
      Real far = 0;
      for (std::size_t j = 0; j <= fractions.size(); ++j) {
        const Real from = j == 0 ? Real(0) : ranks[chosen[j - 1]];
        const Real to = j == fractions.size() ? Real(rows.size()) : ranks[chosen[j]];
        const int ends = (j == 0) + (j == fractions.size());
        far += abs(to - from - (q(j + 1) - q(j)) * (Real(total) - 1) - Real(ends) / 2);
      }
      const Real weight = exp(-far * real(rate));
      law.masses[place] += weight;
      all += weight;
    }
    std::size_t i = fractions.size();
    while (i-- > 0 && chosen[i] + 1 == ranks.size()) {
    }
    if (i == static_cast<std::size_t>(-1)) break;
    std::fill(chosen.begin() + static_cast<std::ptrdiff_t>(i), chosen.end(), chosen[i] + 1);
  }
  for (Real& mass : law.masses) mass /= all;
  return law;
}

}  // namespace dp::test
