// PostgreSQL's own window functions that cannot fail, over the rows of one person (relations/per_unit_windows.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Raises DP002 unless the call, of a function that is no aggregate, is of a known one, with a constant for what would
// fail at a row: the number of ntile() and nth_value(), and of rows between which lag() and lead() look.
void require_total_window(const WindowFunc* call);

// Whether what the call gives depends on the order of rows that ORDER BY does not tell apart. `frame`: of its window.
bool takes_rows_in_order(const WindowFunc* call, int frame);

// Whether a frame with these ends cannot fail: offsets are constants, not NULL and not negative; by RANGE they are
// numbers, or intervals that no moment within far_ends() overflows by.
bool is_total_frame(int frame, const Node* start, const Node* end, Oid start_in_range, Oid end_in_range);

// The moment, a date or a timestamp, kept from where an interval of is_total_frame() could overflow.
Expr* within_far_ends(Expr* moment);

}  // namespace dp::guard
