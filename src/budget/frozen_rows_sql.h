// Rows of the extension's own tables that are in force at once and survive a ROLLBACK, found by the number in their first column.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

// Inserts a row frozen, and its index entries. Not inside a parallel operation: wide values are stored out of line.
void append_frozen(Relation table, Datum* values, bool* nulls);

// The rows of a table whose first column is that number, in no order.
class NumberedRows {
 public:
  NumberedRows(Oid table, std::int64_t number);
  bool next(Datum* values, bool* nulls);  // false: that was the last one, and the scan is closed

 private:
  Relation table_;
  SysScanDesc scan_;
};

}  // namespace dp::budget
