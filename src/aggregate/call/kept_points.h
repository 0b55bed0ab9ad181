// The points of rows (unit/point_list.h) as states of an aggregate that runs.
#pragma once

#include "aggregate/call/histogram_call.h"
#include "aggregate/unit/point_list.h"

namespace dp::aggregate {

// Adds the points to the list (nullptr: none yet) in the memory of states, and returns it. A file of it ends with them.
PointsState* keep_points(FunctionCallInfo fcinfo, PointsState* list, std::span<const std::uint32_t> points);

inline PointsState* keep_point(FunctionCallInfo fcinfo, PointsState* list, std::uint32_t point) {
  if (list == nullptr || list->used == list->room) [[unlikely]]
    return keep_points(fcinfo, list, {&point, 1});
  ++list->used;
  list->points().back() = point;
  return list;
}

// The transition of a row with that point: in a part of a privacy unit the row is kept, perhaps.
Datum keep_point_of_row(FunctionCallInfo fcinfo, const HistogramCall& call, std::int64_t point);

// The state of both, of which `own` may move; nullptr: none.
PointsState* combine_points(FunctionCallInfo fcinfo, PointsState* own, const PointsState& other);

// The points in a final function's state, in order.
const SortedPoints& final_points(FunctionCallInfo fcinfo);

}  // namespace dp::aggregate
