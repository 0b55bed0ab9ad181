#include "aggregate/call/unit_buckets.h"

#include <cstring>

#include "aggregate/unit/group_states.h"

namespace dp::aggregate {

Tag tag_of_unit(const Call& call) { return call.by_bucket ? Tag::count : *call.support->of_unit; }

std::uint64_t cells_of(const UnitGroup& units, std::uint64_t groups) {
  return groups * (units.buckets > 0 ? units.buckets : 1);
}

void make_totals(UnitGroup* units, std::uint64_t groups) {
  const std::uint64_t cells = cells_of(*units, groups);
  for (int i = 0; i < units->count; ++i) {
    const Size bytes = cells * sizeof(AnyState);
    auto* const totals = static_cast<AnyState*>(MemoryContextAllocHuge(CurrentMemoryContext, bytes + 1));
    std::memset(static_cast<void*>(totals), 0, bytes);
    for (std::uint64_t cell = 0; cell < cells; ++cell) totals[cell].state.tag = units->tags[i];
    units->shares[i].by_group = totals;
  }
}

void count_in_bucket(const Call& call, int bucket) {
  const UnitGroup& units = *call.units;
  const std::uint64_t cell = static_cast<std::uint64_t>(units.place) * units.buckets + static_cast<unsigned>(bucket);
  char* const record = units.group_states->record_of(units.unit, cell);
  static_cast<CountState*>(reinterpret_cast<State*>(record))->add();
}

State* counts_of_group(const Call& call, std::uint64_t group) {
  const std::uint64_t size = call.units->buckets;
  auto* const counts = static_cast<HistogramState*>(palloc0(HistogramState::bytes(size)));
  counts->tag = Tag::histogram;
  counts->size = size;
  const AnyState* const totals = call.units->shares[call.share].by_group + group * size;
  for (std::uint64_t bucket = 0; bucket < size; ++bucket)
    counts->counts()[bucket] = static_cast<const CountState&>(totals[bucket].state).rows;
  return counts;
}

}  // namespace dp::aggregate
