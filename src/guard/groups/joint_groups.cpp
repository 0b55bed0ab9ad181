// Leaves out the combinations of dependent keys (joint_keys.h) that no row can have.
#include "guard/groups/groups.h"
#include "guard/groups/joint_keys.h"
#include "guard/groups/key_points.h"

namespace dp::guard {

// For each point the place of each of the keys among its values; -1: the point does not count, or the value is none.
int* Groups::places_at(const JointKeys& joint, const Points& points, std::int64_t count, EState* estate) const {
  const int width = list_length(joint.numbers);
  auto* const places =
      static_cast<int*>(palloc_extended(sizeof(int) * static_cast<Size>(count * width + 1), MCXT_ALLOC_HUGE));
  ExprContext* const context = CreateExprContext(estate);
  TupleTableSlot* const row = points.new_row();
  context->ecxt_scantuple = row;
  List* const values = ExecPrepareExprList(joint.values, estate);
  ExprState* const conditions = ExecPrepareQual(joint.conditions, estate);
  for (std::int64_t point = 0; point < count; ++point) {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    points.fill(row, point);
    const bool counts = ExecQual(conditions, context);
    MemoryContext const outer = MemoryContextSwitchTo(context->ecxt_per_tuple_memory);
    for (int i = 0; i < width; ++i) {
      int& place = places[point * width + i];
      place = -1;
      if (!counts) continue;
      bool is_null;
      const Datum value = ExecEvalExpr(static_cast<ExprState*>(list_nth(values, i)), context, &is_null);
      place = key_[list_nth_int(joint.numbers, i)].find(value, is_null);
    }
    MemoryContextSwitchTo(outer);
  }
  ExecDropSingleTupleTableSlot(row);
  FreeExprContext(context, true);
  return places;
}

// The same of rows of a list.
int* Groups::places_in(const JointKeys& joint, EState* estate) const {
  const int width = list_length(joint.numbers);
  auto* const places = static_cast<int*>(palloc_extended(
      sizeof(int) * static_cast<Size>(std::int64_t{list_length(joint.rows)} * width + 1), MCXT_ALLOC_HUGE));
  ExprContext* const context = CreateExprContext(estate);
  int* next = places;
  ListCell *row, *cell;
  foreach (row, joint.rows) {
    auto* const values = static_cast<List*>(lfirst(row));
    const bool counts = ExecQual(ExecPrepareQual(list_make1(linitial(values)), estate), context);
    for_each_from(cell, values, 1) {
      bool is_null;
      const Datum value =
          ExecEvalExprSwitchContext(ExecPrepareExpr(static_cast<Expr*>(lfirst(cell)), estate), context, &is_null);
      *next++ = counts ? key_[foreach_current_index(cell) - 1].find(value, is_null) : -1;
    }
    ResetExprContext(context);
  }
  FreeExprContext(context, true);
  return places;
}

// Of the set those combinations that have at no point these values of the keys.
void Groups::exclude_elsewhere(const Set& set, const JointKeys& joint, const int* places, std::int64_t count) {
  const int width = list_length(joint.numbers);
  std::int64_t parts = 1;
  int keys = 0;
  ListCell* cell;
  foreach (cell, joint.numbers) {
    if (!has(set, lfirst_int(cell))) continue;
    parts *= key_[lfirst_int(cell)].size();
    ++keys;
  }
  if (keys < 2 && joint.rows == NIL) return;
  // place(i): of the i-th of the dependent keys
  const auto part_of = [&](auto place) {
    std::int64_t part = 0;
    for (int i = 0; i < width; ++i) {
      const int key = list_nth_int(joint.numbers, i);
      if (!has(set, key)) continue;
      if (place(i) < 0) return std::int64_t{-1};
      part = part * key_[key].size() + place(i);
    }
    return part;
  };
  auto* const there = static_cast<bool*>(palloc0(static_cast<Size>(parts) + 1));
  for (std::int64_t point = 0; point < count; ++point) {
    const std::int64_t part = part_of([&](int i) { return places[point * width + i]; });
    if (part >= 0) there[part] = true;
  }
  auto* const places_here = static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(keys_ + 1)));
  for (std::int64_t combination = 0; combination < set.size; ++combination) {
    std::int64_t left = combination;
    for (int i = keys_ - 1; i >= 0; --i) {
      if (!has(set, i)) continue;
      places_here[i] = static_cast<int>(left % key_[i].size());
      left /= key_[i].size();
    }
    if (!there[part_of([&](int i) { return places_here[list_nth_int(joint.numbers, i)]; })])
      set.seen[combination] = kExcluded;
  }
  dependence_ =
      hash_bytes_extended(reinterpret_cast<const unsigned char*>(there), static_cast<int>(parts), dependence_);
  pfree(places_here);
  pfree(there);
}

void Groups::exclude_impossible(const InnerQuery& inner_query, Oid asker, const PublicRows* rows, EState* estate) {
  ListCell* cell;
  foreach (cell, inner_query.dependent_keys) {
    const JointKeys joint = JointKeys::of(static_cast<List*>(lfirst(cell)));
    if (joint.rows != NIL) {
      const int* const places = places_in(joint, estate);
      for (int i = 0; i < sets_; ++i)
        if (set_[i].is_public) exclude_elsewhere(set_[i], joint, places, list_length(joint.rows));
      continue;
    }
    const Points points(joint.columns, joint.parts, asker, rows, estate, true);
    if (!points.are_there()) continue;
    const std::int64_t count = points.combinations();
    if (count > kMostKeyPoints) continue;
    const int* const places = places_at(joint, points, count, estate);
    for (int i = 0; i < sets_; ++i) {
      if (set_[i].is_public) exclude_elsewhere(set_[i], joint, places, count);
    }
  }
}

}  // namespace dp::guard
