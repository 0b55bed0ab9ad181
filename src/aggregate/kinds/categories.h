// A list of categories, and the place of a value in it.
#pragma once

#include <cstdint>
#include <optional>

#include "pg/server.h"

namespace dp::aggregate {

// Values of one type, different in the default order of that type and not NULL. Plain data, in the memory context in
// which it was made.
struct Categories {
  int size;
  Oid type;
  int16 length;  // as PostgreSQL describes types
  bool by_value;
  Datum* given;  // in their order
  Datum* sorted;
  int* places;  // places[i]: where sorted[i] stands among the given
  FmgrInfo* compare;
  Oid collation;

  // Raises an error (22023) for an empty or overlong list, NULL or one category twice; `function` is the one that was
  // called, `null_hint` says what becomes of values that are NULL. The elements must be of that type.
  static Categories make(const char* function, ArrayType* array, Oid type, Oid collation, const char* null_hint);

  std::optional<int> find(Datum value) const {
    int low = 0, high = size;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      const int side = order(value, sorted[middle]);
      if (side == 0) return places[middle];
      (side < 0 ? high : low) = side < 0 ? middle : middle + 1;
    }
    return std::nullopt;
  }

  // A copy of the category at that place, in the current memory context.
  Datum copy(int place) const { return datumCopy(given[place], by_value, length); }

  int order(Datum a, Datum b) const { return DatumGetInt32(FunctionCall2Coll(compare, collation, a, b)); }

  // The category at that place as text.
  char* text_of(int place) const;
};

// Raises an error (22023) unless a list of that many `what` (categories, buckets) is possible; `example` shows the
// parameters of a call of that function.
void check_size(const char* function, const char* what, std::int64_t size, const char* example);

}  // namespace dp::aggregate
