#include "guard/release/kept_draws.h"

namespace dp::guard {

void KeptDraws::put(const Draw& draw) {
  if (in_memory_ == room_) {
    const std::int64_t most = work_mem * std::int64_t{1024} / static_cast<std::int64_t>(sizeof(Draw));
    if (room_ >= most) {
      spill();
    } else {
      room_ = Min(Max(room_ * 2, 8), most);
      const Size bytes = static_cast<Size>(room_) * sizeof(Draw);
      draws_ =
          static_cast<Draw*>(draws_ == nullptr ? MemoryContextAllocHuge(memory_, bytes) : repalloc_huge(draws_, bytes));
    }
  }
  draws_[in_memory_++] = draw;
}

void KeptDraws::drop_last(std::int64_t count) {
  if (count <= in_memory_) {
    in_memory_ -= count;
    return;
  }
  in_file_ -= count - in_memory_;  // what comes next is written over them
  in_memory_ = 0;
}

void KeptDraws::end() {
  if (file_ != nullptr) BufFileClose(file_);
  if (draws_ != nullptr) pfree(draws_);
  draws_ = nullptr;
  file_ = nullptr;
  room_ = in_memory_ = in_file_ = 0;
}

const Draw* KeptDraws::read(std::int64_t first, int count) {
  if (first >= in_file_) return draws_ + (first - in_file_);
  if (shown_ == nullptr)
    shown_ = static_cast<Draw*>(MemoryContextAlloc(memory_, sizeof(Draw) * static_cast<Size>(count)));
  const int stored = static_cast<int>(Min(in_file_ - first, count));
  const Size bytes = static_cast<Size>(stored) * sizeof(Draw);
  seek(first);
  if (BufFileRead(file_, shown_, bytes) != bytes)
    elog(ERROR, "could not read the draws of a release from its temporary file");
  for (int i = stored; i < count; ++i) shown_[i] = draws_[i - stored];
  return shown_;
}

void KeptDraws::spill() {
  if (file_ == nullptr) {
    MemoryContext const outer = MemoryContextSwitchTo(memory_);
    file_ = BufFileCreateTemp(false);
    MemoryContextSwitchTo(outer);
  }
  seek(in_file_);
  BufFileWrite(file_, draws_, static_cast<Size>(in_memory_) * sizeof(Draw));
  in_file_ += in_memory_;
  in_memory_ = 0;
}

void KeptDraws::seek(std::int64_t number) {
  if (BufFileSeek(file_, 0, number * static_cast<std::int64_t>(sizeof(Draw)), SEEK_SET) != 0) {
    elog(ERROR, "could not find a draw of a release in its temporary file");
  }
}

}  // namespace dp::guard
