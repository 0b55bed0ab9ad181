// What one privacy unit may contribute to an inner query.
#pragma once

#include "guard/query/inner_query.h"
#include "guard/rewrite/people.h"

namespace dp::guard {

// Whether a limit is chosen for an aggregate of the inner query, whose columns are all there.
bool chooses_limits(const InnerQueryParts& parts, const InnerQueryTables& tables, const People* people);

// Limits the inner query, of those tables, in which nothing but the columns of errors is missing (units.h), and notes
// by which collations units are told apart and their rows chosen. Does nothing but say so where groups have to be known
// first (InnerQueryParts). `people`: what it reads in place of the tables;
// nullptr: the tables.
void limit_by_unit(InnerQueryParts* parts, const InnerQueryTables& tables, const People* people);

}  // namespace dp::guard
