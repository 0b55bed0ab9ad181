#include "aggregate/unit/unit_front.h"

#include <utility>

namespace dp::aggregate {

void UnitFront::begin(MemoryContext context, std::size_t memory) {
  context_ = context;
  places_ = 1;
  while (2 * places_ * stride() <= memory) places_ *= 2;
  mask_ = places_ - 1;
  memory_ = static_cast<char*>(MemoryContextAllocZero(context_, places_ * stride()));
  if (units_ == UnitTable::Units::words) return;
  room_ = memory;
  bytes_ = static_cast<char*>(MemoryContextAlloc(context_, room_));
}

void UnitFront::clear(std::size_t room) {
  std::memset(memory_, 0, (mask_ + 1) * stride());
  used_ = 0;
  if (std::exchange(changes_, false)) {
    mask_ = mask_ == 0 ? places_ - 1 : 0;
    rows_ = made_ = 0;
  }
  if (room <= room_) return;
  pfree(bytes_);
  room_ = room;
  bytes_ = static_cast<char*>(MemoryContextAllocHuge(context_, room_));
}

}  // namespace dp::aggregate
