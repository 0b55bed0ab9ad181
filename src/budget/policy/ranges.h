// Between which values a column lies, where that is public: declared by a curator (dp.declare_range), or known from the
// schema. Never from the rows.
#pragma once

#include <optional>

#include "pg/server.h"

namespace dp::budget {

// Both ends included, of the column's base type, palloc'd in the current memory context.
struct ColumnRange {
  Oid type;
  Datum lower;
  Datum upper;
  const char* source;  // who says so, for EXPLAIN
};

// The range of a column of a table: what dp.declare_range says of the protected table it belongs to, else the least and
// greatest of the values that dp.public_values lists, else what validated CHECK constraints and those of its domain
// leave. Nothing where one end is open.
std::optional<ColumnRange> range_of_column(Oid table, AttrNumber column);

// Types that have ranges: numbers, dates and timestamps.
bool can_have_range(Oid type);

}  // namespace dp::budget
