// Keys that have few values whatever they read, so that nothing has to be declared: CASE with constant branches, what
// is a number between others by its definition (the day of the week, a bucket, a rest), what the question lists the
// values of, and what is computed from one of these.
#pragma once

#include "guard/groups/values_from_quals.h"

namespace dp::guard {

// What a CASE chooses from (expressions that read no row); NIL where the key is none, or one of these reads a row.
List* choices_of(Node* key);

// The values of the key (expressions that read no row, and lists of one array of values; some may be equal); NIL where
// they are not known in this way. `conditions` hold for every row that counts. `by_definition`: also those that follow
// from the functions alone, of a key of whose columns nothing else is known, not even that they are not NULL.
List* small_codomain(Node* key, const KeyQuals& conditions, bool by_definition);

}  // namespace dp::guard
