// A subquery that groups protected rows by their privacy unit, alone or with further keys, or looks through windows at
// the rows of one (person_windows.h): its rows are people's, and what it computes of each is a value like a column's
// (rewrite/people.h).
//
// It may be all that a level reads, or stand beside tables, joined as a protected table is: on the unit. There it is a
// protected table of its own, of which a unit has one row where it groups by the unit alone, as one with a unique index
// on the unit; with further keys the limits of the tables that it reads hold.
#pragma once

#include "guard/relations/protected_tables.h"

namespace dp::guard {

struct PeopleRows {
  Query* level;             // the grouped subquery, flattened, with its keys in groupClause
  InnerQueryTables tables;  // of the subquery
  AttrNumber unit;          // its column that names the unit, from 1
  bool alone;               // a unit has one row
  Bitmapset* unit_names;    // the references (ressortgroupref) of all its entries that do
  int left = 0;             // conditions beside it leave so many rows of a unit; 0: any number (person_windows.h)

  // Its column of that name, of which no row is without a value. `table`: its number.
  Var* unit_at(int table) const;
};

// SELECT DISTINCT is a grouping by all columns, but for windows, which look at the rows before.
void group_by_distinct(Query* level);

// What a grouped subquery (flattened) asks of people; nothing where it groups by something else than the unit.
// `around`: the queries around its parts. `answers`: SingleAnswer*, those that its own are to come behind. Its
// conditions on groups are not looked at (people_conditions.h). `sources`: of the subquery. Raises DP002 where the
// tables below cannot be asked.
std::optional<PeopleRows> people_rows(Query* grouped, List* around, const Sources& sources,
                                      const InnerQueries& inner_queries, List* answers);

// The column of the subquery as an expression over its tables, where it is a key; nullptr where it is computed.
Node* key_of_people(const PeopleRows& people, AttrNumber column);

// Tells the subqueries that stand beside tables how many rows a person has in what they read, as far as limits say.
// Raises DP002 as people_rows().
void find_limits(Sources* sources, const InnerQueries& inner_queries);

// Marks a grouped subquery as one that asks of people and is a table of who reads it; or takes the mark away.
void mark_as_people(Query* grouped, bool is_table);
bool is_marked_as_people(const Query* query);

// Finds what the subqueries ask that are marked among the tables. Raises DP002 as people_rows().
void find_people(InnerQueryTables* tables, const InnerQueries& inner_queries, int location);

}  // namespace dp::guard
