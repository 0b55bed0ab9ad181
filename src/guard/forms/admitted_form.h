// An expression of a level in the form in which the inner query runs it.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// The expression over the inner query's tables in its total form, admitted, with values in the place of parts that read
// no row; `total`, unless nullptr, gets the form before that. `place` names it in messages. Raises DP002 unless it is
// admitted. The expression is changed.
Node* admitted_form(Node* expression, const char* place, InnerQuery* what, Node** total = nullptr);

}  // namespace dp::guard
