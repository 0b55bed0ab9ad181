// Buckets of equal width between two bounds: which one holds a value, and where they end.
//
// An edge is the float8 next to lower + i (upper - lower) / count, which is what somebody writes who means it: 29 of 0
// to 100 in hundred buckets, 0.29 of 0 to 1. A value on an edge lies above it, but for the last edge. The quotient
// alone, by which width_bucket of float8 goes, is a little less than 29 there, and puts 29 one bucket too low.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/accumulate/grid.h"

namespace dp::aggregate {

struct Buckets {
  Bounds bounds;
  int count;

  // From 0, the lower bound, to `count`, the upper one.
  double edge(int number) const {
    if (number >= count) return bounds.upper;
    const auto lower = static_cast<long double>(bounds.lower);
    return static_cast<double>(lower + number * (static_cast<long double>(bounds.upper) - lower) / count);
  }

  // That of a value between the bounds.
  int holding(double value) const {
    const double position = count * ((value - bounds.lower) / (bounds.upper - bounds.lower));
    int bucket = std::min(static_cast<int>(position), count - 1);
    if (bucket > 0 && value < edge(bucket)) --bucket;
    if (bucket < count - 1 && value >= edge(bucket + 1)) ++bucket;
    return bucket;
  }

  // That of any value: those outside lie in the first and the last one, NaN in the last.
  int nearest(double value) const {
    if (value <= bounds.lower) return 0;
    return value < bounds.upper ? holding(value) : count - 1;
  }

  // That of a value that lies in one: NaN and values outside do not.
  std::optional<int> containing(double value) const {
    if (!(value >= bounds.lower && value <= bounds.upper)) return std::nullopt;
    return holding(value);
  }
};

// Buckets of two values together: a cell for each pair of them, row by row, a row for each bucket of x.
struct Cells {
  Buckets x, y;

  std::int64_t count() const { return static_cast<std::int64_t>(x.count) * y.count; }

  // That of a pair of which both lie in a bucket.
  std::optional<int> containing(double of_x, double of_y) const {
    const std::optional<int> row = x.containing(of_x), column = y.containing(of_y);
    if (!row || !column) return std::nullopt;
    return *row * y.count + *column;
  }
};

}  // namespace dp::aggregate
