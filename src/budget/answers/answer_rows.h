// The rows of a stored answer: each a number of values, written one after the other in the form in which PostgreSQL has
// them in memory, in chunks.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

// Raises XX001: what is stored is no answer.
[[noreturn]] void refuse_damaged_answer();

// How values of a column lie in memory.
struct ColumnForm {
  int16 length;  // as pg_type.typlen; 0: the value is not wanted
  bool by_value;
};

// In the current memory context. Values are stored without compression and in line.
class AnswerWriter {
 public:
  AnswerWriter(std::int64_t answer, const ColumnForm* columns, int count);

  void put(const Datum* values, const bool* nulls);

  // After the last row. Returns how many bytes there are.
  std::int64_t finish();

  std::int64_t rows() const { return rows_; }

 private:
  void flush();

  std::int64_t answer_;
  const ColumnForm* columns_;
  int count_;
  std::int64_t rows_ = 0;
  std::int64_t first_row_ = 0;
  std::int64_t bytes_ = 0;
  StringInfoData chunk_;
};

// All rows of an answer, read at once. In the current memory context.
class AnswerReader {
 public:
  AnswerReader(std::int64_t answer, std::int64_t rows);

  // Whether all of them are there: others may be forgetting the answer just now.
  bool complete() const { return complete_; }

  // The next row, at most as often as there are rows. `columns`: the forms of all its values, in the order in which
  // they were put. XX001 where the bytes are no such row.
  void next(const ColumnForm* columns, int count, Datum* values, bool* nulls);

 private:
  std::int64_t answer_;
  List* chunks_ = NIL;  // bytea*: those to come, the current one first
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool complete_;
};

}  // namespace dp::budget
