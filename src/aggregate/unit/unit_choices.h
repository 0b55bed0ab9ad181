// Adds privacy units to what their limits are chosen from (limit_choice.h), one after the other: each whole in its bin,
// and under each limit that may be chosen as that leaves it. What a unit has in its groups, and in the arms of a
// family, shares a limit (share_limit() in core/accumulate/limit_scale.h).
#pragma once

#include <algorithm>

#include "aggregate/unit/unit_states.h"

namespace dp::aggregate {

class UnitChoices {
 public:
  // Both must live as long as this.
  UnitChoices(const UnitGroup* group, MemoryContext context) : group_(group), context_(context) {}

  // Whether some of the aggregates have a choice together.
  bool has_arms() const {
    return std::any_of(group_->shares, group_->shares + group_->count,
                       [](const UnitShare& share) { return share.arm > 0; });
  }

  // A unit that is in so many groups (from 0 on). visit(f) calls f(i, aggregate, state) for each aggregate in each of
  // them, with a copy of its state; group_of(i) is the number of such a group among those of the answer; other(i,
  // aggregate, state) is for aggregates whose limits are not chosen.
  template <class Visit, class GroupOf, class Other>
  void add(std::size_t groups, Visit visit, GroupOf group_of, Other other);

 private:
  // What the unit has in the groups of a choice's arms, one behind the other, under the limit of that number.
  Uint128* magnitudes(const LimitChoice& choice, int number) const {
    const auto row = static_cast<std::size_t>(choice.before) * kRows + static_cast<std::size_t>(number) * choice.arms;
    return magnitudes_ + row * groups_;
  }
  Uint128& magnitude(const UnitShare& share, int number, std::size_t i) const {
    return magnitudes(*share.choice, number)[share.arm * groups_ + i];
  }

  void begin(std::size_t groups);
  void share_limits();

  static constexpr int kWhole = LimitScale::kMost;
  static constexpr std::size_t kRows = LimitScale::kMost + 1;

  const UnitGroup* group_;
  MemoryContext context_;
  std::size_t groups_ = 0;  // of the unit
  Uint128* magnitudes_ = nullptr;
  std::size_t room_ = 0;  // groups
};

template <class Visit, class GroupOf, class Other>
void UnitChoices::add(std::size_t groups, Visit visit, GroupOf group_of, Other other) {
  begin(groups);
  // What is counted once has one row in a group, whatever it has.
  visit([&](std::size_t i, int aggregate, State& state) {
    const UnitShare& share = group_->shares[aggregate];
    if (share.choice == nullptr) return;
    with_kind(state, [&](auto& unit) {
      limit_state(unit, share.rows, share.row);
      magnitude(share, kWhole, i) = magnitude_of(unit);
    });
  });
  share_limits();
  visit([&](std::size_t i, int aggregate, State& state) {
    const UnitShare& share = group_->shares[aggregate];
    if (share.choice == nullptr) return other(i, aggregate, state);
    if (magnitude(share, kWhole, i) == 0) return;
    with_kind(state, [&]<class S>(S& unit) {
      limit_state(unit, share.rows, share.row);
      LimitedTotals totals = share.choice->totals_of(share.arm, group_of(i));
      if (share.choice->alone) return totals.add_alone(unit, share.choice->bin, share.row);
      totals.add(unit, share.choice->bin, [&](S& limited, int number) {
        const Uint128 most = magnitude(share, number, i);
        if (most > 0) limit_magnitude(limited, most, share.row);
        return most > 0;
      });
    });
  });
}

}  // namespace dp::aggregate
