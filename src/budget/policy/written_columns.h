// The columns that an expression names as it is written: told by its text alone, whatever the catalog holds.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// The names of columns in an expression as key_text() (grouping_expression.h) wrote it: String, each once. Raises an
// error for a text that is no expression, which only somebody's hand can have stored.
List* columns_written(const char* expression);

// The same expression with another name for that column; nullptr where it does not name it.
const char* with_column_renamed(const char* expression, const char* from, const char* to);

}  // namespace dp::budget
