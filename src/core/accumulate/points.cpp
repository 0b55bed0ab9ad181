#include "core/accumulate/points.h"

#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cstring>

namespace dp::aggregate {

static_assert(sizeof(PointsState) == 32, "four words, as shard_part.cpp reads them");

void write_points(const PointsState& list, char* to) {
  PointsState head = list;
  head.room = head.used;
  head.file = nullptr;
  const std::span<const std::uint32_t> points = list.points();
  std::memcpy(to, static_cast<const void*>(&head), sizeof head);
  if (!points.empty()) std::memcpy(to + sizeof head, points.data(), points.size_bytes());
  std::memset(to + sizeof head + points.size_bytes(), 0,
              PointsState::bytes(list.used) - sizeof head - points.size_bytes());
}

// By digits in place, which takes a third of what comparisons do.
void sort_points(std::span<std::uint32_t> points) {
  boost::sort::spreadsort::integer_sort(points.begin(), points.end());
}

}  // namespace dp::aggregate
