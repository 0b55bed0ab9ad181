#include "aggregate/unit/group_states.h"

#include <algorithm>
#include <utility>

#include "pg/random_bits.h"

namespace dp::aggregate {

void GroupStates::make(MemoryContext above, UnitGroup* group, Oid type) {
  MemoryContext const context = AllocSetContextCreate(above, "groups of privacy units", ALLOCSET_DEFAULT_SIZES);
  group->group_states = new (MemoryContextAlloc(context, sizeof(GroupStates))) GroupStates(context, group, type);
  auto* const end = static_cast<MemoryContextCallback*>(MemoryContextAlloc(context, sizeof(MemoryContextCallback)));
  end->arg = group;
  end->func = [](void* ended) { static_cast<UnitGroup*>(ended)->group_states = nullptr; };
  MemoryContextRegisterResetCallback(context, end);
}

GroupStates::GroupStates(MemoryContext context, UnitGroup* group, Oid type)
    : group_(group),
      context_(context),
      memory_(AllocSetContextCreate(context, "records of privacy units", ALLOCSET_SMALL_SIZES)),
      bytes_(context),
      record_(group->tags, group->count),
      units_(get_typbyval(type) ? UnitTable::Units::words : UnitTable::Units::long_ones),
      length_(get_typlen(type)),
      stride_(record_.bytes() + sizeof(Rows) + (units_ == UnitTable::Units::long_ones ? sizeof(Bytes) : 0)),
      spill_limit_(get_hash_memory_limit()) {
  // The order of the records takes room as well.
  limit_ = (spill_limit_ - UnitSpill::buffers(spill_limit_)) / (stride_ + sizeof(Place)) * stride_;
  recent_ = static_cast<Recent*>(MemoryContextAlloc(context_, kRecent * sizeof(Recent)));
  begin();
}

// Partitions that fit into the processor's cache are faster than one table that does not. So where records are more
// than that they are written, and only what is read back may take all the memory.
std::size_t GroupStates::limit() const {
  constexpr std::size_t kAtFirst = 8 * 1024 * 1024;
  return spill_ == nullptr ? std::min(limit_, kAtFirst) : limit_;
}

void GroupStates::begin() {
  MemoryContextReset(memory_);
  bytes_.forget();
  room_ = kLeast;
  records_ = static_cast<char*>(MemoryContextAlloc(memory_, room_ * stride_));
  used_ = 0;
  spilled_ = false;
  forget_recent();
}

void GroupStates::forget_recent() { std::memset(static_cast<void*>(recent_), 0, kRecent * sizeof(Recent)); }

Unit GroupStates::unit_of(const State* record) const {
  const std::uint64_t word = word_of_record(record);
  if (units_ == UnitTable::Units::words) return {word};
  return {word, bytes_of(record).bytes, bytes_of(record).size};
}

char* GroupStates::record_of(Datum value, std::uint64_t group) {
  Unit unit{};
  if (units_ == UnitTable::Units::words) {
    unit.word = word_of(plain_bits(value, length_));
  } else {
    unit = long_unit(value, length_);
  }
  Recent& recent = recent_[(unit.word + group) % kRecent];
  if (recent.word != unit.word || recent.group != group + 1 ||
      (units_ == UnitTable::Units::long_ones &&
       !same_bytes(bytes_of(recent.record).bytes, bytes_of(recent.record).size, unit))) {
    State* const record = append(unit);
    std::memset(static_cast<void*>(record), 0, record_.bytes());
    record->tag = static_cast<Tag>(unit.word);
    rows_of(record) = {group, 0};
    recent = {unit.word, group + 1, record};
  }
  ++rows_of(recent.record).count;
  return reinterpret_cast<char*>(recent.record);
}

// A new record of that unit, of which nothing else is there.
State* GroupStates::append(const Unit& unit) {
  const bool fits = bytes_.has_room(unit) || used_ * stride_ + bytes_.size() + unit.size <= limit();
  if (used_ == room_ || !fits) make_room(fits);
  State* const record = at(used_++);
  if (units_ == UnitTable::Units::long_ones) bytes_of(record) = {bytes_.keep(unit, limit()), unit.size};
  return record;
}

// Room for one more record: more memory, or fewer records. All records of one unit get in once they were condensed, so
// that each partition gets smaller; and of a partition that cannot. Once something was written the rest is as well, a
// few records at a time, which stay in the cache. Where it is units' bytes that do not fit, no more records get in than
// one unit may need.
void GroupStates::make_room(bool fits) {
  if (spilled_) return spill_all();
  const std::uint64_t of_one_unit = 2 * group_->groups + 2;
  const bool few = used_ < (fits ? std::max(kLeast, of_one_unit) : of_one_unit);
  if (few && used_ < room_) return;
  if (few || fits) {
    const std::size_t of_record = stride_ + bytes_.size() / std::max<std::uint64_t>(used_, 1);
    const std::uint64_t most = std::min<std::uint64_t>(limit() / of_record, PG_UINT32_MAX);
    const std::uint64_t room = few ? 2 * room_ : std::min(2 * room_, most);
    if (room >= room_ + room_ / 8) return grow(room);
  }
  if (condense()) return;
  if (spill_ == nullptr || !spill_->is_exhausted()) return spill_all();
  if (used_ == room_) grow(2 * room_);
}

void GroupStates::grow(std::uint64_t room) {
  records_ = static_cast<char*>(repalloc_huge(records_, room * stride_));
  room_ = room;
  forget_recent();
}

// By unit and group. Where words are equal, long units may still differ.
bool GroupStates::is_before(const Place& one, const Place& other) const {
  if (one.word != other.word) return one.word < other.word;
  const Unit first = unit_of(at(one.record)), second = unit_of(at(other.record));
  if (first.size != second.size) return first.size < second.size;
  const int order = first.size == 0 ? 0 : std::memcmp(first.bytes, second.bytes, first.size);
  return order != 0 ? order < 0 : one.group < other.group;
}

void GroupStates::sort(Place* begin, Place* end) const {
  if (units_ == UnitTable::Units::long_ones) {
    std::sort(begin, end, [this](const Place& one, const Place& other) { return is_before(one, other); });
  } else {
    std::sort(begin, end, [](const Place& one, const Place& other) {
      return one.word < other.word || (one.word == other.word && one.group < other.group);
    });
  }
}

bool GroupStates::is_same_unit(const State* one, const State* other) const {
  if (one->tag != other->tag) return false;
  return units_ == UnitTable::Units::words || same_bytes(bytes_of(one).bytes, bytes_of(one).size, unit_of(other));
}

// All records, by unit and group. Words are spread evenly: by their first bits they come into short stretches.
GroupStates::Place* GroupStates::put_in_order() {
  unsigned bits = 0;
  while (bits < 16 && used_ >> bits > 16) ++bits;
  const auto stretch_of = [bits](std::uint64_t word) { return bits == 0 ? 0 : word >> (64 - bits); };
  const std::uint64_t stretches = std::uint64_t{1} << bits;
  auto* const ends = static_cast<std::uint64_t*>(MemoryContextAllocZero(memory_, stretches * sizeof(std::uint64_t)));
  for (std::uint64_t i = 0; i < used_; ++i) ++ends[stretch_of(word_of_record(at(i)))];
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < stretches; ++i) begin += std::exchange(ends[i], begin);
  auto* const places = static_cast<Place*>(MemoryContextAllocHuge(memory_, used_ * sizeof(Place) + 1));
  for (std::uint64_t i = 0; i < used_; ++i) {
    const State* const record = at(i);
    const std::uint64_t word = word_of_record(record);
    places[ends[stretch_of(word)]++] = {word, static_cast<std::uint32_t>(rows_of(record).group),
                                        static_cast<std::uint32_t>(i)};
  }
  begin = 0;
  for (std::uint64_t i = 0; i < stretches; ++i) {
    CHECK_FOR_INTERRUPTS();
    sort(places + begin, places + ends[i]);
    begin = ends[i];
  }
  pfree(ends);
  return places;
}

// Lets the records of one group of a unit become one. True where at most half of them are left.
bool GroupStates::condense() {
  Place* const places = put_in_order();
  State* known = nullptr;
  for (std::uint64_t i = 0; i < used_; ++i) {
    State* const record = at(places[i].record);
    if (known != nullptr && rows_of(known).group == places[i].group && is_same_unit(known, record)) {
      record_.merge(*known, *record);
      rows_of(known).count += rows_of(record).count;
      rows_of(record).count = 0;
    } else {
      known = record;
    }
  }
  pfree(places);
  KeptBytes outgrown = std::exchange(bytes_, KeptBytes(context_));
  const std::uint64_t before = std::exchange(used_, 0);
  for (std::uint64_t i = 0; i < before; ++i) {
    if (rows_of(at(i)).count == 0) continue;
    State* const moved = at(used_++);
    std::memmove(static_cast<void*>(moved), at(i), stride_);
    if (units_ == UnitTable::Units::long_ones) bytes_of(moved).bytes = bytes_.keep(unit_of(moved), limit());
  }
  outgrown.end();
  forget_recent();
  return used_ <= before / 2;
}

// Writes all records to partitions, by unit.
void GroupStates::spill_all() {
  if (spill_ == nullptr) {
    spill_ = new (MemoryContextAlloc(context_, sizeof(UnitSpill)))
        UnitSpill(context_, record_.bytes() + sizeof(Rows), units_, spill_limit_, 0, nullptr);
    spill_->write_from_now();
  }
  for (std::uint64_t i = 0; i < used_; ++i) {
    CHECK_FOR_INTERRUPTS();
    spill_->put(unit_of(at(i)), *at(i));
  }
  begin();
  spilled_ = true;
}

// The groups of one unit.
void GroupStates::add_unit(GroupShare* first, const GroupShare* end) {
  const std::span<GroupShare> groups(first, static_cast<std::size_t>(end - first));
  for (const GroupShare& group : share_groups(groups, group_->limits, pg::random_bits())) {
    State& record = *static_cast<State*>(group.group);
    const std::uint64_t number = rows_of(&record).group;
    record_.visit(record, [&](int aggregate, State& unit) {
      const UnitShare& share = group_->shares[aggregate];
      limit_unit(unit, static_cast<std::uint32_t>(std::min<std::uint64_t>(group.rows, share.rows)), share.row);
      merge_states(share.by_group[number].state, unit);
    });
  }
}

void GroupStates::add_totals() {
  const Place* const places = put_in_order();
  auto* const shares =
      static_cast<GroupShare*>(MemoryContextAllocHuge(memory_, group_->groups * sizeof(GroupShare) + 1));
  for (std::uint64_t i = 0; i < used_;) {
    CHECK_FOR_INTERRUPTS();
    const State* const unit = at(places[i].record);
    GroupShare* share = shares;
    std::uint32_t group = 0;
    for (; i < used_; ++i) {
      constexpr std::uint64_t kAhead = 16;
      if (used_ - i > kAhead) __builtin_prefetch(at(places[i + kAhead].record));
      State* const record = at(places[i].record);
      if (!is_same_unit(unit, record)) break;
      if (share != shares && places[i].group == group) {
        record_.merge(*static_cast<State*>(share[-1].group), *record);
        share[-1].rows += rows_of(record).count;
      } else {
        *share++ = {record, rows_of(record).count};
        group = places[i].group;
      }
    }
    add_unit(shares, share);
  }
}

void GroupStates::finish() {
  for (;;) {
    CHECK_FOR_INTERRUPTS();
    if (spilled_) {
      spill_all();
    } else {
      add_totals();
    }
    if (spill_ == nullptr || !spill_->next()) break;
    begin();
    Unit unit{};
    while (const State* const read = spill_->get(&unit)) {
      CHECK_FOR_INTERRUPTS();
      std::memcpy(static_cast<void*>(append(unit)), read, record_.bytes() + sizeof(Rows));
    }
  }
  MemoryContextDelete(context_);
}

}  // namespace dp::aggregate
