// What the units of a group add up to under each limit of a scale (chosen_limit.h), of one aggregate.
//
// A unit is added whole in its bin, and under each of the limits below it as that leaves it. The total under a limit is
// what was added under it, and what is whole in the bins up to it. Plain memory of bytes() bytes, all zeros at first.
#pragma once

#include <cstring>

#include "core/accumulate/chosen_limit.h"

namespace dp::aggregate {

class LimitedTotals {
 public:
  LimitedTotals(const LimitScale& scale, Tag tag, void* memory)
      : scale_(scale), tag_(tag), memory_(static_cast<char*>(memory)) {}

  static std::size_t bytes(const LimitScale& scale, Tag tag) {
    return 2 * static_cast<std::size_t>(scale.size()) * state_bytes(State{tag});
  }

  // A unit's state, where its magnitude is in that bin: `limit(state, number)` makes of a copy what the limit of that
  // number leaves of it, and returns whether that is anything.
  template <class Limit>
  void add(const State& unit, int bin, Limit limit) {
    if (bin < scale_.size()) merge(scale_.size() + bin, unit);
    for (int number = 0; number < bin; ++number) {
      AnyState limited;
      std::memcpy(static_cast<void*>(&limited), &unit, state_bytes(unit));
      if (limit(limited.state, number)) merge(number, limited.state);
    }
  }

  // The total under the limit of that number.
  AnyState total(int number) const {
    AnyState total{};
    total.state.tag = tag_;
    add_to(&total, number);
    for (int bin = 0; bin <= number; ++bin) add_to(&total, scale_.size() + bin);
    return total;
  }

 private:
  State* state(int place) const {
    return reinterpret_cast<State*>(memory_ + static_cast<std::size_t>(place) * state_bytes(State{tag_}));
  }

  void merge(int place, const State& unit) {
    state(place)->tag = tag_;
    merge_states(*state(place), unit);
  }

  // Of what was never added to, the tag is not there yet.
  void add_to(AnyState* total, int place) const {
    if (state(place)->tag == tag_) merge_states(total->state, *state(place));
  }

  const LimitScale& scale_;
  Tag tag_;
  char* memory_;
};

}  // namespace dp::aggregate
