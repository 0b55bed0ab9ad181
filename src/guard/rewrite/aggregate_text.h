// The text of an aggregate call as a person would write it: dp_avg(age, 0, 110, 0.5).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// How expressions over these tables (RangeTblEntry) are written: a column by its name, with its table's name where
// there are several.
struct ColumnNames {
  List* context;
  bool with_tables;
};
ColumnNames names_of_columns(List* tables);

// Casts that PostgreSQL added to constants are left out.
char* text_of_call(Node* call, const ColumnNames& names);

// The text of a whole query, in the same way.
char* text_of_query(Query* query);

}  // namespace dp::guard
