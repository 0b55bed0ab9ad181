// Parts of texts, matched by a pattern or between separators, as the simpler calls that they stand for.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// What (regexp_match(x, 'a(.)'))[1], regexp_substr, regexp_like and (string_to_array(x, '-'))[2] with constants stand
// for; else the node itself. Not what is below it.
Node* matched_by_pattern(Node* node);

// split_part(x, separator, number) where x has so many parts, else NULL; nullptr where the separator is too long or the
// number too large. An empty text has one part, or none.
Node* part_or_null(Node* value, const char* separator, int number, bool empty_has_one);

}  // namespace dp::guard
