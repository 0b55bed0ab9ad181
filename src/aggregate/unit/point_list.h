// The points of rows as transition states of PostgreSQL (core/accumulate/points.h): in memory as far as PostgreSQL's
// limit for hash tables reaches, else in a temporary file.
//
// A list that cannot grow is sorted and written as a run behind those before it. At the end the runs are merged into
// one file, of which a block at a time is read. A file belongs to the resource owner, which ends it after an error;
// else end_points() does.
#pragma once

#include "core/accumulate/points.h"
#include "pg/server.h"

namespace dp::aggregate {

// Adds points to a list in that memory, where all of its kind are; nullptr: there is none yet. Returns the list, which
// may have moved. Their file, if one is made: *made.
PointsState* add_points(MemoryContext memory, PointsState* list, std::span<const std::uint32_t> more,
                        PointFile** made = nullptr);

inline PointsState* add_point(MemoryContext memory, PointsState* list, std::uint32_t point,
                              PointFile** made = nullptr) {
  if (list == nullptr || list->used == list->room) [[unlikely]]
    return add_points(memory, list, {&point, 1}, made);
  ++list->used;
  list->points().back() = point;
  return list;
}

// How many points the list has in all.
std::uint64_t size_of(const PointsState& list);

// The list as it is shipped: all of its points, of no particular order, none in a file. In the current memory; itself
// where it has no file.
const PointsState* whole_points(const PointsState* list);

// The points of a list (nullptr: of none) in order; in the current memory. The list is put in order, too.
const SortedPoints* sorted_points(PointsState* list);

// Ends the file, with which the list's points are gone; nullptr: there is none.
void end_points(PointFile* file);

}  // namespace dp::aggregate
