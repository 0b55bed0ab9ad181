// Whose the rows of a level's protected tables are: the column that names the privacy unit of each, its own or that of
// a table to which foreign keys lead (budget/policy/unit_path.h).
//
// Where the level joins a table along a step of a path, for every row and by the equality of the foreign key's unique
// index, the step leads there. Otherwise the table that it leads to is joined beside: it has one row for each, or none
// where a part of the key is NULL or dangles, and then the row is nobody's and counts in no answer. What is joined
// beside is read with nobody's permission asked: who declared the path said so. Nobody can name it.
#pragma once

#include "budget/policy/unit_path.h"
#include "guard/relations/join_conditions.h"

namespace dp::guard {

struct UnitColumns {
  int named = 0;        // so many tables does the level name; those behind are joined beside
  List* columns = NIL;  // Var*: of each of the named tables; nullptr: it is public, has no unit, or none can be told
  List* entries =
      NIL;  // List of int: of each of the named tables, the numbers of itself and of those where its steps lead
  List* paths = NIL;  // const UnitPath*: of each of the named tables; nullptr: it is public, has no unit, or is a
                      // per-unit subquery
  Bitmapset* led_to = nullptr;  // named tables of which each row of another protected one has one row at most

  // Of tables none of which has a unit.
  static UnitColumns of_none(int tables) {
    UnitColumns none{.named = tables};
    for (List** const list : {&none.columns, &none.entries, &none.paths}) {
      for (int i = 0; i < tables; ++i) *list = lappend(*list, nullptr);
    }
    return none;
  }

  const Var* column_of(int table) const { return static_cast<const Var*>(list_nth(columns, table - 1)); }
  const budget::UnitPath* path_of(int table) const {
    return static_cast<const budget::UnitPath*>(list_nth(paths, table - 1));
  }

  // Whether what names the table's unit does so wherever it is not NULL. Where the table may be missing, a column of
  // another table may still be there, and then it is anybody's.
  bool is_named_always(const JoinConditions& conditions, int table) const {
    return !conditions.may_miss(table) || column_of(table)->varno == table;
  }

  // Whether the table is where a step of one of these tables leads to, by the conditions on the table.
  bool is_bound_by_step(const JoinConditions& conditions, const Sources& sources, int table,
                        const Bitmapset* bound) const;
};

// The columns of all tables; `protections`: const Protection*, nullptr for public tables. Adds tables that are joined
// beside to the sources and their conditions. Errors as unit_path().
UnitColumns find_unit_columns(Sources* sources, JoinConditions* conditions, List* protections);

}  // namespace dp::guard
