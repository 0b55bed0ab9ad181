// What the points of a group key (key_points.h) are made of, as a plan can hold it.
#pragma once

#include <optional>

#include "budget/policy/domains.h"
#include "guard/groups/key_cells.h"

namespace dp::guard {

struct KeyPart {
  Oid table;           // InvalidOid: it is of a subquery
  Oid subject;         // whose permissions hold for the table; InvalidOid: those of who asks
  int subquery;        // its number, from 1; 0: it is of a table
  bool with_null;      // that its columns are NULL is one of its points
  bool of_rows;        // they are what rows of the table or of the subquery hold together
  List* columns;       // Var, while planning; int, their numbers in the table, in a plan
  int telling;         // so many of these tell points apart; what follows is read by conditions alone
  List* conditions;    // Node: those that read no other part
  const Cells* cells;  // of its one column; nullptr: its values are listed
  List* narrowing;     // Node: conditions on that column, which leave less of the cells once their values are known

  // Whether a row that counts can hold each of the points, and nothing else.
  bool is_exact() const { return cells == nullptr || cells->exact; }

  List* as_list() const;
  static KeyPart of(const List* list);
};

// The values of a column of a protected table, or of a table below it, where these are public and listed.
std::optional<budget::Domain> listed_values(Oid table, AttrNumber column, Oid role);
std::optional<int> listed_size(Oid table, AttrNumber column, Oid role);

}  // namespace dp::guard
