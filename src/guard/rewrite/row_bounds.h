// Bounds of values that are computed from what is known when an execution begins: from parameters, cost * $1, and from
// columns of public rows of which nothing is declared:
//
//   SELECT sum(v.cost * d.rate) FROM visits v JOIN (SELECT ward, max(rate) AS rate FROM wards GROUP BY ward) d
//   USING (ward)
//
// What such a column holds may be looked at: in the rows of a subquery that is run by itself, and in a table that is
// not protected, of at most as many rows as those whose values make groups. So its range is theirs, whichever of them
// protected rows find. It is found when an execution begins, before anything is charged, and stands in the call as its
// bounds, and so in the question.
#pragma once

#include "guard/query/private_query.h"
#include "guard/query/public_rows.h"
#include "guard/relations/from_clause.h"
#include "guard/rewrite/aggregate_text.h"
#include "guard/rewrite/value_bounds.h"

namespace dp::guard {

// While a private call is made: its two bounds (Node), which are told apart from those of other calls below; NIL where
// rows would not give any. `expression`, `filter` as bounds_of() takes them, which gave `found`: where the bounds come
// from, or what column is open still, is put there.
List* bounds_with_rows(Node* expression, Node* filter, const Sources& sources, ValueBounds* found);

// Notes how the bounds of the call, which is over the tables of the sources and has such, are found. `names`: for
// messages. Raises DP002 where it reads more than these tables.
void note_row_bounds(Aggref* call, const ColumnNames& names, const Sources& sources, InnerQuery* what);

// Puts the bounds into the values (evaluate_values) that stand for them. Raises DP002 where there are none.
void tell_row_bounds(ParamListInfo values, const InnerQuery& inner_query, const PublicRows* rows);

}  // namespace dp::guard
