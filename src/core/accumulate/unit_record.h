// The states of one privacy unit, one for each aggregate, side by side.
//
// The first state's tag may hold something else: records are told apart by what their owner puts there.
#pragma once

#include <cstring>

#include "core/accumulate/packed_number.h"
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

  // Writes a record in as few bytes as its numbers need, without its first tag's place; returns what is behind them, at
  // most most_packed() bytes. Beyond these there must be packed::kSlack, here and where it is read back.
  char* pack(char* to, const State& record) const;
  std::size_t most_packed() const;

  // The record that was packed there, whose tags are not touched; returns what is behind it.
  const char* unpack(State* to, const char* packed) const;

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

  template <class S>
  static char* pack_pairs(char* to, const char** from) {
    const auto& state = *static_cast<const S*>(reinterpret_cast<const State*>(*from));
    to = packed::put(to, state.rows);
    to = packed::put_total(to, state.missing);
    for (const Uint128 number : state.numbers) to = packed::put_total(to, number);
    *from += sizeof(S);
    return to;
  }

  template <class S>
  static const char* unpack_pairs(char** to, const char* from) {
    auto& state = *static_cast<S*>(reinterpret_cast<State*>(*to));
    from = packed::get(from, &state.rows);
    from = packed::get_total(from, &state.missing);
    for (Uint128& number : state.numbers) from = packed::get_total(from, &number);
    *to += sizeof(S);
    return from;
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
      case Tag::totals:
        merge_one<TotalsState>(&to, &next);
        break;
      case Tag::all_moments:
        merge_one<AllMomentsState>(&to, &next);
        break;
      case Tag::covariance:
        merge_one<CovarianceState>(&to, &next);
        break;
      case Tag::regression:
        merge_one<RegressionState>(&to, &next);
        break;
      case Tag::sample:
        merge_sample(&to, &next, samples_[i]);
        break;
      case Tag::histogram:  // these have no limit
      case Tag::points:
        break;
    }
  }
}

inline char* UnitRecord::pack(char* to, const State& record) const {
  const auto* from = reinterpret_cast<const char*>(&record);
  for (int i = 0; i < count_; ++i) {
    const auto* const state = reinterpret_cast<const State*>(from);
    switch (tags_[i]) {
      case Tag::count:
        to = packed::put(to, static_cast<const CountState*>(state)->rows);
        from += sizeof(CountState);
        break;
      case Tag::sum:
        to = packed::put_signed(to, static_cast<const SumState*>(state)->total);
        from += sizeof(SumState);
        break;
      case Tag::mean:
        to = packed::put(to, static_cast<const MeanState*>(state)->rows);
        to = packed::put_total(to, static_cast<const MeanState*>(state)->total);
        from += sizeof(MeanState);
        break;
      case Tag::moments:
        to = packed::put(to, static_cast<const MomentsState*>(state)->rows);
        to = packed::put_total(to, static_cast<const MomentsState*>(state)->total);
        to = packed::put_total(to, static_cast<const MomentsState*>(state)->total_squares);
        from += sizeof(MomentsState);
        break;
      case Tag::totals:
        to = packed::put(to, static_cast<const TotalsState*>(state)->rows);
        to = packed::put_total(to, static_cast<const TotalsState*>(state)->total);
        to = packed::put_total(to, static_cast<const TotalsState*>(state)->missing);
        from += sizeof(TotalsState);
        break;
      case Tag::all_moments:
        to = packed::put(to, static_cast<const AllMomentsState*>(state)->rows);
        to = packed::put_total(to, static_cast<const AllMomentsState*>(state)->total);
        to = packed::put_total(to, static_cast<const AllMomentsState*>(state)->total_squares);
        to = packed::put_total(to, static_cast<const AllMomentsState*>(state)->missing);
        from += sizeof(AllMomentsState);
        break;
      case Tag::sample: {
        const auto rows = static_cast<const SampleState*>(state)->rows();
        to = packed::put(to, rows.size());
        if (!rows.empty()) std::memcpy(to, rows.data(), rows.size_bytes());
        to += rows.size_bytes();
        from += SampleState::bytes(samples_[i]);
        break;
      }
      case Tag::covariance:
        to = pack_pairs<CovarianceState>(to, &from);
        break;
      case Tag::regression:
        to = pack_pairs<RegressionState>(to, &from);
        break;
      case Tag::histogram:  // these have no limit
      case Tag::points:
        break;
    }
  }
  return to;
}

inline const char* UnitRecord::unpack(State* record, const char* from) const {
  auto* to = reinterpret_cast<char*>(record);
  for (int i = 0; i < count_; ++i) {
    auto* const state = reinterpret_cast<State*>(to);
    switch (tags_[i]) {
      case Tag::count:
        from = packed::get(from, &static_cast<CountState*>(state)->rows);
        to += sizeof(CountState);
        break;
      case Tag::sum:
        from = packed::get_signed(from, &static_cast<SumState*>(state)->total);
        to += sizeof(SumState);
        break;
      case Tag::mean:
        from = packed::get(from, &static_cast<MeanState*>(state)->rows);
        from = packed::get_total(from, &static_cast<MeanState*>(state)->total);
        to += sizeof(MeanState);
        break;
      case Tag::moments:
        from = packed::get(from, &static_cast<MomentsState*>(state)->rows);
        from = packed::get_total(from, &static_cast<MomentsState*>(state)->total);
        from = packed::get_total(from, &static_cast<MomentsState*>(state)->total_squares);
        to += sizeof(MomentsState);
        break;
      case Tag::totals:
        from = packed::get(from, &static_cast<TotalsState*>(state)->rows);
        from = packed::get_total(from, &static_cast<TotalsState*>(state)->total);
        from = packed::get_total(from, &static_cast<TotalsState*>(state)->missing);
        to += sizeof(TotalsState);
        break;
      case Tag::all_moments:
        from = packed::get(from, &static_cast<AllMomentsState*>(state)->rows);
        from = packed::get_total(from, &static_cast<AllMomentsState*>(state)->total);
        from = packed::get_total(from, &static_cast<AllMomentsState*>(state)->total_squares);
        from = packed::get_total(from, &static_cast<AllMomentsState*>(state)->missing);
        to += sizeof(AllMomentsState);
        break;
      case Tag::sample: {
        auto& sample = *static_cast<SampleState*>(state);
        std::uint64_t used;
        from = packed::get(from, &used);
        sample.most = samples_[i];
        sample.used = static_cast<std::uint32_t>(used);
        sample.room = 0;
        const std::size_t bytes = used * sizeof(KeptRow);
        if (used > 0) std::memcpy(static_cast<void*>(sample.rows().data()), from, bytes);
        from += bytes;
        to += SampleState::bytes(samples_[i]);
        break;
      }
      case Tag::covariance:
        from = unpack_pairs<CovarianceState>(&to, from);
        break;
      case Tag::regression:
        from = unpack_pairs<RegressionState>(&to, from);
        break;
      case Tag::histogram:
      case Tag::points:
        break;
    }
  }
  return from;
}

inline std::size_t UnitRecord::most_packed() const {
  std::size_t bytes = 0;
  for (int i = 0; i < count_; ++i) {
    bytes += tags_[i] == Tag::sum ? 0 : packed::kMostOfNumber;
    bytes += tags_[i] == Tag::sum || tags_[i] == Tag::mean ? packed::kMostOfTotal : 0;
    bytes += tags_[i] == Tag::moments || tags_[i] == Tag::totals ? 2 * packed::kMostOfTotal : 0;
    bytes += tags_[i] == Tag::all_moments ? 3 * packed::kMostOfTotal : 0;
    bytes += tags_[i] == Tag::covariance ? 5 * packed::kMostOfTotal : 0;
    bytes += tags_[i] == Tag::regression ? 10 * packed::kMostOfTotal : 0;
    bytes += tags_[i] == Tag::sample ? samples_[i] * sizeof(KeptRow) : 0;
  }
  return bytes;
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
