// Which columns paths to the privacy unit (unit_path.h) lead over.
#pragma once

#include "budget/policy/accounts.h"

namespace dp::budget {

// The protected table whose unit the column tells, alone or as a part of the path; InvalidOid where there is none.
Oid table_of_unit_column(Oid relation, AttrNumber column);

// The text of the unit's path with another name for that column, where the path ends in it; nullptr where it does not.
const char* path_with_end_named(const Policy& policy, Oid relation, AttrNumber column, const char* name);

// Whether a column of the protected table says whose a row is: the unit itself, or a part of the first step.
bool says_whose(const Protection& protection, Oid table, AttrNumber column);

}  // namespace dp::budget
