// Which values a group key can have where it is computed from columns whose values are public: its image. It follows
// from what is declared of these columns, from the schema, and from the rows of public tables, never from those of
// protected ones.
//
// The image is computed when an execution begins, in the session's time zone and under its settings: the key is
// evaluated at every point of its columns (key_points.h), of whatever tables these are.
#pragma once

#include <optional>

#include "budget/policy/domains.h"
#include "guard/groups/values_from_quals.h"
#include "guard/query/public_rows.h"
#include "guard/relations/from_clause.h"

namespace dp::guard {

// What is needed to compute the image: a list of nodes that a plan can hold; NIL where the key has no image. A key that
// reads no row is its own. `key` and `conditions` (a list; all hold for every row that counts) as they run, `written`
// as the key is written, over the tables of the sources.
List* image_of_key(Node* key, Node* written, const Sources& sources, List* conditions);

// The same of one that chooses between constants; NIL for another one.
List* image_of_choice(Node* key);

// The same at the points of its columns alone, some of which are Sources::computed.
List* image_over_computed(Node* key, const Sources& sources, List* conditions);

// The same of a key that is made from what a subquery computed: where it has few values whatever it reads
// (small_codomain.h).
List* image_of_computed_key(Node* key, const KeyQuals& conditions);

// Whether there is an image for that role, too; and whether it is computed from rows of subqueries.
bool has_image(List* image, Oid asker);
bool is_of_subqueries(List* image);

struct Image {
  budget::Domain values;
  bool with_null;  // the key can be NULL as well
};

// The image; nothing where a column's values are public no longer. Computes expressions in `estate`, which has the
// values of the inner query's parameters. `text`: the key in a message; `rows`: of the subqueries that are run by
// themselves. Raises DP002 where there is too much to look at.
std::optional<Image> compute_image(List* image, const char* text, Oid asker, const PublicRows* rows, EState* estate);

// What is kept of the values of one key so far.
struct KeptValues {
  const char* key;  // in a message
  Size bytes = 0;
};

// The value copied out of the memory in which it was computed, in the form in which nothing is stored elsewhere. Raises
// DP002 where more than kMostPublicBytes are kept with it.
Datum own_copy(Datum value, int16 length, bool by_value, KeptValues* kept);

}  // namespace dp::guard
