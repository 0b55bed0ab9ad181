// The rows of a partition with answers, their errors and what tells them apart, as window functions read them; and what
// becomes of the answers. Plain data: PostgreSQL's errors may end what fills it.
#pragma once

#include <cstdint>

#include "pg/windows.h"

namespace dp::planning {

struct AdjustedRows {
  Oid type;  // of the answers
  int64 count;
  int keys;
  int digits;  // behind the point, of the whole numbers that stand for numerics; negative: of so many zeros before it
  bool done;

  bool* known;           // of each row, whether it has an answer
  int64* whole;          // its answer where it is a whole number, or is made one
  double* real;          // otherwise
  double* error;         // infinity: it has none
  bool any_error;        // some row has one
  std::uint32_t* level;  // as GROUPING() says it
  std::int32_t* values;  // the keys of each row, numbered

  double* after;  // of each row its error, once it is adjusted

  bool is_whole() const { return type != FLOAT8OID && type != FLOAT4OID; }
  bool is_integer() const { return is_whole() && type != NUMERICOID; }
};

// Of the current partition, kept until its end; read the first time. `level`, `keys`: the arguments where these begin,
// 0 where there are none. Raises 22023 for an answer of another type, a level or an error that can be none.
AdjustedRows* rows_of_partition(WindowObject window, FunctionCallInfo fcinfo, int level, int keys);

// The answer of a row, in the type of the answers.
Datum answer_of(const AdjustedRows& rows, int64 row);

}  // namespace dp::planning
