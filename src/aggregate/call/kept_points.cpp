#include "aggregate/call/kept_points.h"

#include "aggregate/call/unit_sample.h"
#include "pg/errors.h"

namespace dp::aggregate {

PointsState* keep_points(FunctionCallInfo fcinfo, PointsState* list, std::span<const std::uint32_t> points) {
  PointFile* made = nullptr;
  list = add_points(state_memory(fcinfo), list, points, &made);
  const auto end = [](Datum file) { end_points(reinterpret_cast<PointFile*>(DatumGetPointer(file))); };
  if (made != nullptr) AggRegisterCallback(fcinfo, end, PointerGetDatum(made));
  return list;
}

Datum keep_point_of_row(FunctionCallInfo fcinfo, const HistogramCall& call, std::int64_t point) {
  if (call.sample > 0) return keep_row(fcinfo, call, point);
  PointsState* const list = PG_ARGISNULL(0) ? nullptr : &own_state<PointsState>(fcinfo);
  PG_RETURN_POINTER(keep_point(fcinfo, list, static_cast<std::uint32_t>(point)));
}

PointsState* combine_points(FunctionCallInfo fcinfo, PointsState* own, const PointsState& other) {
  return keep_points(fcinfo, own, whole_points(&other)->points());
}

const SortedPoints& final_points(FunctionCallInfo fcinfo) {
  const State* const state = final_state(fcinfo, Tag::points);
  auto* const list = static_cast<PointsState*>(const_cast<State*>(state));
  return *pg::call([&] { return sorted_points(list); });
}

}  // namespace dp::aggregate
