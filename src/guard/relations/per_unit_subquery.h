// A subquery that groups protected rows by their privacy unit, alone or with further keys, or looks through windows at
// the rows of one (per_unit_windows.h): its rows are people's, and what it computes of each is a value like a column's
// (rewrite/per_unit_below.h).
//
// It may be all that a level reads, or stand beside tables, joined as a protected table is: on the unit. There it is a
// protected table of its own, of which a unit has one row where it groups by the unit alone, as one with a unique index
// on the unit; with further keys the limits of the tables that it reads hold.
#pragma once

#include "guard/relations/protected_tables.h"

namespace dp::guard {

struct PerUnitSubquery {
  Query* level;             // the grouped subquery, flattened, with its keys in groupClause
  InnerQueryTables tables;  // of the subquery
  AttrNumber unit;          // its column that names the unit, from 1
  bool alone;               // a unit has one row
  Bitmapset* unit_names;    // the references (ressortgroupref) of all its entries that do
  int left = 0;             // conditions beside it leave so many rows of a unit; 0: any number (per_unit_windows.h)

  // Its column of that name, of which no row is without a value. `table`: its number.
  Var* unit_at(int table) const;
};

// SELECT DISTINCT is a grouping by all columns, but for windows, which look at the rows before.
void group_by_distinct(Query* level);

// What a grouped subquery (flattened) is per-unit; nothing where it groups by something else than the unit.
// `around`: the queries around its parts. `answers`: SingleAnswer*, those that its own are to come behind. Its
// conditions on groups are not looked at (per_unit_conditions.h). `sources`: of the subquery. Raises DP002 where the
// tables below cannot be asked.
std::optional<PerUnitSubquery> per_unit_subquery(Query* grouped, List* around, const Sources& sources,
                                                 const InnerQueries& inner_queries, List* answers);

// The column of the subquery as an expression over its tables, where it is a key; nullptr where it is computed.
Node* per_unit_key(const PerUnitSubquery& per_unit, AttrNumber column);

// Tells the subqueries that stand beside tables how many rows a person has in what they read, as far as limits say.
// Raises DP002 as per_unit_subquery().
void find_limits(Sources* sources, const InnerQueries& inner_queries);

// Marks a grouped subquery as one that is per-unit and is a table of who reads it.
void mark_as_per_unit(Query* grouped);
bool is_marked_as_per_unit(const Query* query);

// Finds what the subqueries ask that are marked among the tables. Raises DP002 as per_unit_subquery().
void find_per_unit(InnerQueryTables* tables, const InnerQueries& inner_queries, int location);

}  // namespace dp::guard
