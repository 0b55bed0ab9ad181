// The states of all privacy units: in memory as far as PostgreSQL's limit for hash tables reaches, else on disk.
//
// The aggregates of one node keep them together, so that a row's unit is looked up once: a record has the unit's state
// for each aggregate. Units that are numbers close together have a place each, as long as these fit into memory
// (unit_pages.h), and so have other units of one word (unit_places.h), where what counts of a unit needs a few bytes.
// Units of more bytes become a word, under a secret key, where it is harmless that two of them may have the same
// (core/accumulate/unit_key.h). Rows of others first become records in a small table in front, in which a unit gives
// way to the next one of its place. These go to partitions by unit (unit_spill.h), of which one after the other is
// added up in a hash table that fits the processor's cache. Where memory is full of records and half as many would do,
// they become fewer. States are integers, so the sums depend neither on the order of rows nor on what was spilled.
#pragma once

#include <utility>

#include "aggregate/unit/kept_bytes.h"
#include "aggregate/unit/limit_choice.h"
#include "aggregate/unit/point_list.h"
#include "aggregate/unit/unit_files.h"
#include "aggregate/unit/unit_front.h"
#include "aggregate/unit/unit_pages.h"
#include "aggregate/unit/unit_places.h"
#include "aggregate/unit/unit_spill.h"
#include "core/accumulate/group_shares.h"
#include "core/accumulate/narrow_record.h"
#include "core/accumulate/unit_table.h"
#include "pg/server.h"

namespace dp::aggregate {

// Whether units of that type are equal where their stored bytes are, so that no code of the type is needed to tell them
// apart.
bool are_told_by_bytes(Oid type, Oid collation);

// The bits of a value that is stored in a Datum and has so many bytes that are defined: those above them are not.
inline Datum word_bits(std::int16_t length) { return length == 8 ? ~Datum{0} : (Datum{1} << 8 * length) - 1; }

// A unit that is not stored in a Datum, of a type of that length; its bytes live as long as the value.
Unit long_unit(Datum value, std::int16_t length);

// The same without its word.
inline Unit long_bytes(Datum value, std::int16_t length) {
  Unit unit{};
  if (length > 0) {
    unit.bytes = DatumGetPointer(value);
    unit.size = static_cast<std::uint64_t>(length);
    return unit;
  }
  const auto* plain = reinterpret_cast<const varlena*>(DatumGetPointer(value));
  if (VARATT_IS_EXTENDED(plain) && (!VARATT_IS_SHORT(plain) || VARATT_IS_EXTERNAL(plain))) [[unlikely]]
    plain = PG_DETOAST_DATUM_PACKED(value);
  unit.bytes = VARDATA_ANY(plain);
  unit.size = VARSIZE_ANY_EXHDR(plain);
  return unit;
}

class GroupStates;
class UnitChoices;
class UnitStates;

// What one aggregate has of the records.
struct UnitShare {
  std::size_t offset;  // of its state in a record
  std::uint32_t rows;  // as in limit_unit(); where the limit is chosen the largest one that may be
  RowSteps row;
  AnyState total;          // complete once all rows are added
  HistogramState* counts;  // the same of a sample
  int buckets;             // of these
  bool keeps_points;       // of a sample instead of counts, in that memory:
  MemoryContext memory;
  PointsState* points;
  PointFile* file;      // of these, where there is one
  AnyState* by_group;   // the totals of each group, where there are any
  LimitChoice* choice;  // where the limit is chosen; the totals are known when it is
  std::uint64_t arm;    // which one it is of those that the choice is for
  bool limited;         // the totals are filled in
};

// The aggregates of one node.
struct UnitGroup {
  int count;
  Tag* tags;
  std::uint32_t* samples;  // as UnitTable has them
  UnitShare* shares;
  UnitStates* states;  // nullptr before the first row and after the last one
  UnitFiles* sent;     // of a parallel plan; nullptr where it is none

  // By groups (group_states.h):
  const void* row_call;  // what finds the group of a row; nullptr where all rows are one group
  std::uint64_t groups;  // how many there are
  GroupLimits limits;
  GroupStates* group_states;  // as `states`
  char* row;                  // the record to which the current row belongs; nullptr: none
  bool chooses_limits;        // `limits` has none: that of each aggregate is chosen

  // Of the only aggregate, where a record is that of a unit in a bucket of a group (call/unit_buckets.h); else 0. And
  // the current row's unit and group, -1 where it is in none.
  std::uint64_t buckets;
  Datum unit;
  std::int64_t place;

  bool has_groups() const { return row_call != nullptr || buckets > 0; }
};

// Lives in a memory context of its own, without a destructor.
class UnitStates {
 public:
  // Makes the states of that group, for units of that type, in a memory context below `above`. The group points to it
  // as long as it lives.
  static void make(MemoryContext above, UnitGroup* group, Oid type);

  // The record to which a row of that unit is to be added; good until the next call.
  char* record_of(Datum unit) {
    if (pages_ == nullptr) return record_without_page(unit);
    if (unit != last_unit_ || last_ == nullptr) {
      last_unit_ = unit;
      record_for_page(unit & word_bits_);
    }
    return reinterpret_cast<char*>(last_);
  }

  // Where counts_rows() a record is not needed: this adds a row of that unit, the only thing that is known of it.
  bool counts_rows() const { return counts_rows_; }
  void count_row(Datum unit) {
    if (pages_ == nullptr) return count_without_page(unit);
    Waiting& turn = waiting_[++rows_ % kAhead];
    if (turn.place != nullptr) narrow_.count_row(turn.place);
    char* const place = pages_->find_place(unit & word_bits_);
    turn.place = place;
    if (place == nullptr) [[unlikely]]
      return count_in_new_page(unit);
    __builtin_prefetch(place, 1);
  }

  // Limits the states of each unit (limit_unit) and adds them to the totals. This object is gone then.
  void finish();

  // In a parallel plan (shipped_units.h):

  // The type of the units; the table in which they are, some at a time, once they are read; how records are written.
  Oid type() const { return type_; }
  const UnitTable& units() const { return table_; }
  const UnitFormat& format() const { return spill_->format(); }

  // After the last row: the pages in which all units are; nullptr where some are not, or none has a place.
  UnitPages* whole_pages();
  std::size_t page_bytes() const { return page_bytes_; }

  // Where that is none: places elsewhere, of units of which there are no records; nullptr where units have both, or no
  // places. And a call of visit(word, place) for each unit in these.
  UnitPlaces* places_apart();
  template <class Visit>
  void visit_places(const UnitPlaces& places, Visit visit) const {
    places.visit([&](std::uint64_t word, const char* place) {
      if (!narrow_.is_empty(place)) visit(word, place);
    });
  }
  std::size_t place_bytes() const { return narrow_.bytes(); }

  // The other units, without places: next_units() puts the next ones with all their rows into the table, each unit once;
  // false where none is left. Places are gone then.
  void read_others();
  bool next_units();

  // Adds what another process has: the units of a page; the place of a unit, of those of so many slots of a section; or
  // some rows of one.
  void add_page(std::uint64_t number, const char* places);
  void expect_places(std::uint64_t slots);
  void add_place(std::uint64_t word, const char* place);
  void add_record(const UnitEntry& entry);

  // This object is gone then.
  void end() { MemoryContextDelete(context_); }

 private:
  // The last units with places of which rows came, and these rows in wide records; of no rows where nothing waits. Where
  // counts_rows() it is one row in a page, and neither its unit nor a record is there. Where units have no pages there is
  // no place yet, and the unit is its word.
  static constexpr std::size_t kAhead = 8;
  struct Waiting {
    char* place;  // nullptr: nothing waits
    std::uint64_t unit;
    State* wide;
  };

  UnitStates(MemoryContext context, UnitGroup* group, Oid type);

  // Makes last_ a record for a row, which is moved to the page of its unit some units later, when that has been fetched
  // into the cache.
  void record_for_page(std::uint64_t unit) {
    Waiting& waiting = waiting_[++rows_ % kAhead];
    if (waiting.place != nullptr && !narrow_.take(waiting.place, waiting.wide))
      put_wide({word_of(waiting.unit)}, waiting.wide);
    last_ = waiting.wide;
    waiting.unit = unit;
    waiting.place = pages_->find_place(unit);
    if (waiting.place == nullptr) [[unlikely]]
      return wait_for_new_page(&waiting);
    // A place may lie across the end of a line of the cache.
    __builtin_prefetch(waiting.place, 1);
    __builtin_prefetch(waiting.place + narrow_.bytes() - 1, 1);
  }

  // The same where the unit, of that word, has a place elsewhere: it is looked up when it has been fetched.
  char* record_for_place(std::uint64_t word) {
    Waiting& waiting = waiting_[++rows_ % kAhead];
    move_to_place(&waiting);
    if (places_ == nullptr) [[unlikely]]
      return record_in_front({word});
    waiting.unit = word;
    places_->fetch(word);
    last_ = waiting.wide;
    return reinterpret_cast<char*>(last_);
  }

  // The same of a row that is only counted: so much of the wide record is known.
  void count_for_place(std::uint64_t word) {
    Waiting& waiting = waiting_[++rows_ % kAhead];
    std::uint64_t& rows = static_cast<CountState*>(waiting.wide)->rows;
    char* const place = rows == 1 ? places_->place_of(waiting.unit) : nullptr;
    if (place != nullptr) [[likely]] {
      narrow_.count_row(place);
    } else {
      rows == 1 ? put_beside(waiting.unit, waiting.wide) : move_to_place(&waiting);
      if (places_ == nullptr) [[unlikely]]
        return static_cast<CountState*>(reinterpret_cast<State*>(record_in_front({word})))->add();
    }
    waiting.unit = word;
    rows = 1;
    places_->fetch(word);
  }

  bool make_narrow();
  void make_pages();
  void begin_without_pages(std::size_t memory);
  void begin_front();
  void move_all_to_pages();
  void put_wide(const Unit& unit, State* wide);
  void wait_for_new_page(Waiting* waiting);
  void count_in_new_page(Datum unit);
  void empty_pages();
  void write_all_from_now();
  void move_to_place(Waiting* waiting);
  void put_beside(std::uint64_t word, State* wide);
  void empty_places();
  void add_unit(State& record);
  void add_totals(int number, State& state);
  void add_places(const char* places, std::size_t units, std::size_t stride);

  std::uint64_t word_of_value(Datum value) const {
    if (!is_keyed_) return word_of(value & word_bits_);
    const Unit unit = long_bytes(value, length_);
    return key_.word(unit.bytes, unit.size);
  }

  bool is_count() const { return group_->count == 1 && group_->tags[0] == Tag::count; }
  void count_without_page(Datum unit);
  char* record_without_page(Datum unit);
  char* record_in_front(const Unit& unit) {
    last_ = front_.place_of(unit.word);
    if (!front_.is_of(last_, unit)) give_way(unit);
    return reinterpret_cast<char*>(last_);
  }

  void give_way(const Unit& unit);
  char* record_of_long(Datum unit);
  void empty_front(const Unit& unit);
  void put_front(const State* record);
  // Puts a record into its unit's partition.
  void put(const Unit& unit, const State& record) {
    spill_->put(unit, [&](char* to) { return table_.record().pack(to, record); });
  }
  void condense();
  void begin();
  void add(const UnitEntry& entry);
  void add_new(const Unit& unit, const State& record);
  bool make_room(const Unit& unit);
  bool grow();

  UnitGroup* group_;
  UnitChoices* choices_ = nullptr;  // where several aggregates have one limit together
  Oid type_;
  MemoryContext context_;
  KeptBytes bytes_;  // of the table's long units; emptied before each partition
  std::size_t spill_limit_;
  std::size_t limit_;  // of the table and its units' bytes; and of the records that are in memory
  std::int16_t length_;
  Datum word_bits_;    // of a value that is stored in a Datum: those that are defined
  bool full_ = false;  // the table takes no new units
  UnitTable table_;
  UnitSpill* spill_;

  bool is_keyed_;  // long units have words, under this key
  UnitKey key_{};

  UnitPages* pages_ = nullptr;    // nullptr where units have no places
  std::size_t page_bytes_ = 0;    // of a page; 0: units never had places
  UnitPlaces* places_ = nullptr;  // elsewhere
  bool apart_ = true;             // no unit has both a place and records
  std::uint64_t beside_ = 0;      // rows of units without a place, while others have some
  std::uint64_t tried_at_ = 0;    // rows_ when it was looked at last how many have none
  NarrowRecord narrow_;           // what is there
  bool counts_rows_ = false;      // it is a count
  bool is_narrow_ = false;
  Waiting waiting_[kAhead] = {};
  std::uint64_t rows_ = 0;  // so many have come, or runs of rows of one unit

  UnitFront front_;
  Datum last_unit_ = 0;
  State* last_ = nullptr;  // the record of the last row; nullptr: none, or it has left
  State* unpacked_;        // a record that was read
};

}  // namespace dp::aggregate
