// Between which moments, spans and parts of moments expressions of dates and timestamps lie: dates in days, timestamps
// and the time between them in microseconds, since 2000.
#pragma once

#include "guard/facts/evaluator.h"
#include "guard/functions/meaning.h"

namespace dp::guard {

// Of a call whose value is a date, a timestamp or an interval. Of intervals those alone have bounds that come from
// moments, or have no months.
bounds::Bounds bounds_of_moment(Meaning meaning, Oid type, List* arguments, Evaluator* parts);

// extract(field from x): what the field can be of x, or of any value of its type.
bounds::Bounds bounds_of_part(Node* field, Node* of, Evaluator* parts);

// What the field can be of any value of the type; nothing of intervals.
bounds::Bounds bounds_of_any_part(List* arguments);

// Of a constant of these types.
bounds::Bounds bounds_of_moment(const Const* constant);

}  // namespace dp::guard
