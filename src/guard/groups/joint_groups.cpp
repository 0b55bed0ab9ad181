// The dimensions of grouping sets: keys that depend on each other (joint_keys.h) have only those values together that a
// row can have, every other key has its own.
#include <algorithm>

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

namespace {

int* room_for(std::int64_t places) {
  return static_cast<int*>(palloc_extended(sizeof(int) * static_cast<Size>(places + 1), MCXT_ALLOC_HUGE));
}

// Sorts tuples of that width and keeps each once; how many are left.
std::int64_t sort_once(int* tuples, std::int64_t count, int width) {
  auto* const order =
      static_cast<const int**>(palloc_extended(sizeof(int*) * static_cast<Size>(count + 1), MCXT_ALLOC_HUGE));
  for (std::int64_t i = 0; i < count; ++i) order[i] = tuples + i * width;
  const auto is_less = [width](const int* one, const int* other) {
    return std::lexicographical_compare(one, one + width, other, other + width);
  };
  const auto is_equal = [width](const int* one, const int* other) { return std::equal(one, one + width, other); };
  std::sort(order, order + count, is_less);
  const std::int64_t left = std::unique(order, order + count, is_equal) - order;
  int* const sorted = room_for(left * width);
  for (std::int64_t i = 0; i < left; ++i) std::copy_n(order[i], width, sorted + i * width);
  std::copy_n(sorted, left * width, tuples);
  pfree(sorted);
  pfree(order);
  return left;
}

}  // namespace

std::int64_t Groups::Dimension::find(const int* places) const {
  if (tuples == nullptr) return places[keys[0]];
  std::int64_t low = 0, high = size;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    const int* const there = tuple(middle);
    int i = 0;
    while (i < width && places[keys[i]] == there[i]) ++i;
    if (i == width) return middle;
    if (places[keys[i]] > there[i]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return -1;
}

// The keys of the set among those that depend on each other, with the values that these have at the points.
void Groups::add_dimension(Set* set, const JointKeys& joint, const int* places, std::int64_t count) {
  const int all = list_length(joint.numbers);
  auto* const keys = static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(all + 1)));
  auto* const columns = static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(all + 1)));
  int width = 0;
  for (int i = 0; i < all; ++i) {
    if (!has(*set, list_nth_int(joint.numbers, i))) continue;
    columns[width] = i;
    keys[width++] = list_nth_int(joint.numbers, i);
  }
  // One of them alone has the values that it has without the others.
  if (width == 0 || (width == 1 && joint.rows == NIL)) return;
  int* const tuples = room_for(count * width);
  std::int64_t size = 0;
  for (std::int64_t point = 0; point < count; ++point) {
    bool are_there = true;
    for (int i = 0; i < width; ++i) {
      tuples[size * width + i] = places[point * all + columns[i]];
      are_there = are_there && tuples[size * width + i] >= 0;
    }
    size += are_there;
  }
  size = sort_once(tuples, size, width);
  set->dimension[set->dimensions++] = {width, keys, size, tuples};
  dependence_ = hash_bytes_extended(reinterpret_cast<const unsigned char*>(tuples),
                                    static_cast<int>(sizeof(int) * static_cast<Size>(size * width)), dependence_);
}

void Groups::add_dimensions(const InnerQuery& inner_query, Oid asker, const PublicRows* rows, EState* estate) {
  for (int i = 0; i < sets_; ++i)
    set_[i].dimension = static_cast<Dimension*>(palloc0(sizeof(Dimension) * static_cast<Size>(keys_ + 1)));
  ListCell* cell;
  foreach (cell, inner_query.dependent_keys) {
    const JointKeys joint = JointKeys::of(static_cast<List*>(lfirst(cell)));
    std::int64_t count = list_length(joint.rows);
    const int* places = joint.rows == NIL ? nullptr : places_in(joint, estate);
    if (joint.rows == NIL) {
      const Points points(joint.columns, joint.parts, asker, rows, estate, true);
      count = points.are_there() ? points.combinations() : kMostKeyPoints + 1;
      if (count <= kMostKeyPoints) places = places_at(joint, points, count, estate);
    }
    if (places == nullptr) continue;
    for (int i = 0; i < sets_; ++i) {
      if (set_[i].is_public) add_dimension(&set_[i], joint, places, count);
    }
  }
  for (int i = 0; i < sets_; ++i) {
    if (set_[i].is_public) add_other_keys(&set_[i]);
  }
}

void Groups::add_other_keys(Set* set) {
  Bitmapset* taken = nullptr;
  for (int i = 0; i < set->dimensions; ++i) {
    const Dimension& dimension = set->dimension[i];
    for (int key = 0; key < dimension.width; ++key) taken = bms_add_member(taken, dimension.keys[key]);
  }
  for (int key = 0; key < keys_; ++key) {
    if (!has(*set, key) || bms_is_member(key, taken)) continue;
    auto* const number = static_cast<int*>(palloc(sizeof(int)));
    *number = key;
    set->dimension[set->dimensions++] = {1, number, key_[key].size(), nullptr};
  }
}

std::int64_t Groups::combination_of(const Set& set) const {
  std::int64_t combination = 0;
  for (int i = 0; i < set.dimensions; ++i) {
    const std::int64_t value = set.dimension[i].find(place_);
    if (value < 0) return -1;
    combination = combination * set.dimension[i].size + value;
  }
  return set.seen[combination] == kExcluded ? -1 : combination;
}

void Groups::fill_keys(TupleTableSlot* row, const Set& set, std::int64_t combination) const {
  std::fill(row->tts_isnull, row->tts_isnull + keys_, true);
  for (int i = set.dimensions - 1; i >= 0; --i) {
    const Dimension& dimension = set.dimension[i];
    const std::int64_t value = combination % dimension.size;
    combination /= dimension.size;
    for (int j = 0; j < dimension.width; ++j) {
      const int key = dimension.keys[j];
      const int place = dimension.tuples == nullptr ? static_cast<int>(value) : dimension.tuple(value)[j];
      if (place == key_[key].domain.size) continue;
      row->tts_isnull[key] = false;
      row->tts_values[key] = key_[key].domain.values[place];
    }
  }
}

}  // namespace dp::guard
