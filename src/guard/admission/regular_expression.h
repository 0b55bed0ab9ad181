// Regular expressions that may be matched with the texts of a protected table.
#pragma once

#include "guard/admission/total_functions.h"

namespace dp::guard {

// The verdict on matching with that pattern, which must be a constant, plain (total_functions/regular_expressions.h)
// and well formed: otherwise PostgreSQL's own error is raised, here and not at the first row. `groups`: whether (...)
// may be in it. NULL matches nothing.
struct Matching {
  Oid collation;  // of the call; InvalidOid: the default one
  bool ignores_case;
};
Verdict judge_regular_expression(Node* pattern, bool groups, const Matching& matching);

// dp_internal.is_plain_pattern(text): true; raises DP002 for a pattern that judge_regular_expression() refuses without
// groups. For patterns that are not known while a query is planned.
Oid pattern_check();

}  // namespace dp::guard
