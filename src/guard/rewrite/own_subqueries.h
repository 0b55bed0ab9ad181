// Subqueries that are run by themselves (query/public_rows.h), as an inner query and its question know them.
#pragma once

#include "guard/relations/protected_tables.h"

namespace dp::guard {

// Notes those of the tables, and the facts that they rely on: that what they read is not protected.
void add_subqueries(InnerQuery* what, const InnerQueryTables& tables);

// Puts into a question what the rows of the subqueries (PublicSubquery) are: the parameters that stand for that.
void tell_rows(Query* question, List* subqueries);

}  // namespace dp::guard
