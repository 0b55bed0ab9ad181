// What stands at a place of somebody else's list: entries of a range table, target entries, names of columns.
//
// A tree that comes from outside may be shorter than its numbers say: names lack columns that a view was given later,
// target lists hold entries that are not shown. Where there is nothing at the place it is a fault of ours (fault.h),
// and not what lies behind the list. All numbers count from 1.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// What stands there; nullptr: nothing.
inline void* at_number(int number, const List* list) {
  return number < 1 || number > list_length(list) ? nullptr : list_nth(list, number - 1);
}

[[noreturn]] void refuse_entry(int number, const List* entries);

// In place of rt_fetch().
inline RangeTblEntry* entry_numbered(int number, const List* entries) {
  auto* const entry = static_cast<RangeTblEntry*>(at_number(number, entries));
  if (entry == nullptr || !IsA(entry, RangeTblEntry)) refuse_entry(number, entries);
  return entry;
}

[[noreturn]] void refuse_target(const List* targets, int number);

// The target entry in that place, which has that number.
inline TargetEntry* target_numbered(const List* targets, int number) {
  auto* const entry = static_cast<TargetEntry*>(at_number(number, targets));
  if (entry == nullptr || !IsA(entry, TargetEntry) || entry->resno != number) refuse_target(targets, number);
  return entry;
}

// What the entry calls its column.
char* column_name(const RangeTblEntry* entry, int number);

}  // namespace dp::guard
