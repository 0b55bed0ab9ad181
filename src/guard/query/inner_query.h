// The inner query of a private query while it is made: what its release node must know, and the query itself.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// Where it is no inner query yet for another reason: limits are to be chosen for several grouping sets, or for answers
// of several kinds. Then it is several questions (rewrite/questions_apart.h).
enum class Apart : std::uint8_t { no, sets, kinds };

struct InnerQueryParts {
  InnerQuery what;
  Query* query;   // the inner query; its columns are the keys, then the answers
  List* keys;     // Node: the group keys as the level writes them; the i-th is column i + 1
  List* answers;  // Node: the level's different Aggrefs and GroupingFuncs, as seen from the level itself
  List* columns;  // int: the inner query's column of each of them
  List* moved;    // MovedAnswers*: of inner queries within `what.answers`
  // It is no inner query yet: limits of units are to be chosen for its groups, of which some are chosen privately. These
  // have to be known first (rewrite/listed_groups.h).
  bool groups_first;
  Apart apart;          // of groups that have to be known first: once they are
  List* counted_units;  // Node: values of its answers over DISTINCT that are the unit itself, as the level writes them
};

// An inner query that goes further in with an answer, and what its own answers are there: they stand beside it and not
// in the tree. They are so from when the query around is taken apart for good.
struct MovedAnswers {
  InnerQuery* of;
  List* answers;  // SubLink
};

}  // namespace dp::guard
