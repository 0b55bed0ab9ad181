// The groups of a private query as its aggregates see them, where these count by group (group_aggregates.h).
#pragma once

#include "aggregate/call/group_aggregates.h"
#include "guard/groups/groups.h"

namespace dp::guard {

// Lives in the query's memory; the groups must be loaded, public, and of one grouping set.
class ShownGroups final : public aggregate::Places {
 public:
  explicit ShownGroups(const Groups* groups) : groups_(groups) {}

  std::int64_t place_of(const NullableDatum* keys) const override { return groups_->place_of(keys); }

 private:
  const Groups* groups_;
};

}  // namespace dp::guard
