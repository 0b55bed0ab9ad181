#include "guard/groups/too_many.h"

#include <algorithm>
#include <utility>

#include "guard/groups/groups.h"
#include "guard/groups/joint_keys.h"
#include "guard/groups/key_images.h"
#include "guard/groups/key_parts.h"
#include "guard/groups/key_points.h"
#include "guard/query/permissions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool has_parameter(Node* node, void* context) {
  if (node == nullptr) return false;
  return IsA(node, Param) || pg::walk(node, has_parameter, context);
}

bool is_known_later(List* expressions) { return has_parameter(reinterpret_cast<Node*>(expressions), nullptr); }

// Whether the image is over points that are known while planning: from no subquery and no parameter.
bool is_over_known_points(List* image) {
  if (list_length(image) != 4) return false;
  ListCell* cell;
  foreach (cell, static_cast<List*>(lthird(image))) {
    const KeyPart part = KeyPart::of(static_cast<List*>(lfirst(cell)));
    if (part.subquery > 0 || is_known_later(list_make2(part.conditions, part.narrowing))) return false;
  }
  return true;
}

// Whether the values are known as well.
bool is_known(const GroupKey& key) {
  return key.subquery == 0 && is_over_known_points(key.image) &&
         !is_known_later(list_make2(linitial(key.image), lfourth(key.image)));
}

std::int64_t product(std::int64_t one, std::int64_t other) {
  constexpr std::int64_t kMany = std::int64_t{1} << 40;
  std::int64_t result;
  return __builtin_mul_overflow(one, other, &result) ? kMany : Min(result, kMany);
}

// How many points there can be, without reading any; `rows_of(part)` says how many rows hold those of a part.
template <class RowsOf>
std::int64_t most_points(List* image, RowsOf rows_of) {
  std::int64_t most = 1;
  ListCell* cell;
  foreach (cell, static_cast<List*>(lthird(image))) {
    const KeyPart part = KeyPart::of(static_cast<List*>(lfirst(cell)));
    std::int64_t values;
    if (part.cells != nullptr) {
      values = part.cells->most();
    } else if (part.of_rows) {
      values = rows_of(part);
    } else {
      const Oid role = OidIsValid(part.subject) ? part.subject : planning_role(InvalidOid);
      values = listed_size(part.table, static_cast<AttrNumber>(linitial_int(part.columns)), role).value_or(0);
    }
    most = product(most, values + part.with_null);
  }
  return most;
}

std::int64_t most_points(List* image) {
  return most_points(image, [](const KeyPart&) { return std::int64_t{budget::kMostPublicValues}; });
}

// What is there, read and computed while planning: how many points, and how many values.
std::int64_t points_of(List* image) {
  EState* const estate = CreateExecutorState();
  const Points points(static_cast<List*>(lsecond(image)), static_cast<List*>(lthird(image)), planning_role(InvalidOid),
                      nullptr, estate, true);
  const std::int64_t count = points.are_there() ? points.combinations() : 0;
  FreeExecutorState(estate);
  return count;
}

std::int64_t values_of_image(const GroupKey& key) {
  EState* const estate = CreateExecutorState();
  const auto image = compute_image(key.image, key.text, planning_role(InvalidOid), nullptr, estate);
  const std::int64_t count = image ? image->values.size + image->with_null : 1;
  FreeExecutorState(estate);
  return count;
}

void leave(InnerQuery* what, int number) {
  auto& key = *static_cast<GroupKey*>(list_nth(what->keys, number));
  key.least = -1;
  key.image = NIL;
  List* kept = NIL;
  ListCell* cell;
  foreach (cell, what->dependent_keys) {
    if (!list_member_int(JointKeys::of(static_cast<List*>(lfirst(cell))).numbers, number))
      kept = lappend(kept, lfirst(cell));
  }
  what->dependent_keys = kept;
}

bool depends(const InnerQuery& what, int number) {
  ListCell* cell;
  foreach (cell, what.dependent_keys) {
    if (list_member_int(JointKeys::of(static_cast<List*>(lfirst(cell))).numbers, number)) return true;
  }
  return false;
}

// How many values the key has at least; or as far as is known without looking, at most.
std::int64_t values_of(const GroupKey& key, bool look) {
  if (key.least > 0) return key.least + key.may_be_null();
  if (!is_known(key)) return 1;
  return look ? values_of_image(key) : most_points(key.image);
}

// The product of these over all keys that depend on no other; the number of the one that has most of them.
std::pair<std::int64_t, int> combinations(const InnerQuery& what, bool look) {
  std::int64_t all = 1, most = 0;
  int largest = -1;
  for (int i = 0; i < list_length(what.keys); ++i) {
    if (depends(what, i)) continue;
    const std::int64_t values = values_of(what.key(i), look);
    all = product(all, values);
    if (values > most) most = values, largest = i;
  }
  return {all, largest};
}

// How many rows the planner takes a table of public rows to have: as many as the last ANALYZE found, or too many.
std::int64_t estimated_rows(Oid table) {
  HeapTuple const found = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
  if (!HeapTupleIsValid(found)) return kMostGroups;
  const float rows = reinterpret_cast<Form_pg_class>(GETSTRUCT(found))->reltuples;
  ReleaseSysCache(found);
  return rows < 0 ? kMostGroups : static_cast<std::int64_t>(std::min(rows, static_cast<float>(kMostGroups)));
}

}  // namespace

std::int64_t estimated_values(const GroupKey& key) {
  if (key.least > 0) return key.least;
  if (key.subquery > 0) return kMostGroups;
  if (list_length(key.image) == 4) {
    return most_points(key.image, [](const KeyPart& part) {
      return part.subquery > 0 ? std::int64_t{kMostGroups} : estimated_rows(part.table);
    });
  }
  return key.image == NIL && OidIsValid(key.table) && !OidIsValid(key.policy) ? estimated_rows(key.table) : kMostGroups;
}

std::int64_t estimated_groups(const InnerQuery& what) {
  std::int64_t groups = 1;
  for (int i = 0; i < list_length(what.keys); ++i)
    groups = product(groups, std::max<std::int64_t>(estimated_values(what.key(i)), 1) + what.key(i).may_be_null());
  return groups;
}

bool has_too_many_points(List* image) {
  return is_over_known_points(image) && most_points(image) > kMostKeyPoints && points_of(image) > kMostKeyPoints;
}

void leave_too_many(InnerQuery* what, bool together) {
  for (int i = 0; i < list_length(what->keys); ++i) {
    const GroupKey& key = what->key(i);
    if (key.is_public() && key.subquery == 0 && has_too_many_points(key.image)) leave(what, i);
    together = together && key.is_public();
  }
  if (!together || combinations(*what, false).first <= kMostGroups) return;
  if (const auto [all, largest] = combinations(*what, true); all > kMostGroups) leave(what, largest);
}

}  // namespace dp::guard
