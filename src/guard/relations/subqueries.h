// Subqueries in WHERE below private aggregates: EXISTS, IN, = ANY, ALL, what NOT makes of them, and single values.
//
// A subquery reads rows of the person whose the row above it is, and public tables. That is told as for a join
// (joins.h): if both were joined where the subquery's conditions hold, each protected table in it would be joined on
// the unit, or along a step of the path to it. So a person changes what subqueries say of that person's rows alone, and
// no limit is needed for the rows that are looked at: none of them is counted.
//
// Where it is x IN (SELECT y ...) that finds the person, as in o_orderkey IN (SELECT l_orderkey ...), the subquery
// reads rows of everybody, of which only those with x = y matter: but for NULL. Under NOT a y that is NULL would make
// nothing of all rows, and an x that is NULL would tell whether there are other rows at all. Therefore there a y that
// is NULL, which is in a row of nobody, is left out, and where x is NULL, nothing is said.
//
// What a subquery asks in its own WHERE is told in the same way, for the rows of that subquery and of all levels above
// it: whichever of their tables it is joined to on the unit.
//
// A single value is an aggregate without GROUP BY, or that of a row found by a unique key: PostgreSQL raises an error
// where there are two.
#pragma once

#include "guard/relations/protected_tables.h"

namespace dp::guard {

// In a condition a subquery's place is a column, of its number from 1, of this table, which there is not.
inline constexpr int kPlaceholders = 1 << 19;

struct Subquery {
  SubLink* link;  // over the tables of the levels above
  Query* level;   // what it asks, flattened, without what does not matter for it: DISTINCT, ORDER BY, columns in EXISTS
  Sources rows;   // of that, and all of its expressions over both (Sources::above)
  List* sublinks;            // Node: its conditions that ask subqueries, with places for them, over the tables of both
  List* sublinks_of_groups;  // the same of HAVING
  Expr* known;               // what must not be NULL, where a comparison under NOT finds the person; otherwise nullptr
};

// Finds the subqueries of conditions on the level's rows, or its groups, with facts about what they rely on: the
// conditions with places for them, for InnerQueryTables::sublinks or sublinks_of_groups. `around`: List*, of each
// condition the queries around it. Raises DP002 where one is not admitted.
List* find_subqueries(InnerQueryTables* tables, List* conditions, List* around, const InnerQueries& inner_queries);

// The same of one subquery that is no condition: it may be NULL, and that is not the same as not to be true.
Node* find_subquery(InnerQueryTables* tables, SubLink* subquery, List* around, const InnerQueries& inner_queries);

// Puts the subqueries, in the form in which they run, into their places in an expression that has been admitted. Raises
// DP002 unless all in them is total.
Node* put_subqueries(Node* admitted, const InnerQueryTables& tables, InnerQuery* what);

// Adds the conditions with subqueries to WHERE and HAVING of a query over the tables, in the form in which they run.
// Raises DP002 unless all in them is total.
void ask_subqueries(Query* query, const InnerQueryTables& tables, InnerQuery* what);

}  // namespace dp::guard
