// Whether a privacy unit hides whom it is meant to hide, as far as the schema can tell.
#pragma once

#include "budget/catalog/policy_rows.h"

namespace dp::budget {

// Warns where the unit's column is a foreign key to rows that are not persons: to a table with a privacy unit of its
// own in another column (WARNING), or to one that refers to others in turn (NOTICE).
void warn_about_unit(Oid relation, const UnitPolicy& unit);

}  // namespace dp::budget
