// Bounds of expressions whose values are listed: declared, or those of a column of listed values.
#pragma once

#include <optional>

#include "budget/policy/domains.h"
#include "core/bounds/interval.h"
#include "guard/relations/from_clause.h"

namespace dp::guard {

// The values that a column of those tables can have, as they are declared or as its type names them.
std::optional<budget::Domain> public_values(const Var* column, const Sources& sources);

// These values of that type as an array.
Const* as_array(const budget::Domain& domain, Oid type, Oid collation);

// The public values of what is a column of those tables, as an array; nullptr where it is none, or has none.
Const* listed_values(Node* column, const Sources& sources);

// Of an expression over those tables whose values are declared, or which has one for each public value of the one
// column that it reads. Its value must be a number.
bounds::Bounds bounds_of_declared(Node* expression, const Sources& sources);

// The lower (-1) or upper (1) end of the range that is declared of the column, as a constant; nullptr where none is.
Node* end_of_column(const Var* column, int extreme, const Sources& sources);

}  // namespace dp::guard
