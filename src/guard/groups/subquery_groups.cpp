// Groups by several columns of a subquery that is run by itself: those that its rows have, not all combinations.
#include "guard/groups/groups.h"

namespace dp::guard {

// The place of a row's keys among the combinations of all that are of that subquery. key_place(number): of a key.
template <class KeyPlace>
std::int64_t Groups::part_of(const Set& set, int subquery, KeyPlace key_place) const {
  std::int64_t part = 0;
  for (int i = 0; i < keys_; ++i) {
    if (has(set, i) && key_[i].subquery == subquery) part = part * key_[i].size() + key_place(i);
  }
  return part;
}

void Groups::exclude_without_rows(const InnerQuery& inner_query, const PublicRows* rows) {
  auto* const places = static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(keys_ + 1)));
  for (int s = 0; s < sets_; ++s) {
    const Set& set = set_[s];
    if (!set.is_public) continue;
    for (int subquery = 1; subquery <= list_length(inner_query.subqueries); ++subquery) {
      int keys = 0;
      bool may_miss = false;
      std::int64_t parts = 1;
      for (int i = 0; i < keys_; ++i) {
        if (!has(set, i) || key_[i].subquery != subquery) continue;
        ++keys;
        parts *= key_[i].size();
        may_miss = list_nth_int(inner_query.key_nulls, i) != 0;
      }
      if (keys < 2) continue;
      auto* const there = static_cast<bool*>(palloc0(static_cast<Size>(parts) + 1));
      const PublicRows& of = rows[subquery - 1];
      for (int row = 0; row < of.count; ++row) {
        CHECK_FOR_INTERRUPTS();
        there[part_of(set, subquery, [&](int i) {
          const NullableDatum& value = of.at(row, key_[i].column);
          return key_[i].find(value.value, value.isnull);
        })] = true;
      }
      if (may_miss) there[part_of(set, subquery, [&](int i) { return key_[i].domain.size; })] = true;
      for (std::int64_t combination = 0; combination < set.size; ++combination) {
        std::int64_t left = combination;
        for (int i = keys_ - 1; i >= 0; --i) {
          if (!has(set, i)) continue;
          places[i] = static_cast<int>(left % key_[i].size());
          left /= key_[i].size();
        }
        if (!there[part_of(set, subquery, [&](int i) { return places[i]; })]) set.seen[combination] = kExcluded;
      }
      pfree(there);
    }
  }
}

}  // namespace dp::guard
