// Which values a group key can have where it is computed from columns whose values are public: its image. It follows
// from what is declared of these columns, from the schema, and from the rows of public tables, never from those of
// protected ones.
//
// The image is computed when an execution begins, in the session's time zone and under its settings: the key is
// evaluated on every combination of points of its columns. The points of a column are all its values (listed ones, the
// days or whole numbers of a range), or, of a range of timestamps and of real numbers, one in each of the cells in
// which the key does not change: date_trunc('month', x) is the same for all moments of a day.
#pragma once

#include <optional>

#include "budget/policy/domains.h"
#include "guard/query/private_query.h"

namespace dp::guard {

// A key that reads no row is its own image.
//
// What is needed to compute the image: a list of nodes that a plan can hold; NIL where the key has no image. `key` and
// `conditions` (a list; all hold for every row) as they run, over the tables of `entries`; the key reads the table
// `number` alone. `role`: whose permissions hold for that table.
// `nulls`: those of its columns (Var) that can be NULL.
List* image_of_key(Node* key, int number, List* entries, List* conditions, List* nulls, Oid role);

// The same of a key that has few values whatever it reads (finite_keys.h), of several tables or of none.
List* finite_image(Node* key, List* nulls);

// Whether there is an image for that role, too.
bool has_image(List* image, Oid table, Oid role);

struct Image {
  budget::Domain values;
  bool with_null;  // the key can be NULL as well
};

// The image; nothing where a column's values are public no longer. Computes expressions in `estate`, which has the
// values of the inner query's parameters.
std::optional<Image> compute_image(List* image, Oid table, Oid role, EState* estate);

// The value copied out of the memory in which it was computed, in the form in which nothing is stored elsewhere.
Datum own_copy(Datum value, int16 length, bool by_value);

}  // namespace dp::guard
