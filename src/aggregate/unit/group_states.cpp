#include "aggregate/unit/group_states.h"

#include <algorithm>
#include <numeric>

#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

constexpr std::size_t kMostInFront = 32 * 1024;

// Copies places to others of which the i-th stretch is for those of which stretch_of() is i, each in the order in which
// they come. Afterwards `ends` says where each ends.
template <class Place, class StretchOf>
void spread(const Place* from, std::uint64_t count, Place* to, std::span<std::uint64_t> ends, StretchOf stretch_of) {
  std::fill(ends.begin(), ends.end(), 0);
  for (std::uint64_t i = 0; i < count; ++i) ++ends[stretch_of(from[i])];
  std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::uint64_t{0});
  for (std::uint64_t i = 0; i < count; ++i) to[ends[stretch_of(from[i])]++] = from[i];
}

}  // namespace

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
      type_(type),
      context_(context),
      record_(group->tags, group->count),
      units_(get_typbyval(type) ? UnitTable::Units::words : UnitTable::Units::long_ones),
      length_(get_typlen(type)),
      front_(units_, record_bytes()),
      choices_(group, context) {
  const std::size_t memory = get_hash_memory_limit();
  limit_ = UnitSpill::half_beside(memory) / sizeof(Place) * sizeof(Place);
  const std::size_t most_packed = 2 * packed::kMostOfNumber + record_.most_packed();
  spill_ =
      new (MemoryContextAlloc(context_, sizeof(UnitSpill))) UnitSpill(context_, units_, most_packed, memory, limit_);
  unpacked_ = static_cast<State*>(MemoryContextAllocZero(context_, record_bytes()));
  front_.begin(context_, std::min(kMostInFront, limit_ / 8));
}

// ---- rows ---------------------------------------------------------------------------------------------------------

char* GroupStates::record_of(Datum value, std::uint64_t group) {
  Unit unit{};
  if (units_ == UnitTable::Units::words) {
    unit.word = word_of(value & word_bits(length_));
  } else {
    unit = long_unit(value, length_);
    if (!front_.has_room(unit)) front_.empty(unit, [this](const State* record) { put_front(record); });
  }
  constexpr std::uint64_t kGoldenRatio = 0x9e37'79b9'7f4a'7c15;
  const std::uint64_t hash = unit.word + group * kGoldenRatio;
  State* record = front_.place_of(hash);
  if (!front_.is_of(record, unit) || rows_of(record).group() != group || rows_of(record).count() == 0) {
    if (front_.is_to_change()) [[unlikely]] {
      front_.empty(unit, [this](const State* gone) { put_front(gone); });
      record = front_.place_of(hash);
    }
    give_way(record, unit, group);
  }
  rows_of(record).add(1);
  return reinterpret_cast<char*>(record);
}

// A record in front becomes that of another unit or group.
void GroupStates::give_way(State* record, const Unit& unit, std::uint64_t group) {
  put_front(record);
  front_.make(record, unit);
  rows_of(record) = Rows(group, 0);
}

void GroupStates::put_front(const State* record) {
  if (rows_of(record).count() == 0) return;
  put(front_.unit_of(record), *record);
  if (spill_->is_full()) condense();
}

// Puts a record into its unit's partition: its group, the rows in it, the states.
void GroupStates::put(const Unit& unit, const State& record) {
  spill_->put(unit, [&](char* to) { return pack(to, record); });
}

char* GroupStates::pack(char* to, const State& record) const {
  to = packed::put(to, rows_of(&record).group());
  to = packed::put(to, rows_of(&record).count());
  return record_.pack(to, record);
}

void GroupStates::add_record(const UnitEntry& entry) {
  spill_->put(entry.unit, [&entry](char* to) { return entry.copy_packed(to); });
  if (spill_->is_full()) condense();
}

void GroupStates::add_file(const ShippedHead& head, const bytea* shipped, FileSet* files) {
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  files_ = lappend(files_, new (palloc(sizeof(ShippedRecords))) ShippedRecords(head, shipped, files, spill_->format()));
  MemoryContextSwitchTo(outer);
}

// Lets the records of one group of a unit that are in memory become one.
void GroupStates::condense() {
  spill_->condense([this] {
    begin();
    UnitEntry entry{};
    while (spill_->get(&entry)) read(entry);
    merge_and_put();
  });
}

// ---- partitions ---------------------------------------------------------------------------------------------------

void GroupStates::begin() {
  bytes_ = 0;
  used_ = 0;
}

// Keeps a record that is read.
void GroupStates::read(const UnitEntry& entry) {
  const std::size_t more = spill_->format().most_bytes(entry.unit) + packed::kSlack + sizeof(Place);
  if (room_ - bytes_ - used_ * sizeof(Place) < more) make_room(more);
  std::uint64_t group;
  packed::get(entry.packed, &group);
  ++used_;
  *places() = Place(entry.unit.word, group, bytes_);
  char* const end =
      spill_->format().write(memory_ + bytes_, entry.unit, [&entry](char* to) { return entry.copy_packed(to); });
  bytes_ = static_cast<std::size_t>(end - memory_);
}

// More memory; or, of a partition that does not fit, what is there is partitioned again. That ends where a partition
// has nothing but one unit, which is kept whatever it takes.
void GroupStates::make_room(std::size_t more) {
  if (room_ == limit_ && used_ > 0 && !spill_->is_exhausted()) {
    merge_and_put();
    parted_ = true;
    if (room_ >= more) return;
  }
  constexpr std::size_t kLeast = 16 * 1024;
  const std::size_t needed = bytes_ + used_ * sizeof(Place) + more;
  std::size_t room = std::min(std::max(2 * room_, kLeast), limit_);
  while (room < needed) room *= 2;
  auto* const larger = static_cast<char*>(MemoryContextAllocHuge(context_, room));
  if (memory_ != nullptr) {
    std::memcpy(larger, memory_, bytes_);
    std::memcpy(larger + room - used_ * sizeof(Place), places(), used_ * sizeof(Place));
    pfree(memory_);
  }
  memory_ = larger;
  room_ = room;
}

// All records, by unit and group. Words are spread evenly: by their first bits they come into stretches of few units,
// after their groups where these are not many, so that hardly a record has to be moved in its stretch.
void GroupStates::put_in_order() {
  if (used_ < 2) return;
  unsigned bits = 1;
  while (bits < 48 && used_ >> bits > 2) ++bits;
  Place* const places = this->places();
  std::uint64_t groups = 0;
  for (std::uint64_t i = 0; i < used_; ++i) groups = std::max(groups, places[i].group() + 1);
  auto* const others = static_cast<Place*>(MemoryContextAllocHuge(context_, used_ * sizeof(Place)));
  auto* const ends = static_cast<std::uint64_t*>(MemoryContextAllocHuge(context_, sizeof(std::uint64_t) << bits));
  if (groups >> bits == 0) {
    spread(places, used_, others, {ends, groups}, [](const Place& place) { return place.group(); });
  } else {
    std::copy(places, places + used_, others);
  }
  const std::span<std::uint64_t> stretches(ends, std::size_t{1} << bits);
  spread(others, used_, places, stretches, [bits](const Place& place) { return place.word() >> (64 - bits); });
  std::uint64_t begin = 0;
  for (const std::uint64_t end : stretches) {
    if (end - begin > 1) std::sort(places + begin, places + end);
    begin = end;
  }
  pfree(ends);
  pfree(others);
}

// Whether records of one word, by group, are of one unit. Else they are put in order by unit and group.
bool GroupStates::tell_apart(Place* first, Place* end) const {
  const Unit unit = entry_at(*first).unit;
  const auto is_same = [&](const Place& place) { return same_bytes(unit.bytes, unit.size, entry_at(place).unit); };
  if (std::all_of(first + 1, end, is_same)) return true;
  std::sort(first, end, [this](const Place& one, const Place& other) {
    const Unit a = entry_at(one).unit, b = entry_at(other).unit;
    if (a.size != b.size) return a.size < b.size;
    const int order = a.size == 0 ? 0 : std::memcmp(a.bytes, b.bytes, a.size);
    return order != 0 ? order < 0 : one < other;
  });
  return false;
}

void GroupStates::unpack(State* record, const UnitEntry& entry) const {
  std::uint64_t group, count;
  const char* const states = packed::get(packed::get(entry.packed, &group), &count);
  record_.unpack(record, states);
  rows_of(record) = Rows(group, count);
}

void GroupStates::make_room_for_groups() {
  const std::uint64_t room = std::max<std::uint64_t>(2 * merged_room_, 16);
  const auto grown = [this](void* old, std::size_t size) {
    return old == nullptr ? MemoryContextAllocHuge(context_, size) : repalloc_huge(old, size);
  };
  merged_ = static_cast<char*>(grown(merged_, room * record_bytes()));
  shares_ = static_cast<GroupShare*>(grown(shares_, room * sizeof(GroupShare)));
  if (group_->chooses_limits)
    magnitudes_ = static_cast<Uint128*>(grown(magnitudes_, (LimitScale::kMost + 1) * room * sizeof(Uint128)));
  merged_room_ = room;
}

// Puts what was read into partitions again, one record for each group of a unit.
void GroupStates::merge_and_put() {
  visit_units([this](const Unit& unit, std::uint64_t groups) {
    for (std::uint64_t i = 0; i < groups; ++i) put(unit, *merged(i));
  });
  begin();
}

// ---- totals -------------------------------------------------------------------------------------------------------

void GroupStates::add_totals() {
  visit_units([this](const Unit&, std::uint64_t groups) {
    for (std::uint64_t i = 0; i < groups; ++i) shares_[i] = {merged(i), rows_of(merged(i)).count()};
    add_unit({shares_, groups});
  });
}

// Calls visit(share, S*) for an aggregate whose states are S.
template <class Visit>
void GroupStates::with_state(int aggregate, Visit visit) {
  AnyState kind{};
  kind.state.tag = group_->tags[aggregate];
  with_kind(kind.state, [&]<class S>(S&) { visit(group_->shares[aggregate], static_cast<S*>(nullptr)); });
}

// Limits what one aggregate has of a unit in a group, and adds it to the group's total.
template <class S>
void GroupStates::add_to_total(const UnitShare& share, const GroupShare& group, std::uint32_t rows) {
  auto& unit = *reinterpret_cast<S*>(static_cast<char*>(group.group) + share.offset);
  limit_state(unit, rows, share.row);
  auto& total = share.by_group[rows_of(static_cast<State*>(group.group)).group()].state;
  static_cast<S&>(total).merge(unit);
}

// What one aggregate has of the groups of one unit, under each limit that may be chosen: first the magnitudes, then
// what each limit leaves of them. What is counted once has one row in a group, whatever it has.
template <class S>
void GroupStates::add_to_choice(const UnitShare& share, std::span<const GroupShare> groups, std::uint64_t key) {
  const auto unit_in = [&](const GroupShare& group) -> S& {
    return *reinterpret_cast<S*>(static_cast<char*>(group.group) + share.offset);
  };
  LimitChoice& choice = *share.choice;
  choice.begin();
  Uint128* const whole = magnitudes_;
  Uint128 sum = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    limit_state(unit_in(groups[i]), share.rows, share.row);
    whole[i] = magnitude_of(unit_in(groups[i]));
    sum += whole[i];
  }
  if (sum == 0) return;
  const int bin = choice.scale.bin_of(sum);
  ++choice.units[bin];
  Uint128* const shares = whole + groups.size();
  for (int number = 0; number < bin && groups.size() > 1; ++number)
    share_limit(key, choice.scale.limit(number), sum, whole, groups.size(),
                shares + static_cast<std::size_t>(number) * groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (whole[i] == 0) continue;
    const S& unit = unit_in(groups[i]);
    LimitedTotals totals = choice.totals_of(0, rows_of(static_cast<State*>(groups[i].group)).group());
    if (groups.size() == 1) return totals.add_alone(unit, bin, share.row);
    totals.add(unit, bin, [&](S& limited, int number) {
      const Uint128 most = shares[static_cast<std::size_t>(number) * groups.size() + i];
      if (most > 0) limit_magnitude(limited, most, share.row);
      return most > 0;
    });
  }
}

// The same of all of them, where some have one choice together.
void GroupStates::add_to_arms(std::span<const GroupShare> groups) {
  const auto group_of = [&](std::size_t i) { return rows_of(static_cast<State*>(groups[i].group)).group(); };
  choices_.add(
      groups.size(),
      [&](auto visit_state) {
        for (std::size_t i = 0; i < groups.size(); ++i)
          record_.visit(*static_cast<State*>(groups[i].group),
                        [&](int aggregate, State& state) { visit_state(i, aggregate, state); });
      },
      group_of,
      [&](std::size_t i, int aggregate, State& state) {
        const UnitShare& share = group_->shares[aggregate];
        limit_unit(state, share.rows, share.row);
        merge_states(share.by_group[group_of(i)].state, state);
      });
}

void GroupStates::add_to_choices(std::span<const GroupShare> groups) {
  if (has_arms_) return add_to_arms(groups);
  const std::uint64_t key = pg::random_bits().bits(64);
  for (int aggregate = 0; aggregate < group_->count; ++aggregate) {
    with_state(aggregate, [&]<class S>(const UnitShare& share, S*) {
      if (share.choice != nullptr) return add_to_choice<S>(share, groups, key);
      // What is counted once, of a unit in one group, has no limit to be chosen.
      for (const GroupShare& group : groups) add_to_total<S>(share, group, share.rows);
    });
  }
}

// The groups of one unit.
void GroupStates::add_unit(std::span<GroupShare> groups) {
  if (group_->chooses_limits) return add_to_choices(groups);
  const std::span<const GroupShare> counted = share_groups(groups, group_->limits, pg::random_bits());
  for (int aggregate = 0; aggregate < group_->count; ++aggregate) {
    with_state(aggregate, [&]<class S>(const UnitShare& share, S*) {
      for (const GroupShare& group : counted)
        add_to_total<S>(share, group, static_cast<std::uint32_t>(std::min<std::uint64_t>(group.rows, share.rows)));
    });
  }
}

// After the last row.
void GroupStates::empty_front() {
  front_.empty({}, [this](const State* record) { put_front(record); });
  spill_->write_from_now();
}

// Whether all of the partition fits, and is read. Else it was put into others.
bool GroupStates::read_partition() {
  begin();
  parted_ = false;
  UnitEntry entry{};
  while (spill_->get(&entry)) read(entry);
  return end_partition();
}

bool GroupStates::end_partition() {
  if (parted_) merge_and_put();
  return !parted_;
}

// What each process has of a partition comes together.
void GroupStates::read_files() {
  ListCell* cell;
  for (int i = spill_->partitions() - 1; i >= 0; --i) {
    begin();
    parted_ = false;
    foreach (cell, files_) {
      auto& file = *static_cast<ShippedRecords*>(lfirst(cell));
      for (; file.is_there() && spill_->number_of(file.entry().unit) == i; file.next()) read(file.entry());
    }
    if (end_partition()) add_totals();
  }
  foreach (cell, files_) {
    auto& file = *static_cast<ShippedRecords*>(lfirst(cell));
    if (file.is_there()) refuse_units();  // partitions came in another order
    file.end();
  }
}

void GroupStates::put_files() {
  ListCell* cell;
  foreach (cell, files_) {
    auto& file = *static_cast<ShippedRecords*>(lfirst(cell));
    for (; file.is_there(); file.next()) add_record(file.entry());
    file.end();
  }
}

void GroupStates::finish() {
  has_arms_ = choices_.has_arms();
  empty_front();
  if (spill_->is_empty() && files_ != NIL) {
    read_files();
  } else {
    put_files();
  }
  while (spill_->next()) {
    CHECK_FOR_INTERRUPTS();
    if (read_partition()) add_totals();
  }
  MemoryContextDelete(context_);
}

}  // namespace dp::aggregate
