// Between which moments, spans and parts of moments expressions of dates and timestamps lie.
#pragma once

#include "guard/functions/meaning.h"
#include "guard/rewrite/parts.h"

namespace dp::guard {

// Of a call whose value is a date, a timestamp or an interval. Of intervals those alone have bounds that come from
// moments, or have no months.
bounds::Bounds bounds_of_moment(Meaning meaning, Node* call, List* arguments, Parts* parts);

// extract(field from x): what the field can be of x, or of any value of its type.
bounds::Bounds bounds_of_part(List* arguments, Parts* parts);

// Of a constant of these types.
bounds::Bounds bounds_of_moment(const Const* constant);

// Of current_date, now() and the like: as they are now, and for a month from now on, as long as a statement may stay
// prepared. Nothing for other nodes.
bounds::Bounds bounds_of_now(Node* node);

}  // namespace dp::guard
