// What of the schema that an inner query's bounds rely on. They are recorded while the inner query is made, and
// looked up again when an execution starts, under its snapshot. Where the schema has changed in between (between
// PREPARE and EXECUTE, or while a function held planning open), or the snapshot is older than the dependency, nothing
// is answered.
#pragma once

#include "budget/policy/accounts.h"
#include "guard/query/private_query.h"

namespace dp::guard {

enum class Dependency {
  tables,       // a table, and with number 1 those below it: what they are, whose, under which protection
  index,        // an index and its partitions: that each is unique for all rows that the snapshot sees
  column,       // whether the table's column of that number can be NULL
  reference,    // the column that the table's column of that number refers to, for who may read it
  declaration,  // what is declared for the expression `text` over a protected table
};

// The dependencies, and that one as it is now. All in the current memory context; nodes that a plan can hold.
List* with_dependency(List* dependencies, Dependency kind, Oid relation, int number = 0, const char* text = nullptr);

// The same of Dependency::tables, where it is known how the table is protected; nullptr: it is not.
List* with_tables(List* dependencies, Oid table, bool with_tables_below, const budget::Protection* protection);

// Whether they all are now what they were.
bool are_same(List* dependencies);

// Of a plan that was just made: its dependencies need not be looked up again if nothing was heard of since the first of
// them.
void remember_dependencies(const InnerQuery& inner_query);

// Raises 40001 unless all dependencies of the inner query are what they were.
void require_same_dependencies(const InnerQuery& inner_query);

}  // namespace dp::guard
