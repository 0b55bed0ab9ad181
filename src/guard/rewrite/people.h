// Questions about people: below private aggregates a subquery, CTE or view may group protected rows by their privacy
// unit, alone or with further keys, and use PostgreSQL's own aggregates.
//
// What these compute of a person's rows is a value like a column's: it is no answer, and nobody is shown it. Grouped by
// the unit alone each person has one row, whatever the table's limits: nothing is limited, and the noise is that of one
// row. With further keys the rows of a person are limited as those of a table are. All rows of a person count in what
// is computed of them. The aggregates are total (admission/total_aggregates.h), the joins below are those that
// joins.h admits, and rows that belong to nobody are in no group.
//
// It must be all that a level reads, behind choices of rows and columns. A subquery with private aggregates of its own,
// or under a level that is not private, is an answer as before.
#pragma once

#include "guard/tables/protected_tables.h"

namespace dp::guard {

struct People {
  Query* level;             // the grouped subquery, flattened, with its keys in groupClause
  Sources rows;             // of the level above: table 1 is that subquery
  InnerQueryTables tables;  // of the subquery
  AttrNumber unit;          // its column that names the unit, from 1
  bool alone;               // a unit has one row
};

// What the level, which has private aggregates or is to have them, asks of people; nothing where it reads other things.
// Raises DP002 where the tables below cannot be asked.
std::optional<People> people_below(Query* level, List* levels, const InnerQueries& inner_queries);

// The subqueries (Query) of that kind below all levels of a query, and those that the WHERE of a level asks which reads
// what only private aggregates may read: their aggregates are no answers.
List* all_people(Query* query, const InnerQueries& inner_queries);

// The column of the subquery as an expression over its tables, where it is a key; nullptr where it is computed.
Node* key_of_people(const People& people, AttrNumber column);

}  // namespace dp::guard
