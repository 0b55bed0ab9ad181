// The rows of dp.declared_range: read with a fresh catalog snapshot, written like a system catalog's. Nothing here asks
// what the current role may do.
#pragma once

#include <optional>

#include "pg/server.h"

namespace dp::budget {

// A declared range as it lies in the table, both ends included: texts of a value of `type`, palloc'd.
struct DeclaredRange {
  Oid type;
  const char* lower;
  const char* upper;
};

std::optional<DeclaredRange> declared_range(Oid relation, const char* column);

// Inserts the row, or changes the one with the same key.
void store_declared_range(Oid relation, const char* column, const DeclaredRange& range);
bool remove_declared_range(Oid relation, const char* column);
void rename_declared_range(Oid relation, const char* from, const char* to);
void remove_declared_ranges(Oid relation);

}  // namespace dp::budget
