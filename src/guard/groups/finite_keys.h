// Keys that have few values whatever they read, so that nothing has to be declared: CASE with constant branches, the
// day of the week or the hour of a moment, the bucket of a number, what the question lists the values of, and
// what is computed from one of these.
#pragma once

#include "guard/groups/asked_values.h"

namespace dp::guard {

// What a CASE chooses from (expressions that read no row); NIL where the key is none, or one of these reads a row.
List* choices_of(Node* key);

// The values of the key (expressions that read no row, and lists of one array of values; some may be equal); NIL where
// they are not known in this way. `nullable`: those of its columns (Var) that can be NULL. `conditions` hold for every
// row that counts.
List* finite_values(Node* key, const List* nullable, const AskedConditions& conditions);

}  // namespace dp::guard
