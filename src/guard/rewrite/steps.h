// The steps over a whole statement, before its levels are split and after. steps.cpp has them in one table, in their
// order, each with the traits of the statements that it concerns: the others it is not entered for.
#pragma once

#include "guard/query/private_query.h"
#include "guard/rewrite/traits.h"

namespace dp::guard {

// Writes what is written in one form in the form that is asked, in place. `traits`: of the statement; returns those
// that it has then.
Traits take_steps(Query* statement, Traits traits);

// The same for a statement that is only shown: now() stays as it was written.
Traits take_steps_to_show(Query* statement);

// Above the noise, once levels have been split. `written`: the traits before. Raises DP002 where an error is asked of
// something else than an answer.
void take_last_steps(Query* statement, Traits written, const InnerQueries& inner_queries);

}  // namespace dp::guard
