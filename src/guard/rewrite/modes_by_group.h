// The most frequent value of an expression whose values nobody has listed, where its groups are public all the same (a
// truth, whole numbers or days in a range) or can be chosen privately:
//
//   SELECT mode() WITHIN GROUP (ORDER BY city) FROM visits
//
//   WITH mode_1 AS (SELECT city FROM visits WHERE city IS NOT NULL GROUP BY city ORDER BY count(*) DESC, city LIMIT 1)
//   SELECT (SELECT city FROM mode_1)
//
// What comes out is a question that everybody could have asked, and is charged as one: its groups are known or chosen,
// and counted at the price of one answer. Which of these is shown is computed from the noisy counts alone: of several
// values that are counted alike the least; where none is chosen NULL.
#pragma once

#include "guard/rewrite/level.h"

namespace dp::guard {

// Puts these in the place of the level's calls of mode(), where it has no groups of its own and reads what the asker
// may not. Returns the new queries (Query), which are not split yet. The level may read nothing any more; a Level of it
// that was made before no longer holds.
List* ask_modes_by_group(Query* level, List* levels);

// Whether the level may have any.
inline bool may_ask_modes(const Query* level) {
  return level->hasAggs && level->groupClause == NIL && level->groupingSets == NIL && level->havingQual == nullptr;
}

}  // namespace dp::guard
