// The candidates of a choice over gaps (gaps.h): each point is so many of them, over which its rows lie evenly.
#pragma once

#include <cstdint>

#include "core/accumulate/gaps.h"

namespace dp::aggregate {

// The candidates of a stretch, numbered from 0 on. Ranks are in parts of a row.
class Candidates {
 public:
  Candidates(const SortedPoints& rows, const Stretch& stretch, std::uint64_t parts)
      : rows_(rows), stretch_(stretch), parts_(parts) {}

  std::uint64_t size() const { return (static_cast<std::uint64_t>(stretch_.last - stretch_.first) + 1) * parts_; }

  noise::Uint128 all_ranks() const { return static_cast<noise::Uint128>(stretch_.rows()) * parts_; }

  // How many of the first candidates have at most so many ranks through them.
  std::uint64_t with_through(noise::Uint128 most) const {
    if (most >= all_ranks()) return size();
    const Run run = run_of(stretch_.begin + static_cast<std::uint64_t>(most / parts_));
    return first_of(run) + static_cast<std::uint64_t>((most - before(run)) / run.rows());
  }

  // How many of the first have at most so many before them.
  std::uint64_t with_before(noise::Uint128 most) const {
    if (most >= all_ranks()) return size();
    const Run run = run_of(stretch_.begin + static_cast<std::uint64_t>(most / parts_));
    return first_of(run) + static_cast<std::uint64_t>((most - before(run)) / run.rows()) + 1;
  }

  struct Ranks {
    noise::Uint128 before;
    noise::Uint128 through;
  };
  Ranks ranks(std::uint64_t candidate) const {
    const Run run = run_at(point(candidate));
    const noise::Uint128 first = before(run) + static_cast<noise::Uint128>(candidate % parts_) * run.rows();
    return {first, first + run.rows()};
  }

  std::int64_t point(std::uint64_t candidate) const {
    return stretch_.first + static_cast<std::int64_t>(candidate / parts_);
  }

  // Of the rows at its point those up to its middle go below.
  ChosenPoint chosen(std::uint64_t candidate) const {
    const Run run = run_at(point(candidate));
    const noise::Uint128 below =
        static_cast<noise::Uint128>(run.rows()) * (2 * (candidate % parts_) + 1) / (2 * parts_);
    return {point(candidate), run.begin + static_cast<std::uint64_t>(below)};
  }

 private:
  // The rows at a point.
  struct Run {
    std::int64_t point;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t rows() const { return end - begin; }
  };

  // The first row from `begin` to `end` that is at the point or above, or only above; `end` where there is none.
  std::uint64_t first_row(std::uint64_t begin, std::uint64_t end, std::int64_t point, bool above) const {
    while (begin < end) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      const std::int64_t found = rows_.at(middle);
      if (found < point || (above && found == point)) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  Run run_of(std::uint64_t row) const {
    const std::int64_t point = rows_.at(row);
    return {point, first_row(stretch_.begin, row, point, false), first_row(row + 1, stretch_.end, point, true)};
  }

  Run run_at(std::int64_t point) const {
    const std::uint64_t begin = first_row(stretch_.begin, stretch_.end, point, false);
    return {point, begin, first_row(begin, stretch_.end, point, true)};
  }

  noise::Uint128 before(const Run& run) const {
    return static_cast<noise::Uint128>(run.begin - stretch_.begin) * parts_;
  }
  std::uint64_t first_of(const Run& run) const {
    return static_cast<std::uint64_t>(run.point - stretch_.first) * parts_;
  }

  const SortedPoints& rows_;
  Stretch stretch_;
  std::uint64_t parts_;
};

}  // namespace dp::aggregate
