// What is known of a count that a subquery computes of each person without being asked for: that it is not negative.
// So WHERE n < 10 alone lists the values of a key.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// The conditions of the sources as they are written, and for each column of the key that counts a person's rows that it
// is 0 or more; a list of its own. A row that finds no person has NULL there, and fails both.
List* conditions_and_counts(Node* key, const Sources& sources);

}  // namespace dp::guard
