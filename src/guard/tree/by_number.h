// What stands at a place of somebody else's list: entries of a range table, target entries, names of columns.
//
// A tree that comes from outside may be shorter than its numbers say: names lack columns that a view was given later,
// target lists hold entries that are not shown. Where there is nothing at the place it is a fault of ours (fault.h),
// and not what lies behind the list. All numbers count from 1.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// In place of rt_fetch().
RangeTblEntry* entry_numbered(int number, const List* entries);

// The target entry in that place, which has that number.
TargetEntry* target_numbered(const List* targets, int number);

// What the entry calls its column.
char* column_name(const RangeTblEntry* entry, int number);

}  // namespace dp::guard
