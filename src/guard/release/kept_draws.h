// The draws of a statement, kept until its release is stored: in memory up to work_mem, beyond that in a temporary
// file.
#pragma once

#include <cstdint>

#include "core/accounting/draw.h"
#include "pg/planner.h"

namespace dp::guard {

using budget::Draw;

// Lives in a memory context, without a destructor: the resource owner closes the file of a query that failed.
class KeptDraws {
 public:
  explicit KeptDraws(MemoryContext memory) : memory_(memory) {}

  std::int64_t size() const { return in_file_ + in_memory_; }
  void put(const Draw& draw);
  void drop_last(std::int64_t count);

  // Nothing is kept any more.
  void end();

  // `count` of them from number `first` on. Good until the next call, which asks for as many.
  const Draw* read(std::int64_t first, int count);

 private:
  void spill();
  void seek(std::int64_t number);

  MemoryContext memory_;
  Draw* draws_ = nullptr;  // those that follow the ones in the file
  Draw* shown_ = nullptr;
  std::int64_t room_ = 0;
  std::int64_t in_memory_ = 0;
  BufFile* file_ = nullptr;
  std::int64_t in_file_ = 0;
};

}  // namespace dp::guard
