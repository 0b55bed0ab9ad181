// The answers of one inner query, kept for as long as the statement runs: groups in the order of their keys, whatever
// the plan did.
#pragma once

#include <cstdint>

#include "core/noise/integers.h"
#include "pg/planner.h"

namespace dp::guard {

// By which columns groups are ordered: ascending, NULLs last, in the types' default order.
struct GroupOrder {
  int columns;
  AttrNumber* numbers;
  Oid* operators;
  Oid* collations;
};

class Answers {
 public:
  // Rows of that shape. In the current memory context.
  Answers(TupleDesc shape, const GroupOrder& order);

  // Frees what rows are kept in. Memory of the object itself goes with its context.
  void end();

  // Adds a row; its number is kept beside it, and the noisy integers of its answers where they are given.
  void put(TupleTableSlot* row, std::int64_t number, noise::Int128View noisy);

  // After the last put.
  void finish();

  void rewind();

  // The next or previous row; an empty slot at the end. The slot is good until the next call.
  TupleTableSlot* next(bool forward);

  // The number that the row in a slot of next() was put with.
  std::int64_t number_of(TupleTableSlot* row) const;

  // Copies the noisy integers that it was put with, all of them.
  void noisy_of(TupleTableSlot* row, noise::Int128* noisy) const;

 private:
  TupleDesc shape_;  // the rows' columns, their number, and their noisy integers
  TupleTableSlot* in_;
  TupleTableSlot* out_;
  Tuplesortstate* sort_ = nullptr;
  Tuplestorestate* store_ = nullptr;
};

}  // namespace dp::guard
