// The text of an aggregate call as a person would write it: dp_avg(age, 0, 110, 0.5).
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// How expressions over these tables (RangeTblEntry) are written: a column by its name, with its table's name where
// there are several. The names are looked up for the first expression that has any; until then the entries must stay as
// they are, or look_up() is called before they change.
class ColumnNames {
 public:
  ColumnNames() = default;
  explicit ColumnNames(List* tables) : tables_(list_copy(tables)) {}

  List* look_up() const;
  bool with_tables() const { return list_length(tables_) > 1; }

 private:
  List* tables_ = NIL;
  mutable List* context_ = NIL;
};

// Casts that PostgreSQL added to constants are left out; an answer among its parts is 'answer'.
char* text_of_call(Node* call, const ColumnNames& names);

// Those of several calls (Aggref) of a level over these tables, with commas between.
char* text_of_calls(List* calls, const Sources& sources, const ColumnNames& names);

// The text of a whole query, in the same way.
char* text_of_query(Query* query);

}  // namespace dp::guard
