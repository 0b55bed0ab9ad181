// No call below the noise may ask for much memory: running out of memory would be an error that comes if and only if
// some row gets there.
//
// Each admitted function says how large its result and its memory can get (functions/function_facts.h). For nested
// calls these bounds are composed, from the largest that values and columns can be: 1 MB for a value, what its type
// allows for a column (varchar(20) is short, a text has up to 1 GB). Where a call could pass 16 MB its arguments are
// capped: one of more than 1 MB counts as NULL.
//
// So `lower(x)` over a text column is lower(dp_internal.capped(x)), and an index on lower(x) does not serve it;
// comparisons and others that only read their arguments stay as they are written.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

// Caps arguments within the expression, which has been admitted, where that is needed: in place.
void bound_growth(Node* expression);

// The most bytes of a value that the expression makes. What it only hands on (a column, also through COALESCE) counts
// for nothing: its value stays where it is stored. Of an aggregate, those of a text that it keeps.
std::int64_t most_bytes_made(Node* expression);

// Group keys that are computed stand in one row together. Raises DP002 where what is made for them could have more than
// 256 MB.
void require_short_together(List* keys);

}  // namespace dp::guard
