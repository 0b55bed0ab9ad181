// What the units of a group add up to under each limit of a scale (limit_scale.h), of one aggregate.
//
// A unit is added whole in its bin, and under each of the limits below it as that leaves it. The total under a limit is
// what was added under it, and what is whole in the bins up to it. Of counts and sums a unit beyond a limit is that
// limit itself, where all of it is in one group: of those it is enough to know how many there are. Plain memory of
// bytes() bytes, all zeros at first.
#pragma once

#include <cstring>

#include "core/accumulate/limit_scale.h"

namespace dp::aggregate {

class LimitedTotals {
 public:
  LimitedTotals(const LimitScale& scale, Tag tag, char* memory)
      : scale_(scale),
        tag_(tag),
        beyond_(reinterpret_cast<std::int64_t*>(memory)),
        states_(memory + bins(scale) * sizeof(std::int64_t)) {}

  static std::size_t bytes(const LimitScale& scale, Tag tag) {
    return bins(scale) * sizeof(std::int64_t) + 2 * static_cast<std::size_t>(scale.size()) * state_bytes(State{tag});
  }

  // A unit's state, where its magnitude is in that bin: `limit(state, number)` makes of a copy what the limit of that
  // number leaves of it, and returns whether that is anything.
  template <class S, class Limit>
  void add(const S& unit, int bin, Limit limit) {
    if (bin < scale_.size()) merge(scale_.size() + bin, unit);
    for (int number = 0; number < bin; ++number) {
      S limited = unit;
      if (limit(limited, number)) merge(number, limited);
    }
  }

  // The same of a unit that is in this group alone.
  template <class S>
  void add_alone(const S& unit, int bin, const RowSteps& row) {
    if constexpr (S::kTag == Tag::count || S::kTag == Tag::sum) {
      if (bin < scale_.size()) merge(scale_.size() + bin, unit);
      bool negative = false;
      if constexpr (S::kTag == Tag::sum) negative = static_cast<Int128>(unit.total) < 0;
      beyond_[bin] += negative ? -1 : 1;
    } else {
      add(unit, bin, [&](S& limited, int number) {
        limit_magnitude(limited, scale_.limit(number), row);
        return true;
      });
    }
  }

  // What another process has of the same scale, in bytes() bytes that may lie anywhere.
  void add_all(const char* other) {
    for (std::size_t bin = 0; bin < bins(scale_); ++bin) {
      std::uint64_t units;
      std::memcpy(&units, other + bin * sizeof units, sizeof units);
      beyond_[bin] = static_cast<std::int64_t>(static_cast<std::uint64_t>(beyond_[bin]) + units);
    }
    other += bins(scale_) * sizeof(std::int64_t);
    for (int place = 0; place < 2 * scale_.size(); ++place, other += state_bytes(State{tag_})) {
      AnyState added;
      std::memcpy(static_cast<void*>(&added), other, state_bytes(State{tag_}));
      if (added.state.tag != tag_) continue;
      state(place)->tag = tag_;
      merge_states(*state(place), added.state);
    }
  }

  // The total under the limit of that number.
  AnyState total(int number) const {
    AnyState total{};
    total.state.tag = tag_;
    add_to(&total, number);
    for (int bin = 0; bin <= number; ++bin) add_to(&total, scale_.size() + bin);
    Int128 beyond = 0;
    for (int bin = number + 1; bin <= scale_.size(); ++bin) beyond += beyond_[bin];
    const auto of_these = static_cast<Uint128>(beyond) * scale_.limit(number);
    if (tag_ == Tag::count) static_cast<CountState&>(total.state).rows += static_cast<std::uint64_t>(of_these);
    if (tag_ == Tag::sum) static_cast<SumState&>(total.state).total += of_these;
    return total;
  }

 private:
  static std::size_t bins(const LimitScale& scale) { return static_cast<std::size_t>(scale.size()) + 1; }

  State* state(int place) const {
    return reinterpret_cast<State*>(states_ + static_cast<std::size_t>(place) * state_bytes(State{tag_}));
  }

  template <class S>
  void merge(int place, const S& unit) {
    S& sum = reinterpret_cast<S*>(states_)[place];
    sum.tag = S::kTag;
    sum.merge(unit);
  }

  // Of what was never added to, the tag is not there yet.
  void add_to(AnyState* total, int place) const {
    if (state(place)->tag == tag_) merge_states(total->state, *state(place));
  }

  const LimitScale& scale_;
  Tag tag_;
  std::int64_t* beyond_;  // of each bin: units that are alone, those with negative sums from the others
  char* states_;
};

}  // namespace dp::aggregate
