// Expressions of a level of views, subqueries and CTEs, written over the tables that its FROM shows (from_clause.h).
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// How large the expression is over the tables. `items`: FromItem*, of the level.
ExpressionSize size_over_tables(Node* expression, List* items);

// A copy in which the columns of the items are what these show. It is not too large.
Node* put_over_tables(Node* expression, List* items);

}  // namespace dp::guard
