// How many groups there are, and what becomes of too many: they are chosen privately where the table's policy pays for
// that, and refused elsewhere.
#include "guard/admission/refusal.h"
#include "guard/groups/groups.h"
#include "guard/groups/key_points.h"
#include "guard/groups/too_many.h"

namespace dp::guard {
namespace {

[[noreturn]] void refuse_too_many(const InnerQuery& inner_query, bool has_price, bool chooses_limits) {
  const char* const table = quote_literal_cstr(get_rel_name(inner_query.first.relation));
  ereport(
      ERROR,
      (errcode(pg::kNotAdmissible),
       errmsg("the values of the group keys have more than %lld combinations", static_cast<long long>(kMostGroups)),
       errdetail("Every combination that a row can have is an answer, also where there are no rows."),
       chooses_limits
           ? errhint("Group by fewer keys, or choose fewer groups in WHERE.\nOr say how many rows count, SET "
                     "dp.max_rows_per_unit = 5; then groups are chosen privately where the table has a "
                     "delta.")
       : has_price ? errhint("Group by fewer keys, or choose fewer groups in WHERE.")
                   : errhint("Group by fewer keys, or choose fewer groups in WHERE.\nOr ask for the private choice: "
                             "SELECT dp.protect(%s, ..., group_epsilon => 0.1, group_delta => 1e-6).",
                             table)));
  pg_unreachable();
}

[[noreturn]] void refuse_small_share(std::uint32_t groups) {
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("the table's group_epsilon and group_delta are too small for a privacy unit that is in %u groups",
                  groups),
           errhint("Ask a curator for more, or for a lower max_groups_per_unit or max_rows_per_unit.")));
  pg_unreachable();
}

// At most, as far as is known while planning: public rows are counted when they are read, and may have become many
// since the last ANALYZE.
std::int64_t most_groups(const InnerQuery& inner_query, int mask) {
  constexpr std::int64_t kGrowth = 100;
  const int keys = list_length(inner_query.keys);
  std::int64_t most = 1;
  for (int number = 0; number < keys; ++number) {
    if (mask != 0 && (mask >> (keys - 1 - number) & 1) != 0) continue;
    const GroupKey& key = inner_query.key(number);
    const std::int64_t values =
        key.least > 0 ? key.least + 1 : Min(kGrowth * (estimated_values(key) + 1), kMostKeyPoints);
    most = Min(most * values, kMostGroups + 1);
  }
  return most;
}

}  // namespace

bool may_be_too_many(const InnerQuery& inner_query) {
  std::int64_t groups = 0;
  ListCell* cell;
  foreach (cell, inner_query.masks) groups += most_groups(inner_query, lfirst_int(cell));
  return groups > kMostGroups;
}

// As far as it is known: before keys that depend on each other are looked at together, without them.
std::int64_t Groups::size_of(const Set& set) const {
  std::int64_t size = 1;
  const auto multiply = [&size](std::int64_t by) { size = Min(size * Min(by, kMostGroups + 1), kMostGroups + 1); };
  if (set.dimension == nullptr) {
    for (int key = 0; key < keys_; ++key) {
      if (has(set, key) && !key_[key].depends) multiply(key_[key].size());
    }
  } else {
    for (int i = 0; i < set.dimensions; ++i) multiply(set.dimension[i].size);
  }
  return size;
}

void Groups::settle_sizes(const InnerQuery& inner_query, bool may_choose) {
  while (true) {
    std::int64_t groups = 0;
    Set* largest = nullptr;
    for (int i = 0; i < sets_; ++i) {
      Set& set = set_[i];
      if (!set.is_public) continue;
      set.size = size_of(set);
      groups += set.size;
      if (largest == nullptr || set.size > largest->size) largest = &set;
    }
    if (groups <= kMostGroups) return;
    if (!may_choose || count_column_ == 0 || selection_.epsilon == 0)
      refuse_too_many(inner_query, selection_.epsilon > 0, inner_query.chooses_limits());
    largest->is_public = false;
    --public_sets_;
    tested_ += largest->times;
    make_test(inner_query);
  }
}

std::uint64_t Groups::even_chance() const {
  return std::visit([](const auto& test) { return test.even_chance(); }, test_);
}

// A unit may be in several groups of a set, and each is tested by itself: they share the price, or its weights do.
// Where no limit is declared it is in as many as weights are for.
void Groups::make_test(const InnerQuery& inner_query) {
  if (inner_query.weighed) {
    const std::int64_t most =
        inner_query.unit.groups > 1 ? std::int64_t{inner_query.unit.groups} : mechanism::WeightedSelection::kMostGroups;
    test_ = mechanism::weighted_selection({static_cast<std::uint64_t>(selection_.epsilon)},
                                          {static_cast<std::uint64_t>(selection_.delta)}, most);
    return;
  }
  const mechanism::Epsilon epsilon{static_cast<std::uint64_t>(selection_.epsilon) / inner_query.unit.groups};
  const mechanism::Delta delta{static_cast<std::uint64_t>(selection_.delta) / inner_query.unit.groups};
  if (epsilon.nano == 0 || delta.atto == 0) refuse_small_share(inner_query.unit.groups);
  test_ = mechanism::partition_selection(epsilon, delta);
}

}  // namespace dp::guard
