// Goodness of fit with bins fixed from the law, before any draw.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/number/special_functions.h"
#include "support/laws.h"

namespace dp::test {

// One statistical test's false-alarm probability: 200 of them stay below 1e-6 together.
inline constexpr double kFalseAlarm = 5e-9;

// What a sum of so many squares of normal draws leaves with probability kFalseAlarm.
inline double chi_square_critical(double squares) {
  return 2 * inverse_lower_gamma_share(squares / 2, 1 - kFalseAlarm);
}

// How many standard deviations a mean of many draws leaves with probability kFalseAlarm, to either side.
inline double normal_critical() { return std::sqrt(chi_square_critical(1)); }

// Counts of independent draws in cells, against the cells' probabilities.
class ChiSquare {
 public:
  // `probabilities` are those of the cells 0, 1, ...; neighbours are merged until `draws` of them make 20 expected
  // counts in each bin, where the chi-square law is a good approximation far into its tail.
  ChiSquare(const std::vector<Real>& probabilities, std::int64_t draws) {
    for (const Real& probability : probabilities) {
      if (bins_.empty() || bins_.back().expected >= 20) bins_.push_back({0, 0});
      bins_.back().expected += static_cast<double>(probability) * static_cast<double>(draws);
      bin_of_cell_.push_back(bins_.size() - 1);
    }
    if (bins_.size() > 1 && bins_.back().expected < 20) {
      bins_[bins_.size() - 2].expected += bins_.back().expected;
      bins_.pop_back();
      for (std::size_t& bin : bin_of_cell_) bin = std::min(bin, bins_.size() - 1);
    }
  }

  void add(std::size_t cell) { ++bins_[bin_of_cell_[cell]].count; }

  double statistic() const {
    double sum = 0;
    for (const Bin& bin : bins_) {
      const double gap = static_cast<double>(bin.count) - bin.expected;
      sum += gap * gap / bin.expected;
    }
    return sum;
  }

  double critical() const { return chi_square_critical(static_cast<double>(bins_.size() - 1)); }

  std::size_t size() const { return bins_.size(); }

 private:
  struct Bin {
    double expected;
    std::int64_t count;
  };

  std::vector<Bin> bins_;
  std::vector<std::size_t> bin_of_cell_;
};

// The line of integers cut at `edges` (ascending): cell 0 is everything below the first, cell i is [edge i-1, edge i).
class Cells {
 public:
  explicit Cells(std::vector<std::int64_t> edges) : edges_(std::move(edges)) {}

  // `count` edges from `first` on, `step` apart.
  static Cells spaced(std::int64_t first, std::int64_t step, std::size_t count) {
    std::vector<std::int64_t> edges;
    for (std::size_t i = 0; i < count; ++i) edges.push_back(first + step * static_cast<std::int64_t>(i));
    return Cells(std::move(edges));
  }

  std::size_t of(std::int64_t x) const {
    return static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), x) - edges_.begin());
  }

  template <class Law>
  std::vector<Real> probabilities(const Law& law) const {
    std::vector<Real> cells;
    Real before = 0;
    for (const std::int64_t edge : edges_) {
      const Real below = law.below(edge);
      cells.push_back(below - before);
      before = below;
    }
    cells.push_back(1 - before);
    return cells;
  }

 private:
  std::vector<std::int64_t> edges_;
};

}  // namespace dp::test
