// Counts of different values that are public: nobody adds more of them than there are, and no answer is larger.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// An aggregate over DISTINCT values of a column whose values are declared, or are those of an enum: a copy that reads
// no others, as there is no group for them. Others as they are. Over those tables.
Aggref* of_public_values(Aggref* aggregate, const Sources& sources);

// The most that a count of DISTINCT values over those tables can be, as what is declared and conditions say; 0: any
// number.
int most_counted(const Aggref* aggregate, const Sources& sources);

}  // namespace dp::guard
