// Group keys that are made of what a subquery computes of each person: which values they can have.
//
//   SELECT date_trunc('month', first), count(*)
//   FROM (SELECT person, min(day) AS first FROM visits GROUP BY person) p GROUP BY 1
//
// The least, the greatest and the mean of a person lie where the values may that they are of, by what is declared of
// these: so the key has an image, as if they were columns with that range (groups/key_images.h). A count, which has no
// upper end, needs none where the key does not change beyond some value (key_tails.h). What the question puts between
// two ends lies there. Nothing of it comes from rows: a value elsewhere is in no group, as that of a column.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// The image of the key, as image_of_key() has it; NIL where it is not known. `key` and `certain` (all hold) as they
// run, over the sources. `tables`: their range table as it runs, with the subqueries in it. Columns on whose ranges it
// rests are added to the facts.
List* image_of_per_unit_key(Node* key, const Sources& sources, List* tables, List* certain, List** facts);

}  // namespace dp::guard
