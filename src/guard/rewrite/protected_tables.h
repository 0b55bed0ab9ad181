// Which tables an inner query reads, under which protection.
#pragma once

#include "budget/policy/accounts.h"
#include "guard/query/private_query.h"
#include "guard/rewrite/unit_columns.h"
#include "guard/unit_limit/chosen_rows.h"

namespace dp::guard {

struct InnerQueryTables {
  Sources sources;    // the first table is protected, and never missing
  List* protections;  // const Protection*: of each table, nullptr for public ones
  List* partners;     // int: the other protected tables
  const char* unit;   // names the unit of the first, nullptr where each row is one
  UnitLimits limits;  // that hold for the tables together, in this session
  List* kept;         // const KeptBy*: which rows of a unit the tables with a limit keep
  UnitColumns units;  // of each
  bool one_row;       // a unit has one row at most
  List* facts;        // what that relies on, as guard/query/facts.h has it

  const budget::Protection& protection(int table) const {
    return *static_cast<const budget::Protection*>(list_nth(protections, table - 1));
  }

  // What the policies say of the unit, to be compared with later: its path and the limits of each protected table.
  List* unit_numbers() const;
};

// The protections (const Protection*) of an inner query's protected tables as they are now. Raises 40001 where
// something has changed since it was made, and DP002 where a unit's column is gone or its path cannot be followed.
List* current_protections(const InnerQuery& inner_query);

// The tables of a level with those private aggregates; nothing where it reads no protected one below them. Raises DP002
// where it reads one in a way that is not admitted.
std::optional<InnerQueryTables> inner_query_tables(Query* level, List* levels, List* aggregates,
                                                   const InnerQueries& inner_queries);

}  // namespace dp::guard
