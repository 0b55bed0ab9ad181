#include "aggregate/call/kept_points.h"

#include "pg/errors.h"

namespace dp::aggregate {

PointsState* keep_points(FunctionCallInfo fcinfo, PointsState* list, std::span<const std::uint32_t> points) {
  PointFile* made = nullptr;
  list = add_points(state_memory(fcinfo), list, points, &made);
  const auto end = [](Datum file) { end_points(reinterpret_cast<PointFile*>(DatumGetPointer(file))); };
  if (made != nullptr) AggRegisterCallback(fcinfo, end, PointerGetDatum(made));
  return list;
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
