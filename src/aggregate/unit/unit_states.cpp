#include "aggregate/unit/unit_states.h"

#include <algorithm>

#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

// A record of a table by groups, when these are put in order by unit.
struct Ordered {
  std::uint64_t word;
  State* record;
};

std::uint64_t hash_of(const char* bytes, std::size_t size) {
  const std::uint64_t hash =
      hash_bytes_extended(reinterpret_cast<const unsigned char*>(bytes), static_cast<int>(size), 0);
  return hash == 0 ? 1 : hash;
}

// An order of units that have the same word.
bool is_less(const Unit& one, const Unit& other) {
  if (one.size != other.size) return one.size < other.size;
  return one.size > 0 && std::memcmp(one.bytes, other.bytes, one.size) < 0;
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
    if (group->groups > 0 || group->tags[i] != Tag::sample) continue;
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
      least_(group->groups > 0 ? group->groups : 1),
      length_(get_typlen(type)),
      table_(group->tags, group->count, get_typbyval(type) ? UnitTable::Units::words : UnitTable::Units::long_ones,
             group->samples, group->groups > 0 ? UnitTable::Records::of_groups : UnitTable::Records::of_units) {
  limit_ = spill_limit_ - UnitSpill::buffers(spill_limit_);
  // What puts the records in order takes room as well.
  if (table_.by_groups()) limit_ = limit_ / (table_.slot_bytes() + sizeof(Ordered)) * table_.slot_bytes();
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
    if (table_.by_groups()) long_unit_.group = table_.group_of(*waiting(i)).group;
    add(long_unit_, *waiting(i));
  }
  std::memset(batch_, 0, static_cast<std::size_t>(waiting_) * table_.record_bytes());
  waiting_ = 0;
}

char* UnitStates::record_of_group(Datum value, std::uint64_t group) {
  char* record;
  if (table_.units() == UnitTable::Units::long_ones) {
    record = record_of_long(value, group + 1);
  } else {
    const Unit unit{.word = word_of(plain(value)), .group = group + 1};
    const bool again =
        waiting_ > 0 && last()->tag == static_cast<Tag>(unit.word) && table_.group_of(*last()).group == unit.group;
    if (!again) table_.prefetch_group(unit);
    record = again ? reinterpret_cast<char*>(last()) : begin_record(unit.word);
  }
  GroupRows& rows = table_.group_of(*reinterpret_cast<State*>(record));
  rows.group = group + 1;
  ++rows.rows;
  return record;
}

// `group`: from 1 on, 0 where there are none.
char* UnitStates::record_of_long(Datum value, std::uint64_t group) {
  Unit unit{};
  if (length_ > 0) {
    unit.bytes = DatumGetPointer(value);
    unit.size = static_cast<std::uint64_t>(length_);
  } else {
    const varlena* const plain = PG_DETOAST_DATUM_PACKED(value);
    unit.bytes = VARDATA_ANY(plain);
    unit.size = VARSIZE_ANY_EXHDR(plain);
  }
  if (waiting_ > 0) {
    const bool same_group = group == 0 || table_.group_of(*last()).group == group;
    if (same_group && same_bytes(long_unit_.bytes, long_unit_.size, unit)) return reinterpret_cast<char*>(last());
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
  return begin_record(hash_of(unit.bytes, unit.size));
}

void UnitStates::add_new(const Unit& unit, const State& record) {
  if (make_room(unit)) return table_.insert({unit.word, keep(unit), unit.size, unit.group}, record);
  if (spill_ == nullptr) {
    spill_ = new (MemoryContextAlloc(context_, sizeof(UnitSpill)))
        UnitSpill(context_, table_.record_bytes(), table_.units(), spill_limit_);
  }
  spill_->put(unit, record);
}

// Once a table is full no unit gets in, not even a shorter one. The first unit, or as many records as it can have, always
// get in, so that each partition gets smaller; and all records of a partition by groups that cannot.
bool UnitStates::make_room(const Unit& unit) {
  if (full_) return false;
  const bool must = table_.used() < least_ || (table_.by_groups() && spill_ != nullptr && spill_->is_exhausted());
  const bool fits = must || unit.size <= left_ || table_.bytes(table_.slots()) + kept_ + unit.size <= limit_;
  full_ = !fits || (!table_.has_room() && !grow(must));
  return !full_;
}

// Doubles the table, or grows it to what the limit allows if further units are as long as those so far.
bool UnitStates::grow(bool must) {
  const std::size_t of_unit = table_.slot_bytes() + kept_ / table_.used();
  const std::uint64_t twice = 2 * table_.slots();
  const std::uint64_t slots = must ? twice : std::min<std::uint64_t>(twice, limit_ / of_unit);
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

void UnitStates::add_totals() {
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
}

// The groups of one unit.
void UnitStates::add_unit(GroupShare* first, const GroupShare* end) {
  const std::span<GroupShare> groups(first, static_cast<std::size_t>(end - first));
  for (const GroupShare& group : share_groups(groups, group_->limits, pg::random_bits())) {
    State& record = *static_cast<State*>(group.group);
    const std::uint64_t number = table_.group_of(record).group - 1;
    table_.visit_states(record, [&](int aggregate, State& unit) {
      const UnitShare& share = group_->shares[aggregate];
      limit_unit(unit, static_cast<std::uint32_t>(std::min<std::uint64_t>(group.rows, share.rows)), share.row);
      merge_states(share.by_group[number].state, unit);
    });
  }
}

void UnitStates::add_group_totals() {
  const std::uint64_t count = table_.used();
  auto* const ordered = static_cast<Ordered*>(MemoryContextAllocHuge(table_memory_, count * sizeof(Ordered) + 1));
  Ordered* end = ordered;
  table_.visit_slots([&](State& slot) { *end++ = {table_.unit_of(slot).word, &slot}; });
  std::sort(ordered, end, [this](const Ordered& one, const Ordered& other) {
    if (one.word != other.word || table_.units() == UnitTable::Units::words) return one.word < other.word;
    return is_less(table_.unit_of(*one.record), table_.unit_of(*other.record));
  });
  // A unit has no group twice.
  auto* const shares =
      static_cast<GroupShare*>(MemoryContextAllocHuge(table_memory_, group_->groups * sizeof(GroupShare)));
  for (const Ordered* next = ordered; next != end;) {
    CHECK_FOR_INTERRUPTS();
    const Unit unit = table_.unit_of(*next->record);
    GroupShare* share = shares;
    for (; next != end && next->word == unit.word; ++next) {
      constexpr int kAhead = 8;
      if (end - next > kAhead) __builtin_prefetch(next[kAhead].record);
      const Unit other = table_.unit_of(*next->record);
      if (!same_bytes(other.bytes, other.size, unit)) break;
      *share++ = {next->record, table_.group_of(*next->record).rows};
    }
    add_unit(shares, share);
  }
}

// Puts what is in the table beside what did not fit, so that all groups of a unit are in one partition.
void UnitStates::spill_all() {
  table_.visit_slots([this](State& slot) {
    CHECK_FOR_INTERRUPTS();
    spill_->put(table_.unit_of(slot), slot);
  });
}

void UnitStates::finish() {
  flush();
  auto* const record = reinterpret_cast<State*>(batch_);
  for (;;) {
    CHECK_FOR_INTERRUPTS();
    if (!table_.by_groups()) {
      add_totals();
    } else if (full_) {
      spill_all();
    } else {
      add_group_totals();
    }
    if (spill_ == nullptr || !spill_->next()) break;
    begin();
    Unit unit{};
    while (spill_->get(&unit, record)) {
      CHECK_FOR_INTERRUPTS();
      if (table_.by_groups()) unit.group = table_.group_of(*record).group;
      add(unit, *record);
    }
  }
  MemoryContextDelete(context_);
}

}  // namespace dp::aggregate
