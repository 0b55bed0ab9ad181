// What an expression does with the values of its parts: the one place that knows which of PostgreSQL's kinds of nodes
// hand a value on, choose one, show it or compute another.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

enum class Form : std::uint8_t {
  leaf,      // a column, a parameter, an answer, a condition, the time: no part of the expression tells its value
  constant,  // Const
  same,      // the value of the one part, perhaps as another type, or NULL in its place: x::domain, NULLIF(x, 0)
  one_of,    // the value of one of the parts: CASE, COALESCE; NULL where there are none
  extreme,   // the least or the greatest of the parts that are not NULL
  shown,     // the one part, through its text
  call       // of a function or an operator
};

struct Expression {
  Form form;
  List* parts = NIL;       // Node*
  List* conditions = NIL;  // of CASE: of each part when it is chosen, nullptr for ELSE
  Oid function = InvalidOid;
};

Expression taken_apart(Node* node);

// NULL for every row.
bool is_null_constant(const Node* node);

}  // namespace dp::guard
