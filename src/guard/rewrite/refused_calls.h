// Calls of aggregates that lack what makes them private, and what to write instead.
#pragma once

#include "guard/relations/from_clause.h"
#include "guard/rewrite/value_bounds.h"

namespace dp::guard {

// Raises DP002: nothing says which epsilon `call` (the text of an aggregate's name) has.
[[noreturn]] void refuse_without_epsilon(const char* call, const Sources& sources, int location);

// Raises DP002 where each group of the level would be one person, and nobody has listed which: no epsilon would help.
void refuse_groups_of_persons(const Query* level, const Sources& sources);

// Raises DP002: the value of the aggregate has no bounds. `found` says which column has none; `asked` what
// they cannot be found privately for, nullptr where they never are.
[[noreturn]] void refuse_unbounded(const Aggref* aggregate, const ValueBounds& found, const Sources& sources,
                                   const char* asked = nullptr);

// Raises DP002: which values the argument of mode() can have, `over` the tables' columns, is not known.
[[noreturn]] void refuse_unlisted(const Node* over, const Sources& sources, int location);

}  // namespace dp::guard
