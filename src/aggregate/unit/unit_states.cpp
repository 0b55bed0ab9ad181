#include "aggregate/unit/unit_states.h"

#include <algorithm>
#include <utility>

#include "aggregate/unit/unit_choices.h"
#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

bool may_have_same_words(const UnitGroup& group) {
  for (int i = 0; i < group.count; ++i) {
    const UnitShare& share = group.shares[i];
    if (!may_be_taken_for_one(group.tags[i], share.row, share.choice != nullptr)) return false;
  }
  return true;
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
  Unit unit = long_bytes(value, length);
  unit.word = word_of(unit.bytes, unit.size);
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
    group->shares[i].memory = above;
    group->shares[i].points = nullptr;
    group->shares[i].file = nullptr;
    if (group->tags[i] != Tag::sample || group->shares[i].keeps_points) continue;
    const auto size = static_cast<std::uint64_t>(group->shares[i].buckets);
    auto* const counts = static_cast<HistogramState*>(MemoryContextAllocZero(above, HistogramState::bytes(size)));
    counts->tag = Tag::histogram;
    counts->size = size;
    group->shares[i].counts = counts;
  }
}

UnitStates::UnitStates(MemoryContext context, UnitGroup* group, Oid type)
    : group_(group),
      type_(type),
      context_(context),
      bytes_(context),
      spill_limit_(get_hash_memory_limit()),
      limit_(UnitSpill::half_beside(spill_limit_)),
      length_(get_typlen(type)),
      word_bits_(get_typbyval(type) ? word_bits(length_) : 0),
      table_(group->tags, group->count,
             get_typbyval(type) || may_have_same_words(*group) ? UnitTable::Units::words : UnitTable::Units::long_ones,
             group->samples),
      is_keyed_(!get_typbyval(type) && table_.units() == UnitTable::Units::words),
      narrow_(nullptr, 0),
      front_(table_.units(), table_.record().bytes()) {
  spill_ = new (MemoryContextAlloc(context_, sizeof(UnitSpill)))
      UnitSpill(context_, table_.units(), table_.record().most_packed(), spill_limit_, limit_);
  unpacked_ = static_cast<State*>(MemoryContextAllocZero(context_, table_.record().bytes()));
  counts_rows_ = is_count();
  if (is_keyed_ && group->sent != nullptr) key_ = group->sent->key;
  if (is_keyed_ && group->sent == nullptr) key_.draw(pg::random_bits());
  is_narrow_ = make_narrow();
  if (is_narrow_ && !is_keyed_) {
    make_pages();
  } else {
    begin_without_pages(2 * limit_);
  }
  const std::uint64_t slots = std::clamp<std::uint64_t>(limit_ / table_.slot_bytes(), UnitTable::kLeast, 1024);
  table_.begin(MemoryContextAllocZero(context_, table_.bytes(slots)), slots);
  const UnitChoices choices(group, context_);
  if (choices.has_arms()) choices_ = new (MemoryContextAlloc(context_, sizeof(UnitChoices))) UnitChoices(choices);
}

// ---- rows ---------------------------------------------------------------------------------------------------------

// Puts the record of a place in front into its unit's partition, if there is one. The unit of word 0 belongs to the
// first place.
inline void UnitStates::put_front(const State* record) {
  const Unit unit = front_.unit_of(record);
  if (unit.word == 0 && (table_.units() == UnitTable::Units::long_ones || record != front_.first_place())) return;
  put(unit, *record);
  if (spill_->is_full()) condense();
}

// The last record becomes the empty one of another unit.
void UnitStates::give_way(const Unit& unit) {
  if (front_.is_to_change()) [[unlikely]] {
    empty_front(unit);
    last_ = front_.place_of(unit.word);
  } else {
    put_front(last_);
  }
  front_.make(last_, unit);
}

void UnitStates::empty_front(const Unit& unit) {
  front_.empty(unit, [this](const State* record) { put_front(record); });
  last_ = nullptr;
}

// A row of a unit that is not expected to be in front is put among the others of its partition at once.
void UnitStates::count_without_page(Datum value) {
  if (places_ != nullptr) return count_for_place(word_of_value(value));
  if (!front_.rests() || front_.is_to_change()) {
    static_cast<CountState*>(reinterpret_cast<State*>(record_without_page(value)))->add();
    return;
  }
  const Unit unit = table_.units() == UnitTable::Units::words ? Unit{word_of_value(value)} : long_unit(value, length_);
  front_.pass();
  spill_->put(unit, [](char* to) { return packed::put(to, 1); });
  if (spill_->is_full()) condense();
}

char* UnitStates::record_without_page(Datum unit) {
  if (table_.units() == UnitTable::Units::long_ones) return record_of_long(unit);
  if (!is_keyed_) {
    if (unit == last_unit_ && last_ != nullptr) return reinterpret_cast<char*>(last_);
    last_unit_ = unit;
  }
  const std::uint64_t word = word_of_value(unit);
  return places_ != nullptr ? record_for_place(word) : record_in_front({word});
}

char* UnitStates::record_of_long(Datum value) {
  const Unit unit = long_unit(value, length_);
  if (!front_.has_room(unit)) empty_front(unit);
  return record_in_front(unit);
}

// ---- units --------------------------------------------------------------------------------------------------------

// Adds up what is in memory, partition by partition.
void UnitStates::condense() {
  spill_->condense([this] {
    begin();
    UnitEntry entry{};
    while (spill_->get(&entry)) add(entry);
    table_.visit_records([this](const Unit& known, const State& record) { put(known, record); });
  });
  begin();
}

void UnitStates::begin() {
  bytes_.forget();
  std::memset(table_.memory(), 0, table_.bytes(table_.slots()));
  table_.begin(table_.memory(), table_.slots());
  full_ = false;
}

inline void UnitStates::add(const UnitEntry& entry) {
  table_.record().unpack(unpacked_, entry.packed);
  State* const known = table_.find(entry.unit);
  if (known != nullptr) {
    table_.record().merge(*known, *unpacked_);
  } else {
    add_new(entry.unit, *unpacked_);
  }
}

void UnitStates::add_new(const Unit& unit, const State& record) {
  if (make_room(unit)) {
    table_.insert({unit.word, bytes_.keep(unit, limit_), unit.size}, record);
  } else {
    put(unit, record);
  }
}

// Once a table is full no unit gets in, not even a shorter one. The first unit always gets in, so that each partition
// gets smaller.
bool UnitStates::make_room(const Unit& unit) {
  if (full_) return false;
  if (table_.used() == 0) return true;
  const bool fits = bytes_.has_room(unit) || table_.bytes(table_.slots()) + bytes_.size() + unit.size <= limit_;
  full_ = !fits || (!table_.has_room() && !grow());
  return !full_;
}

// Doubles the table, or grows it to what the limit allows if further units are as long as those so far.
bool UnitStates::grow() {
  const std::size_t of_unit = table_.slot_bytes() + bytes_.size() / table_.used();
  const std::uint64_t slots = std::min<std::uint64_t>(2 * table_.slots(), limit_ / of_unit);
  if (slots < table_.slots() + table_.slots() / 8) return false;
  void* const old = table_.memory();
  table_.move_to(MemoryContextAllocExtended(context_, table_.bytes(slots), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO), slots);
  pfree(old);
  return true;
}

// Adds what counts of a unit to the totals, or to what limits are chosen from.
void UnitStates::add_unit(State& record) {
  if (choices_ == nullptr)
    return table_.record().visit(record, [this](int number, State& state) { add_totals(number, state); });
  choices_->add(
      1,
      [&](auto visit) {
        table_.record().visit(record, [&](int number, State& state) { visit(std::size_t{0}, number, state); });
      },
      [](std::size_t) { return std::uint64_t{0}; },
      [this](std::size_t, int number, State& state) { add_totals(number, state); });
}

// The same of one state.
inline void UnitStates::add_totals(int number, State& state) {
  UnitShare& share = group_->shares[number];
  if (share.keeps_points) {
    static_cast<SampleState&>(state).visit_least(share.rows, [&](std::uint64_t point) {
      share.points = add_point(share.memory, share.points, static_cast<std::uint32_t>(point), &share.file);
    });
    return;
  }
  if (share.counts != nullptr) {
    static_cast<SampleState&>(state).visit_least(share.rows,
                                                 [&](std::uint64_t bucket) { ++share.counts->counts()[bucket]; });
    return;
  }
  if (share.choice != nullptr)
    return with_kind(state, [&](auto& unit) { share.choice->add(unit, share.rows, share.row); });
  limit_unit(state, share.rows, share.row);
  merge_states(share.total.state, state);
}

// The same of units whose places lie so many bytes from each other.
void UnitStates::add_places(const char* places, std::size_t units, std::size_t stride) {
  if (choices_ != nullptr) {
    for (std::size_t i = 0; i < units; ++i) {
      const char* const place = places + i * stride;
      if (narrow_.is_empty(place)) continue;
      narrow_.widen(unpacked_, place);
      add_unit(*unpacked_);
    }
    return;
  }
  for (int i = 0; i < group_->count; ++i) {
    UnitShare& share = group_->shares[i];
    if (share.choice == nullptr) {
      narrow_.add_limited(i, &share.total.state, places, units, stride, share.rows, share.row);
    } else {
      narrow_.visit(i, places, units, stride, [&](auto& unit) { share.choice->add(unit, share.rows, share.row); });
    }
  }
}

void UnitStates::read_others() {
  if (places_apart() != nullptr) return std::exchange(places_, nullptr)->end();
  if (places_ != nullptr) empty_places();
  empty_front({});
  spill_->write_from_now();
}

bool UnitStates::next_units() {
  if (!spill_->next()) return false;
  CHECK_FOR_INTERRUPTS();
  begin();
  UnitEntry entry{};
  while (spill_->get(&entry)) add(entry);
  return true;
}

void UnitStates::finish() {
  const auto add = [this](const char* places, std::size_t units, std::size_t stride) {
    add_places(places, units, stride);
  };
  if (UnitPages* const pages = whole_pages(); pages != nullptr) {
    pages->empty_by_page(
        [&](std::uint64_t, const char* places) { add(places, page_bytes_ / narrow_.bytes(), narrow_.bytes()); });
  } else {
    if (UnitPlaces* const places = places_apart(); places != nullptr) places->visit_places(add);
    read_others();
    while (next_units()) table_.visit_records([this](const Unit&, State& record) { add_unit(record); });
  }
  end();
}

}  // namespace dp::aggregate
