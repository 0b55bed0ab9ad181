// What an expression does with the values of its parts: the one place that knows which of PostgreSQL's kinds of nodes
// hand a value on, choose one, show it or compute another.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

enum class Form : std::uint8_t {
  leaf,       // a column, a parameter, an answer, the time: no part of the expression tells its value
  constant,   // Const
  same,       // the value of the one part, perhaps as another type: x::domain, NULLIF(x, 0)
  one_of,     // the value of one of the parts: CASE, COALESCE; of COALESCE one that is not NULL, where there is one
  extreme,    // the least or the greatest of the parts that are not NULL
  shown,      // the one part, through its text
  call,       // of a function or an operator
  test,       // true or false, also of parts that are NULL: IS NULL, IS TRUE, IS DISTINCT FROM
  connected,  // AND, OR, NOT
  among       // an operator between the one part and the elements of the other: x = ANY (y), x IN (1, 2)
};

struct Expression {
  Form form;
  List* parts = NIL;       // Node*
  List* conditions = NIL;  // of CASE: of each part when it is chosen, nullptr for ELSE
  Oid function = InvalidOid;
  bool or_null = false;  // NULL in its place, whatever the parts are: NULLIF, CASE without ELSE
};

Expression taken_apart(Node* node);

// NULL for every row.
bool is_null_constant(const Node* node);

}  // namespace dp::guard
