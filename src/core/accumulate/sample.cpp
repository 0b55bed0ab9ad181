#include "core/accumulate/sample.h"

#include <algorithm>

namespace dp::aggregate {

static_assert(sizeof(SampleState) == 24, "SSPACE in sql/install/26-units.sql tells the planner a size");

std::uint64_t SampleState::next_room() const {
  return std::min<std::uint64_t>(std::max<std::uint64_t>(2 * room, 4), most);
}

void SampleState::keep(KeptRow row) {
  if (used < most) {
    ++used;
    rows().back() = row;
    if (used == most) std::make_heap(rows().begin(), rows().end());
    return;
  }
  if (!(row < rows().front())) return;
  std::pop_heap(rows().begin(), rows().end());
  rows().back() = row;
  std::push_heap(rows().begin(), rows().end());
}

void SampleState::put_least_first(std::uint32_t count) {
  if (count < used) std::nth_element(rows().begin(), rows().begin() + count, rows().end());
}

}  // namespace dp::aggregate
