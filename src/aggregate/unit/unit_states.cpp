#include "aggregate/unit/unit_states.h"

#include <algorithm>

namespace dp::aggregate {
namespace {

// The place of records in front: so much of the processor's cache.
constexpr std::size_t kMostInFront = 32 * 1024;

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
      type_(type),
      context_(context),
      bytes_(context),
      spill_limit_(get_hash_memory_limit()),
      limit_((spill_limit_ - UnitSpill::buffers(spill_limit_)) / 2),
      length_(get_typlen(type)),
      table_(group->tags, group->count, get_typbyval(type) ? UnitTable::Units::words : UnitTable::Units::long_ones,
             group->samples),
      narrow_(nullptr, 0),
      front_(table_.units(), table_.record().bytes()) {
  spill_ = new (MemoryContextAlloc(context_, sizeof(UnitSpill)))
      UnitSpill(context_, table_.units(), table_.record().most_packed(), spill_limit_, limit_);
  unpacked_ = static_cast<State*>(MemoryContextAllocZero(context_, table_.record().bytes()));
  make_pages();
  if (pages_ == nullptr) front_.begin(context_, std::min(kMostInFront, limit_ / 8));
  const std::uint64_t slots = std::clamp<std::uint64_t>(limit_ / table_.slot_bytes(), UnitTable::kLeast, 1024);
  table_.begin(MemoryContextAllocZero(context_, table_.bytes(slots)), slots);
}

// ---- pages --------------------------------------------------------------------------------------------------------

// Places for units, where their states are narrow: in nearly all of the memory, for there are hardly any records then.
void UnitStates::make_pages() {
  if (table_.units() == UnitTable::Units::long_ones) return;
  auto* const fields = static_cast<NarrowRecord::Field*>(
      MemoryContextAlloc(context_, static_cast<Size>(group_->count) * sizeof(NarrowRecord::Field)));
  for (int i = 0; i < group_->count; ++i) {
    const UnitShare& share = group_->shares[i];
    if (!NarrowRecord::find_field(group_->tags[i], share.rows, share.row, &fields[i])) return;
  }
  narrow_ = NarrowRecord(fields, group_->count);
  wide_ = static_cast<State*>(MemoryContextAllocZero(context_, kAhead * table_.record().bytes()));
  pages_ = new (MemoryContextAlloc(context_, sizeof(UnitPages)))
      UnitPages(context_, narrow_.bytes(), 2 * limit_ - limit_ / 4);
  page_bytes_ = pages_->page_bytes();
  spill_->keep_from_now(0);
}

// What does not fit the narrow states of its unit becomes a record.
void UnitStates::put_wide(std::size_t turn) {
  put({word_of(waiting_[turn].unit)}, *wide(turn));
  std::memset(static_cast<void*>(wide(turn)), 0, table_.record().bytes());
  if (spill_->is_full()) condense();
}

void UnitStates::move_all_to_pages() {
  for (std::size_t turn = 0; turn < kAhead; ++turn) move_to_page(turn);
  last_ = nullptr;
}

// Units need more pages than there is memory for: all become records, one page after the other.
void UnitStates::empty_pages() {
  move_all_to_pages();
  spill_->write_from_now();
  pages_->empty([this](std::uint64_t number, const char* place) {
    if (narrow_.is_empty(place)) return;
    narrow_.widen(wide_, place);
    put({word_of(number)}, *wide_);
  });
  spill_->keep_from_now(limit_);
  pages_ = nullptr;
  front_.begin(context_, std::min(kMostInFront, limit_ / 8));
}

// The record in front of that unit, which has no place any longer.
char* UnitStates::leave_pages(std::uint64_t unit) {
  empty_pages();
  return record_in_front({word_of(unit)});
}

// ---- rows ---------------------------------------------------------------------------------------------------------

// Puts a record into its unit's partition.
inline void UnitStates::put(const Unit& unit, const State& record) {
  spill_->put(unit, [&](char* to) { return table_.record().pack(to, record); });
}

// The same of the record of a place in front, if there is one. The unit of word 0 belongs to the first place.
inline void UnitStates::put_front(const State* record) {
  const Unit unit = front_.unit_of(record);
  if (unit.word == 0 && (table_.units() == UnitTable::Units::long_ones || record != front_.place_of(0))) return;
  put(unit, *record);
  if (spill_->is_full()) condense();
}

// The last record becomes the empty one of another unit.
void UnitStates::give_way(const Unit& unit) {
  put_front(last_);
  front_.make(last_, unit);
}

void UnitStates::empty_front(const Unit& unit) {
  front_.empty(unit, [this](const State* record) { put_front(record); });
  last_ = nullptr;
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

// Adds what counts of a unit's state to the totals.
inline void UnitStates::add_totals(int number, State& state) {
  UnitShare& share = group_->shares[number];
  if (share.counts != nullptr) {
    static_cast<SampleState&>(state).visit_least(share.rows,
                                                 [&](std::uint64_t bucket) { ++share.counts->counts()[bucket]; });
    return;
  }
  limit_unit(state, share.rows, share.row);
  merge_states(share.total.state, state);
}

UnitPages* UnitStates::whole_pages() {
  if (pages_ != nullptr) move_all_to_pages();
  return pages_ != nullptr && spill_->is_empty() ? pages_ : nullptr;
}

void UnitStates::read_units() {
  if (pages_ != nullptr) empty_pages();
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
  if (UnitPages* const pages = whole_pages(); pages != nullptr) {
    pages->empty([this](std::uint64_t, const char* place) {
      if (narrow_.is_empty(place)) return;
      narrow_.widen(wide_, place);
      table_.record().visit(*wide_, [this](int number, State& state) { add_totals(number, state); });
    });
  } else {
    read_units();
    while (next_units()) table_.visit([this](int number, State& state) { add_totals(number, state); });
  }
  end();
}

// ---- units of other processes -------------------------------------------------------------------------------------

void UnitStates::add_record(const UnitEntry& entry) {
  if (pages_ != nullptr) empty_pages();
  spill_->put(entry.unit, [&entry](char* to) {
    const auto size = static_cast<std::size_t>(entry.begin + entry.bytes - entry.packed);
    std::memcpy(to, entry.packed, size);
    return to + size;
  });
  if (spill_->is_full()) condense();
}

void UnitStates::add_page(std::uint64_t number, const char* places) {
  if (pages_ != nullptr && pages_->take_page(number, places)) return;
  const std::uint64_t units = page_bytes_ / narrow_.bytes();
  for (std::uint64_t i = 0; i < units; ++i, places += narrow_.bytes()) {
    if (narrow_.is_empty(places)) continue;
    const std::uint64_t unit = number * units + i;
    char* const known = pages_ != nullptr ? pages_->place_of(unit) : nullptr;
    if (known == nullptr && pages_ != nullptr) empty_pages();
    waiting_[0] = {nullptr, unit};
    narrow_.widen(wide(0), places);
    if (known == nullptr || !narrow_.take(known, wide(0))) put_wide(0);
  }
}

}  // namespace dp::aggregate
