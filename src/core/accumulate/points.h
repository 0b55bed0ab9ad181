// What a quantile keeps of its rows where there are too many values to count each: the point of each row (gaps.h).
//
// A row takes 4 bytes. `used` points follow the struct in memory, and further ones may be in a file
// (aggregate/unit/point_list.h), of which the core knows nothing.
#pragma once

#include <span>

#include "core/accumulate/state.h"

namespace dp::aggregate {

struct PointFile;

struct PointsState : State {
  static constexpr Tag kTag = Tag::points;
  std::uint64_t used;
  std::uint64_t room;  // of points in memory
  PointFile* file;     // nullptr: all are in memory, as those of what was shipped

  // Points are below this.
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

  // Whole words, as what is shipped has.
  static constexpr std::size_t bytes(std::uint64_t points) { return sizeof(PointsState) + (points + 1) / 2 * 8; }

  std::span<std::uint32_t> points() { return {reinterpret_cast<std::uint32_t*>(this + 1), used}; }
  std::span<const std::uint32_t> points() const { return {reinterpret_cast<const std::uint32_t*>(this + 1), used}; }

  bool is_valid() const { return used < std::uint64_t{1} << 60; }
};

// Writes a list without a file as bytes(used) bytes.
void write_points(const PointsState& list, char* to);

// Puts points in ascending order.
void sort_points(std::span<std::uint32_t> points);

// The points of rows in ascending order, wherever they are.
class SortedPoints {
 public:
  virtual std::uint64_t size() const = 0;

  // From 0 to size() - 1.
  virtual std::uint32_t at(std::uint64_t row) const = 0;

 protected:
  ~SortedPoints() = default;
};

class PointsInMemory final : public SortedPoints {
 public:
  explicit PointsInMemory(std::span<const std::uint32_t> points) : points_(points) {}
  std::uint64_t size() const override { return points_.size(); }
  std::uint32_t at(std::uint64_t row) const override { return points_[row]; }

 private:
  std::span<const std::uint32_t> points_;
};

}  // namespace dp::aggregate
