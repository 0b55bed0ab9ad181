// Calls that the guard writes, and looks for: PostgreSQL's casts and operators by their types, and what gives the time.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The expression in that type, by the function of PostgreSQL's cast.
FuncExpr* cast_to(Oid type, void* expression, CoercionForm form = COERCE_EXPLICIT_CALL);

// What the node casts to that type by a function, a number or a moment; nullptr where it is no such cast.
Node* cast_from(Node* node, Oid type);

// The function of PostgreSQL's operator of that name, called.
FuncExpr* computed(const char* op, void* left, void* right);

// now(), or what gives the same.
bool is_now(const Node* node);

}  // namespace dp::guard
