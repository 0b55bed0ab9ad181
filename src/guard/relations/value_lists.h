// Lists of constants as join partners:
//
//   SELECT w.name, count(*) FROM stays s JOIN (VALUES (1, 'north'), (2, 'south')) AS w (id, name) ON w.id = s.ward
//   GROUP BY w.name
//
// A row finds one of the list at most where the list is joined by the equality of columns that tell its rows apart, as
// a table is joined on a unique key. So each column of the list is a choice between constants, CASE WHEN s.ward = 1
// THEN 'north' ELSE 'south' END, and an inner join a condition, s.ward = 1 OR s.ward = 2. Written so, nothing but
// tables is left in FROM.
//
// So is LATERAL without FROM, FROM stays s, LATERAL (SELECT s.cost * 2 AS twice) x: one row, and its columns what they
// are computed from.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

struct ValueList {
  int number;  // in the level's range table
  RangeTblEntry* entry;
  List* rows;  // List of expressions, Const where they are known: those that may be joined; NIL: an array, or LATERAL
  List* columns;           // TargetEntry: its columns as choices, over the level
  bool may_miss = false;   // in a left join that keeps rows which it has none for: all columns are NULL then
  bool is_kept = false;    // the other way round: its rows are kept where there are none for them
  List* conditions = NIL;  // Node: those by which it is joined
};

// The level's FROM and WHERE without the lists that are joined so, which are appended to `lists` (ValueList*); others
// stay. The level must be pg::flattened, and is left as it is. `levels` as in sources_of.
FromExpr* without_value_lists(Query* level, List* levels, List** lists);

// The one of the lists (ValueList*) whose rows are kept where no row is found for them: its number in the level's range
// table; 0: none is.
inline int preserved_list(const List* lists) {
  ListCell* cell;
  foreach (cell, lists) {
    const auto& list = *static_cast<const ValueList*>(lfirst(cell));
    if (list.is_kept) return list.number;
  }
  return 0;
}

// Of a level with a list whose rows are preserved: raises DP002 where such a row would matter, to an aggregate
// (`aggregates`: Aggref, of the level), or to a key that is not of the list.
void check_preserved_list(Query* level, int list, List* aggregates, int location);

}  // namespace dp::guard
