// Of a row of a protected table several rows, by what it is joined to (joins.h): what its unit contributes then.
//
// They are rows of the row's unit, whose limits hold for them as for others. Where a unit has one row, or each row is
// one, it has as many as all lists together that are written in the query: so many count, and noise is for so many.
// Where nothing says how many, a session may (dp.max_rows_per_unit).
#pragma once

#include "guard/relations/protected_tables.h"

namespace dp::guard {

// Of tables whose units and limits are known. Raises DP002 where a unit would have any number of rows.
void count_fan_out(InnerQueryTables* inner_query, int location);

// What a row contributes that is a unit, and of which several become: to one group, where all that becomes of it is in
// one. Raises DP002 where groups are chosen privately: their rows would have to be as many units.
void count_rows_of_one(const InnerQueryTables& tables, const Query* query, InnerQuery* what);

}  // namespace dp::guard
