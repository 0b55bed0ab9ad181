// What an inner query may say: an allow-list of expressions that can raise no error about single rows, and show nothing
// of them.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// Checks of the whole expression, whose messages are the same wherever it stands: that it reads nothing but these
// tables, changes nothing and has a bounded size. Raises DP002.
void check_whole(Node* expression, const char* place);

// The expression over the inner query's tables as it is to run: with values in the place of parts that read no row
// (values.h), and with nothing in it that can grow beyond bounds (growth.h). Raises DP002 unless it is admitted.
// `place` names it in messages (WHERE, GROUP BY, an aggregate). Calls that cannot be judged before the values are known
// are noted in what->deferred_checks, collations in what->collations.
Node* admit(Node* expression, const char* place, InnerQuery* what);

// The same for an operator by which the inner query compares values of that expression.
void admit_comparison(Oid op, Node* expression, const char* place);

}  // namespace dp::guard
