// The places of units (unit_states.h): when they have some, and what becomes of them.
#include <algorithm>
#include <utility>

#include "aggregate/unit/unit_states.h"

namespace dp::aggregate {
namespace {

// The place of records in front: so much of the processor's cache.
constexpr std::size_t kMostInFront = 32 * 1024;

}  // namespace

// ---- pages --------------------------------------------------------------------------------------------------------

// Whether what counts of a unit needs a few bytes, and units have a word.
bool UnitStates::make_narrow() {
  if (table_.units() == UnitTable::Units::long_ones) return false;
  auto* const fields = static_cast<NarrowRecord::Field*>(
      MemoryContextAlloc(context_, static_cast<Size>(group_->count) * sizeof(NarrowRecord::Field)));
  for (int i = 0; i < group_->count; ++i) {
    const UnitShare& share = group_->shares[i];
    if (!NarrowRecord::find_field(group_->tags[i], share.rows, share.row, &fields[i])) return false;
  }
  narrow_ = NarrowRecord(fields, group_->count);
  for (Waiting& waiting : waiting_)
    waiting.wide = static_cast<State*>(MemoryContextAllocZero(context_, table_.record().bytes()));
  return true;
}

// In nearly all of the memory, for there are hardly any records then.
void UnitStates::make_pages() {
  pages_ = new (MemoryContextAlloc(context_, sizeof(UnitPages)))
      UnitPages(context_, narrow_.bytes(), 2 * limit_ - limit_ / 4);
  page_bytes_ = pages_->page_bytes();
  spill_->keep_from_now(0);
}

// What does not fit the narrow states of its unit becomes a record.
void UnitStates::put_wide(const Unit& unit, State* wide) {
  apart_ = false;
  put(unit, *wide);
  std::memset(static_cast<void*>(wide), 0, table_.record().bytes());
  if (spill_->is_full()) condense();
}

void UnitStates::move_all_to_pages() {
  for (Waiting& waiting : waiting_) {
    char* const place = std::exchange(waiting.place, nullptr);
    const std::uint64_t unit = std::exchange(waiting.unit, 0);
    if (place == nullptr) continue;
    if (counts_rows_) {
      narrow_.count_row(place);
    } else if (!narrow_.take(place, waiting.wide)) {
      put_wide({word_of(unit)}, waiting.wide);
    }
  }
  last_ = nullptr;
}

// Units need more pages than there is memory for: they get other places, as far as there is memory beside the pages, or
// become records, one page after the other.
void UnitStates::empty_pages() {
  move_all_to_pages();
  UnitPages* const pages = std::exchange(pages_, nullptr);
  begin_without_pages(limit_ / 4);
  if (places_ == nullptr) write_all_from_now();
  pages->empty([this](std::uint64_t number, const char* place) {
    if (narrow_.is_empty(place)) return;
    const std::uint64_t word = word_of(number);
    char* const other = places_ == nullptr ? nullptr : places_->place_of(word);
    if (other != nullptr) {
      std::memcpy(other, place, narrow_.bytes());
      return;
    }
    if (places_ != nullptr) {
      empty_places();
      write_all_from_now();
    }
    narrow_.widen(unpacked_, place);
    put({word}, *unpacked_);
  });
  if (places_ != nullptr) {
    places_->allow(2 * limit_);
  } else {
    spill_->keep_from_now(limit_);
  }
}

// There is no memory for records as long as there are places.
void UnitStates::write_all_from_now() {
  spill_->keep_from_now(0);
  spill_->write_from_now();
}

// The last row's unit may have a new page. Otherwise it has another record.
void UnitStates::wait_for_new_page(Waiting* waiting) {
  waiting->place = pages_->place_of(waiting->unit, rows_);
  if (waiting->place != nullptr) return;
  const std::uint64_t unit = waiting->unit;
  empty_pages();
  record_without_page(unit);
}

void UnitStates::count_in_new_page(Datum unit) {
  char*& place = waiting_[rows_ % kAhead].place;
  place = pages_->place_of(unit & word_bits_, rows_);
  if (place != nullptr) return;
  empty_pages();
  static_cast<CountState*>(reinterpret_cast<State*>(record_of(unit)))->add();
}

// ---- other places ---------------------------------------------------------------------------------------------------

// Units that have no pages have other places, in that memory, or records in front.
void UnitStates::begin_without_pages(std::size_t memory) {
  if (is_narrow_ && UnitPlaces::fit(narrow_.bytes(), memory)) {
    spill_->keep_from_now(0);
    places_ = new (MemoryContextAlloc(context_, sizeof(UnitPlaces))) UnitPlaces(context_, narrow_.bytes(), memory);
  } else {
    begin_front();
  }
}

void UnitStates::begin_front() {
  spill_->keep_from_now(limit_);
  front_.begin(context_, std::min(kMostInFront, limit_ / 8));
}

// Where nothing waits that is a record of no rows, of a unit that has a place.
void UnitStates::move_to_place(Waiting* waiting) {
  char* const place = places_->place_of(waiting->unit);
  if (place == nullptr) return put_beside(waiting->unit, waiting->wide);
  if (!narrow_.take(place, waiting->wide)) [[unlikely]]
    put_wide({waiting->unit}, waiting->wide);
}

// What rows add to a unit for whose place there is no memory, nor will be, becomes a record, and nothing at `wide`.
// Others keep their places as long as a quarter of the rows find one: to look for it pays then.
void UnitStates::put_beside(std::uint64_t word, State* wide) {
  constexpr std::uint64_t kTrial = 65536;
  if (beside_ == 0) write_all_from_now();
  put({word}, *wide);
  std::memset(static_cast<void*>(wide), 0, table_.record().bytes());
  if (++beside_ % kTrial != 0) return;
  if (rows_ - tried_at_ < kTrial + kTrial / 3) return empty_places();
  tried_at_ = rows_;
}

// All become records, those that wait as well.
void UnitStates::empty_places() {
  UnitPlaces* const places = std::exchange(places_, nullptr);
  write_all_from_now();
  for (const Waiting& waiting : waiting_) {
    const auto* const bytes = reinterpret_cast<const char*>(waiting.wide);
    const bool waits = std::any_of(bytes, bytes + table_.record().bytes(), [](char byte) { return byte != 0; });
    if (waits) put_wide({waiting.unit}, waiting.wide);
  }
  places->visit([this](std::uint64_t word, const char* place) {
    if (narrow_.is_empty(place)) return;
    narrow_.widen(unpacked_, place);
    put({word}, *unpacked_);
  });
  places->end();
  begin_front();
  last_ = nullptr;
}

UnitPages* UnitStates::whole_pages() {
  if (pages_ != nullptr) move_all_to_pages();
  return pages_ != nullptr && spill_->is_empty() ? pages_ : nullptr;
}

UnitPlaces* UnitStates::places_apart() {
  if (pages_ != nullptr) empty_pages();
  for (Waiting& waiting : waiting_) {
    if (places_ == nullptr) break;
    move_to_place(&waiting);
    waiting.unit = 0;
  }
  last_ = nullptr;
  return apart_ ? places_ : nullptr;
}

// ---- units of other processes -------------------------------------------------------------------------------------

void UnitStates::add_record(const UnitEntry& entry) {
  if (pages_ != nullptr) empty_pages();
  if (places_ != nullptr) {
    auto* const record = reinterpret_cast<State*>(record_for_place(entry.unit.word));
    table_.record().unpack(unpacked_, entry.packed);
    table_.record().merge(*record, *unpacked_);
    return;
  }
  spill_->put(entry.unit, [&entry](char* to) { return entry.copy_packed(to); });
  if (spill_->is_full()) condense();
}

void UnitStates::expect_places(std::uint64_t slots) {
  if (pages_ != nullptr) empty_pages();
  if (places_ != nullptr) places_->expect(slots);
}

// They come in the order of the sections here, which are looked up one after the other: none is waited for.
void UnitStates::add_place(std::uint64_t word, const char* place) {
  if (places_ != nullptr) {
    ++rows_;
    char* const own = places_->place_of(word);
    if (own != nullptr && narrow_.add(own, place, 1) == 1) return;
    narrow_.widen(unpacked_, place);
    if (own == nullptr) return put_beside(word, unpacked_);
    if (narrow_.take(own, unpacked_)) return;
    return put_wide({word}, unpacked_);
  }
  narrow_.widen(unpacked_, place);
  put_wide({word}, unpacked_);
}

void UnitStates::add_page(std::uint64_t number, const char* places) {
  if (pages_ != nullptr && pages_->take_page(number, places)) return;
  char* const known = pages_ != nullptr ? pages_->page_of(number) : nullptr;
  const std::size_t bytes = narrow_.bytes();
  const std::size_t units = page_bytes_ / bytes;
  for (std::size_t i = 0;; ++i) {
    if (known != nullptr) i += narrow_.add(known + i * bytes, places + i * bytes, units - i);
    if (i == units) return;
    const char* const place = places + i * bytes;
    if (narrow_.is_empty(place)) continue;
    if (known == nullptr && pages_ != nullptr) empty_pages();
    const Unit unit{word_of(number * units + i)};
    State* const other = places_ == nullptr ? nullptr : reinterpret_cast<State*>(record_for_place(unit.word));
    narrow_.widen(unpacked_, place);
    if (other != nullptr) {
      table_.record().merge(*other, *unpacked_);
    } else if (known == nullptr || !narrow_.take(known + i * bytes, unpacked_)) {
      put_wide(unit, unpacked_);
    }
  }
}

}  // namespace dp::aggregate
