// Parts of texts, matched by a pattern or between separators, as the simpler calls that they stand for.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// (regexp_match(x, 'a(.)'))[1] and (string_to_array(x, '-'))[2] with constants; else the node itself, not what is below
// it.
Node* part_by_pattern(SubscriptingRef* part);

// regexp_substr(x, p) by that function, substring(); regexp_like(x, p) and regexp_like(x, p, 'i') by that one, of ~ or
// ~*. The call itself where a pattern or flags are not known, or others.
Node* matched_text(FuncExpr* call, Oid substring);
Node* match(FuncExpr* call, Oid by);

// split_part(x, separator, number) where x has so many parts, else NULL; nullptr where the separator is too long or the
// number too large. An empty text has one part, or none.
Node* part_or_null(Node* value, const char* separator, int number, Oid split_part, bool empty_has_one);

}  // namespace dp::guard
