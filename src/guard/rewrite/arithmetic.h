// Arithmetic with private answers, above the noise: expressions that nobody wrote.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The node in that type, by an explicit cast where it has another one.
Node* coerced(Node* node, Oid type);

// PostgreSQL's own operator of that name over the type of the left operand.
Node* operation(const char* name, Node* left, Node* right);

Node* numeric_constant(Datum number);

// A numeric as a constant of that type.
Node* constant(Datum number, Oid type);

}  // namespace dp::guard
