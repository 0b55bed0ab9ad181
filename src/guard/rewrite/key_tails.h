// From which value of a column on a group key changes no longer: LEAST(n, 10), CASE WHEN n > 4 THEN 'often' ELSE
// n::text END. So its values are known of a count that has no upper end.
#pragma once

#include <optional>

#include "pg/planner.h"

namespace dp::guard {

// Nothing where it may change anywhere. `column`: of whole numbers.
std::optional<double> settled_from(Node* key, const Var* column);

}  // namespace dp::guard
