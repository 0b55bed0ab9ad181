// Runs the subqueries that stand by themselves (query/public_rows.h).
#pragma once

#include "guard/query/private_query.h"
#include "guard/query/public_rows.h"

namespace dp::guard {

// The rows of each of the inner query's subqueries, which are computed as the asker, under the asker's settings, with
// the parameters and the snapshot of the outer execution. In the current memory context; nullptr where there are no
// subqueries. Without `runs` there are no rows. Raises what they raise, and DP002 where one has too many rows, or
// several that the columns by which it is joined do not tell apart.
PublicRows* run_public_subqueries(const InnerQuery& inner_query, const EState* outer, bool runs);

// Puts what the rows are into the values (evaluate_values) that stand for that.
void tell_rows_to(ParamListInfo values, const InnerQuery& inner_query, const PublicRows* rows);

// Gives back what they hold beside memory.
void end_public_rows(const PublicRows* rows, const InnerQuery& inner_query);

}  // namespace dp::guard
