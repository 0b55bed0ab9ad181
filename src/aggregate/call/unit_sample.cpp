#include "aggregate/call/unit_sample.h"

#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

SampleState* make_sample(MemoryContext memory, std::uint32_t most, std::uint64_t room) {
  auto* const sample = static_cast<SampleState*>(MemoryContextAlloc(memory, SampleState::bytes(room)));
  sample->tag = Tag::sample;
  sample->most = most;
  sample->used = 0;
  sample->room = room;
  return sample;
}

SampleState* with_room(SampleState* sample) {
  if (!sample->is_cramped()) return sample;
  const std::uint64_t room = sample->next_room();
  auto* const larger = static_cast<SampleState*>(repalloc(sample, SampleState::bytes(room)));
  larger->room = room;
  return larger;
}

}  // namespace

Datum keep_row(FunctionCallInfo fcinfo, const Call& call, std::int64_t bucket) {
  const std::uint32_t most = call.sample;
  const KeptRow row = KeptRow::of(pg::random_bits().bits(KeptRow::kRandomBits), bucket);
  if (call.units != nullptr) {
    auto* const kept = static_cast<SampleState*>(reinterpret_cast<State*>(PG_GETARG_POINTER(0)));
    kept->most = most;
    kept->keep(row);
    PG_RETURN_POINTER(kept);
  }
  SampleState* sample = PG_ARGISNULL(0) ? make_sample(state_memory(fcinfo), most, most < 4 ? most : 4)
                                        : static_cast<SampleState*>(reinterpret_cast<State*>(PG_GETARG_POINTER(0)));
  sample = with_room(sample);
  sample->keep(row);
  PG_RETURN_POINTER(sample);
}

SampleState* combine_samples(MemoryContext memory, SampleState* own, const SampleState& other) {
  if (own == nullptr) own = make_sample(memory, other.most, other.used < 1 ? 1 : other.used);
  if (own->most != other.most) {
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("samples of privacy units are of different aggregates")));
  }
  for (const KeptRow& row : other.rows()) {
    own = with_room(own);
    own->keep(row);
  }
  return own;
}

}  // namespace dp::aggregate
