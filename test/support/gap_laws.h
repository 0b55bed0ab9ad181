// The law of a choice over gaps, written from its definition: the exponential mechanism over each part of each point.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/accumulate/gaps.h"
#include "support/selection_laws.h"

namespace dp::test {

using Rows = std::vector<std::uint32_t>;

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

}  // namespace dp::test
