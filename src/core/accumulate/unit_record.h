// The states of one privacy unit, one for each aggregate, side by side.
//
// The first state's tag may hold something else: records are told apart by what their owner puts there.
#pragma once

#include <cstring>

#include "core/accumulate/sample.h"
#include "core/accumulate/unit_state.h"

namespace dp::aggregate {

class UnitRecord {
 public:
  // One state of each of these kinds, in that order; `samples` says of samples how many rows they keep, for which there
  // is room in each record. Both must live as long as this.
  UnitRecord(const Tag* tags, int count, const std::uint32_t* samples = nullptr)
      : tags_(tags), samples_(samples), count_(count) {
    for (int i = 0; i < count; ++i)
      bytes_ += tags[i] == Tag::sample ? SampleState::bytes(samples[i]) : state_bytes(State{tags[i]});
  }

  std::size_t bytes() const { return bytes_; }

  // Adds `from` into `into`, two records, whatever their tags.
  void merge(State& into, const State& from) const;

  // Copies a record without the room that its samples do not use, and back. All return the bytes without it.
  std::size_t packed_bytes(const State& record) const { return copy(nullptr, record, true); }
  std::size_t pack(void* to, const State& record) const { return copy(to, record, true); }
  std::size_t unpack(State* to, const State& packed) const { return copy(to, packed, false); }

  // Calls visit(number, state) for each state of a record, with a copy of it; of a sample with itself, whose tag must
  // not be read.
  template <class Visit>
  void visit(State& record, Visit visit) const;

 private:
  // Adds one state, then the ones behind it.
  template <class S>
  static void merge_one(char** into, const char** from) {
    reinterpret_cast<S*>(*into)->merge(*reinterpret_cast<const S*>(*from));
    *into += sizeof(S);
    *from += sizeof(S);
  }

  // The rows of both, as far as they may be kept. A record of no rows is all zeros.
  void merge_sample(char** into, const char** from, std::uint32_t most) const {
    auto& sample = *static_cast<SampleState*>(reinterpret_cast<State*>(*into));
    sample.most = most;
    for (const KeptRow& row : static_cast<const SampleState*>(reinterpret_cast<const State*>(*from))->rows())
      sample.keep(row);
    *into += SampleState::bytes(most);
    *from += SampleState::bytes(most);
  }

  std::size_t copy(void* to, const State& record, bool packs) const;

  const Tag* tags_;
  const std::uint32_t* samples_;
  int count_;
  std::size_t bytes_ = 0;
};

// ---- what runs for each row ---------------------------------------------------------------------------------------

inline void UnitRecord::merge(State& into, const State& from) const {
  auto* to = reinterpret_cast<char*>(&into);
  const auto* next = reinterpret_cast<const char*>(&from);
  for (int i = 0; i < count_; ++i) {
    switch (tags_[i]) {
      case Tag::count:
        merge_one<CountState>(&to, &next);
        break;
      case Tag::sum:
        merge_one<SumState>(&to, &next);
        break;
      case Tag::mean:
        merge_one<MeanState>(&to, &next);
        break;
      case Tag::moments:
        merge_one<MomentsState>(&to, &next);
        break;
      case Tag::sample:
        merge_sample(&to, &next, samples_[i]);
        break;
      case Tag::histogram:  // has no limit
        break;
    }
  }
}

inline std::size_t UnitRecord::copy(void* into, const State& record, bool packs) const {
  const auto* from = reinterpret_cast<const char*>(&record);
  auto* to = static_cast<char*>(into);
  std::size_t packed = 0;
  for (int i = 0; i < count_; ++i) {
    std::size_t room = 0, used = 0;
    if (tags_[i] == Tag::sample) {
      room = SampleState::bytes(samples_[i]);
      used = SampleState::bytes(static_cast<const SampleState*>(reinterpret_cast<const State*>(from))->used);
    } else {
      room = used = state_bytes(State{tags_[i]});
    }
    if (to != nullptr) {
      std::memcpy(to, from, used);
      to += packs ? used : room;
    }
    from += packs ? room : used;
    packed += used;
  }
  return packed;
}

template <class Visit>
void UnitRecord::visit(State& record, Visit visit) const {
  auto* from = reinterpret_cast<char*>(&record);
  for (int i = 0; i < count_; ++i) {
    if (tags_[i] == Tag::sample) {
      visit(i, *reinterpret_cast<State*>(from));
      from += SampleState::bytes(samples_[i]);
      continue;
    }
    AnyState state;
    state.state.tag = tags_[i];
    const std::size_t bytes = state_bytes(state.state);
    std::memcpy(static_cast<void*>(&state), from, bytes);
    state.state.tag = tags_[i];
    visit(i, state.state);
    from += bytes;
  }
}

}  // namespace dp::aggregate
