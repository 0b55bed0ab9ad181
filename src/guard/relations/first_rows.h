// The first of the rows that a LATERAL subquery finds, LIMIT 1, taken before any row is joined.
//
// Where rows are found by equalities it is the first for each value: DISTINCT ON in place of LIMIT 1.
//
// Where they are found by a comparison besides, in the order of the column that is compared, it is the nearest one, of
// rates at a day for example:
//
//   LATERAL (SELECT rate FROM rates r WHERE r.kind = v.kind AND r.since <= v.day ORDER BY r.since DESC LIMIT 1) x
//
// For each kind and each moment it is the first row with these. Beside it stands the moment of the next one, and a row
// finds it where the comparison holds for it and not for the next: r.since <= v.day AND (next <= v.day) IS NOT TRUE. So
// a row finds one at most.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// The column of a subquery that the condition says to be equal to something around it; nullptr for others.
Var* compared_column(Node* condition);

// The column of the subquery that shows the value, which is added where there is none.
TargetEntry* column_for(Var* value, Query* subquery);

// Whether the query ends with LIMIT 1.
bool takes_first(const Query* subquery);

// Lets the subquery have one row for each of the values that it is found by. False where one of the conditions (of the
// subquery) is no equality of its columns.
bool take_first_of_each(Query* subquery, List* conditions);

// Whether DISTINCT ON in the subquery was LIMIT 1.
bool is_first_of_each(const Query* subquery);

// A subquery whose rows have the next value beside them.
struct Nearest {
  Query* shown;      // in the place of the subquery, whose columns it has
  Node* comparison;  // that of the conditions which is none of equality
  AttrNumber column, next;
};

// Prepares the subquery for that. False where the conditions are other ones, or the order is another.
bool take_nearest(Query* subquery, List* conditions, Nearest* nearest);

// The condition that the comparison, which is one of the level now, does not hold for the next row. `number`: of the
// subquery's entry.
Node* not_next_either(const Nearest& nearest, Node* comparison, int number);

// Whether take_nearest() made the subquery.
bool finds_one(const Query* subquery);

}  // namespace dp::guard
