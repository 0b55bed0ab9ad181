// What conditions leave of a column's range once their values are known, when an execution starts:
//
//   WHERE at >= now() - interval '30 days'    WHERE at + $1 >= current_date    WHERE extract(epoch FROM at) >= $1
//
// Nothing is solved for the column: whatever is computed from it, if it only goes up, or only goes down, with the
// column, then it is compared as it runs, and the place where the comparison becomes true is found by halving.
//
// What goes through a time zone goes back where clocks do, and months have different lengths: of two moments the later
// one may then be compared as if it were the earlier one. How far apart such two can be is added as a margin, so that
// all that the condition may let through is within the ends.
#pragma once

#include "guard/groups/key_cells.h"

namespace dp::guard {

// Narrows the range. `conditions` (all hold for every row that counts; those that say nothing of it are passed over)
// read the column of that number, from 1, of the row alone, and the parameters of `estate`.
void narrow_at_start(Cells* cells, List* conditions, AttrNumber column, TupleTableSlot* row, EState* estate);

}  // namespace dp::guard
