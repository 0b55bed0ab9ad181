// Which columns an entry of a range table has, as PostgreSQL's parser would give them to Vars.
#pragma once

#include <optional>

#include "pg/trees.h"

namespace dp::guard {

struct ColumnType {
  Oid type;  // 0: not known
  int32 modifier;
  Oid collation;
  // Whether another modifier may be said where one of the two is -1, and a collation where the column has none: views
  // keep the modifiers that they were created with, and NULLs that rules put in the place of defaults have neither.
  bool loose;

  bool is_of(const Var* var) const;
};

// The target entry of that number that a query shows; nullptr where it has none. What a statement that writes shows is
// its RETURNING.
const TargetEntry* shown_column(const Query* query, int number);

// The column of that number of an entry, below 0 a column of the system; nullopt where it has none, or one that was
// dropped. Not for joins and for numbers of whole rows.
std::optional<ColumnType> column_of_entry(const RangeTblEntry* entry, int number);

// Whether rows of the entry as a whole have that type.
bool is_row_of_entry(const RangeTblEntry* entry, const Var* row);

}  // namespace dp::guard
