// Functions that tools call on columns and that can fail, in a form that cannot: NULL in place of the error.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The expression with date_trunc, the casts of dates that come with it, and parts of a jsonb as text in their total
// forms (dp_trunc, dp_try_timestamptz, dp_internal.jsonb_text). The field of date_trunc must not depend on the row: a
// call of it on a constant is appended to `tried`, so that a field that does not exist is an error before any row is
// read. To `failing`, unless nullptr, the names (String) of the operators, functions and casts are added that can fail
// as they are written, each once.
Node* with_total_forms(Node* expression, List** tried, List** failing = nullptr);

// The name of the total form of a call that can fail; nullptr where it has none. The call in that form.
const char* total_form_of(Node* call);
Node* in_total_form(Node* call);

// What a person wrote for a call: an operator, a function's name, ::type.
char* written_name(Node* call);

}  // namespace dp::guard
