// How many different values an aggregate over DISTINCT values can come across at most, because conditions list them: a
// unit adds no more of them than there are, whatever rows it has.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// `conditions` hold for every row that counts: an expression or a list of them, over the same tables as the aggregate.
// 0: they do not list the values. Values are told apart as the aggregate does. `values`: Expr: what parameters stand
// for.
int most_distinct(const Aggref* aggregate, Node* conditions, const List* values = NIL);

// The same (int) of each private aggregate of the finished inner query, but for its column of that number; NIL where
// none of them has such a number.
List* most_distinct(const Query* inner_query, int count_column, const List* values);

// "; dp_count(DISTINCT ward, 0.1): 4 values at most", of those for which that is less than the rows that may count.
const char* distinct_text(const InnerQuery& inner_query);

}  // namespace dp::guard
