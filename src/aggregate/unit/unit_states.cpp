#include "aggregate/unit/unit_states.h"

#include <algorithm>

namespace dp::aggregate {
namespace {

std::uint64_t hash_of(const char* bytes, std::size_t size) {
  const std::uint64_t hash =
      hash_bytes_extended(reinterpret_cast<const unsigned char*>(bytes), static_cast<int>(size), 0);
  return hash == 0 ? 1 : hash;
}

}  // namespace

bool are_told_by_bytes(Oid type, Oid collation) {
  switch (getBaseType(type)) {
    case BOOLOID:
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case OIDOID:
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
    case UUIDOID:
      return true;
    case TEXTOID:
    case VARCHAROID:
      return OidIsValid(collation) && get_collation_isdeterministic(collation);
    default:
      return false;
  }
}

Unit long_unit(Datum value, std::int16_t length) {
  Unit unit{};
  if (length > 0) {
    unit.bytes = DatumGetPointer(value);
    unit.size = static_cast<std::uint64_t>(length);
  } else {
    const varlena* const plain = PG_DETOAST_DATUM_PACKED(value);
    unit.bytes = VARDATA_ANY(plain);
    unit.size = VARSIZE_ANY_EXHDR(plain);
  }
  unit.word = hash_of(unit.bytes, unit.size);
  return unit;
}

void UnitStates::make(MemoryContext above, UnitGroup* group, Oid type) {
  MemoryContext const context = AllocSetContextCreate(above, "privacy units", ALLOCSET_DEFAULT_SIZES);
  group->states = new (MemoryContextAlloc(context, sizeof(UnitStates))) UnitStates(context, group, type);
  auto* const end = static_cast<MemoryContextCallback*>(MemoryContextAlloc(context, sizeof(MemoryContextCallback)));
  end->arg = group;
  end->func = [](void* ended) { static_cast<UnitGroup*>(ended)->states = nullptr; };
  MemoryContextRegisterResetCallback(context, end);
  for (int i = 0; i < group->count; ++i) {
    AnyState* const total = &group->shares[i].total;
    std::memset(static_cast<void*>(total), 0, sizeof *total);
    total->state.tag = group->tags[i];
    if (group->tags[i] != Tag::sample) continue;
    const auto size = static_cast<std::uint64_t>(group->shares[i].buckets);
    auto* const counts = static_cast<HistogramState*>(MemoryContextAllocZero(above, HistogramState::bytes(size)));
    counts->tag = Tag::histogram;
    counts->size = size;
    group->shares[i].counts = counts;
  }
}

UnitStates::UnitStates(MemoryContext context, UnitGroup* group, Oid type)
    : group_(group),
      context_(context),
      table_memory_(AllocSetContextCreate(context, "table of privacy units", ALLOCSET_SMALL_SIZES)),
      spill_limit_(get_hash_memory_limit()),
      length_(get_typlen(type)),
      table_(group->tags, group->count, get_typbyval(type) ? UnitTable::Units::words : UnitTable::Units::long_ones,
             group->samples) {
  limit_ = spill_limit_ - UnitSpill::buffers(spill_limit_);
  batch_ = static_cast<char*>(MemoryContextAllocZero(context_, kBatch * table_.record_bytes()));
  begin();
}

void UnitStates::begin() {
  MemoryContextReset(table_memory_);
  const std::uint64_t slots = std::clamp<std::uint64_t>(limit_ / table_.slot_bytes(), UnitTable::kLeast, 1024);
  table_.begin(MemoryContextAllocZero(table_memory_, table_.bytes(slots)), slots);
  full_ = false;
  kept_ = 0;
  left_ = 0;
}

inline void UnitStates::add(const Unit& unit, const State& record) {
  State* const known = table_.find(unit);
  if (known != nullptr) {
    table_.merge(*known, record);
  } else {
    add_new(unit, record);
  }
}

void UnitStates::flush() {
  for (int i = 0; i < waiting_; ++i) {
    long_unit_.word = static_cast<std::uint64_t>(waiting(i)->tag);
    add(long_unit_, *waiting(i));
  }
  std::memset(batch_, 0, static_cast<std::size_t>(waiting_) * table_.record_bytes());
  waiting_ = 0;
}

char* UnitStates::record_of_long(Datum value) {
  const Unit unit = long_unit(value, length_);
  if (waiting_ > 0) {
    if (same_bytes(long_unit_.bytes, long_unit_.size, unit)) return reinterpret_cast<char*>(last());
    flush();
  }
  if (unit.size > long_room_) {
    if (long_bytes_ != nullptr) pfree(long_bytes_);
    long_room_ = std::max<std::size_t>(unit.size, 128);
    long_bytes_ = static_cast<char*>(MemoryContextAllocHuge(context_, long_room_));
  }
  if (unit.size > 0) std::memcpy(long_bytes_, unit.bytes, unit.size);
  long_unit_.bytes = long_bytes_;
  long_unit_.size = unit.size;
  return begin_record(unit.word);
}

void UnitStates::add_new(const Unit& unit, const State& record) {
  if (make_room(unit)) return table_.insert({unit.word, keep(unit), unit.size}, record);
  if (spill_ == nullptr) {
    spill_ = new (MemoryContextAlloc(context_, sizeof(UnitSpill)))
        UnitSpill(context_, table_.record_bytes(), table_.units(), spill_limit_);
  }
  spill_->put(unit, record);
}

// Once a table is full no unit gets in, not even a shorter one. The first unit always gets in, so that each partition
// gets smaller.
bool UnitStates::make_room(const Unit& unit) {
  if (full_) return false;
  if (table_.used() == 0) return true;
  const bool fits = unit.size <= left_ || table_.bytes(table_.slots()) + kept_ + unit.size <= limit_;
  full_ = !fits || (!table_.has_room() && !grow());
  return !full_;
}

// Doubles the table, or grows it to what the limit allows if further units are as long as those so far.
bool UnitStates::grow() {
  const std::size_t of_unit = table_.slot_bytes() + kept_ / table_.used();
  const std::uint64_t slots = std::min<std::uint64_t>(2 * table_.slots(), limit_ / of_unit);
  if (slots < table_.slots() + table_.slots() / 8) return false;
  void* const old = table_.memory();
  table_.move_to(MemoryContextAllocExtended(table_memory_, table_.bytes(slots), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO),
                 slots);
  pfree(old);
  return true;
}

// A copy of the unit's bytes, for as long as the table.
const char* UnitStates::keep(const Unit& unit) {
  if (unit.size > left_) {
    constexpr std::size_t kMost = 64 * 1024;
    left_ = std::max<std::size_t>(unit.size, std::min(kMost, limit_ / 16));
    place_ = static_cast<char*>(MemoryContextAllocHuge(table_memory_, left_));
    kept_ += left_;
  }
  char* const copy = place_;
  if (unit.size > 0) std::memcpy(copy, unit.bytes, unit.size);
  place_ += unit.size;
  left_ -= unit.size;
  return copy;
}

void UnitStates::finish() {
  flush();
  auto* const record = reinterpret_cast<State*>(batch_);
  for (;;) {
    CHECK_FOR_INTERRUPTS();
    table_.visit([this](int number, State& unit) {
      UnitShare& share = group_->shares[number];
      if (share.counts != nullptr) {
        static_cast<SampleState&>(unit).visit_least(share.rows,
                                                    [&](std::uint64_t bucket) { ++share.counts->counts()[bucket]; });
        return;
      }
      limit_unit(unit, share.rows, share.row);
      merge_states(share.total.state, unit);
    });
    if (spill_ == nullptr || !spill_->next()) break;
    begin();
    Unit unit{};
    while (spill_->get(&unit, record)) {
      CHECK_FOR_INTERRUPTS();
      add(unit, *record);
    }
  }
  MemoryContextDelete(context_);
}

}  // namespace dp::aggregate
