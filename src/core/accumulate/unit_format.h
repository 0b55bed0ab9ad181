// How records of privacy units are written: in partitions, and on the way to another process.
//
// A unit of a word: the word, the length of the packed states, these. A long unit: the length of the states, how many
// of its first bytes are those of an example, the number of the other bytes, these, the states. The example is a unit
// that writer and reader know, the first one of a chunk (unit_spill.h): names of people that programs have made mostly
// begin with the same letters, and what is written is what takes time. The word of a long unit is not written, because
// it is computed sooner than its eight bytes are written and read.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/accumulate/packed_number.h"
#include "core/accumulate/unit_table.h"

namespace dp::aggregate {

// A record that was written, with packed::kSlack bytes behind it.
struct UnitEntry {
  Unit unit;
  const char* packed;
  std::size_t packed_bytes;
  std::size_t bytes;  // of all that was written

  // Writes the packed states elsewhere; returns what is behind them.
  char* copy_packed(char* to) const {
    std::memcpy(to, packed, packed_bytes);
    return to + packed_bytes;
  }
};

// memcpy() of what mostly has a few bytes.
inline void copy_few(char* to, const char* from, std::size_t size) {
  if (size > 16) {
    std::memcpy(to, from, size);
  } else if (size >= 8) {
    std::uint64_t first, last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + size - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + size - sizeof last, &last, sizeof last);
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  }
}

// The first bytes of an example, behind which the others of the units that are read are put.
class UnitExample {
 public:
  static constexpr std::size_t kMost = 128;  // of it
  static constexpr std::size_t kMostOfUnit = 256;

  void become(const Unit& unit) {
    size_ = std::min<std::size_t>(unit.size, kMost);
    if (size_ > 0) std::memcpy(example_, unit.bytes, size_);
    same_ = 0;
  }
  std::size_t size() const { return size_; }

  // The bytes of the unit that begins with so many of the example's, and goes on with these; good until the next call.
  const char* with(std::size_t shared, const char* others, std::size_t count) {
    // What is there still is not written again: the processor waits where it reads more than it has just written.
    if (shared > same_) std::memcpy(room_ + same_, example_ + same_, shared - same_);
    same_ = shared;
    copy_few(room_ + shared, others, count);
    return room_;
  }

 private:
  std::size_t size_ = 0;
  std::size_t same_ = 0;  // so many bytes of the example are in `room_`
  char example_[kMost];
  char room_[kMostOfUnit];
};

class UnitFormat {
 public:
  // For packed states of at most that many bytes.
  UnitFormat(UnitTable::Units units, std::size_t most_packed)
      : units_(units), most_packed_(most_packed), length_bytes_(most_packed < 256 ? 1 : sizeof(std::uint32_t)) {}

  UnitTable::Units units() const { return units_; }

  // The bytes that a record of that unit may take. Behind these there must be packed::kSlack.
  std::size_t most_bytes(const Unit& unit) const { return least_bytes() + sizeof(UnitSize) + unit.size + most_packed_; }

  // Writes a record: pack(to) writes the states there and returns what is behind them, as this does.
  template <class Pack>
  char* write(char* begin, const Unit& unit, const Unit& example, Pack pack) const {
    char* to;
    if (units_ == UnitTable::Units::words) {
      std::memcpy(begin, &unit.word, sizeof unit.word);
      begin += sizeof unit.word;
      to = begin + length_bytes_;
    } else {
      const std::size_t shared = shared_bytes(unit, example);
      const std::size_t others = unit.size - shared;
      to = begin + length_bytes_;
      *to++ = static_cast<char>(shared);
      *to++ = static_cast<char>(std::min(others, kLong));
      if (others >= kLong) {
        const auto size = static_cast<UnitSize>(others);
        std::memcpy(to, &size, sizeof size);
        to += sizeof size;
      }
      copy_few(to, unit.bytes + shared, others);
      to += others;
    }
    char* const end = pack(to);
    const auto length = static_cast<std::uint32_t>(end - to);
    if (length_bytes_ == 1) {
      *begin = static_cast<char>(length);
    } else {
      std::memcpy(begin, &length, sizeof length);
    }
    return end;
  }

  // The record that begins there; false where it is longer than what there is. The unit's bytes are where they were
  // written, or those of the example; the word of a long unit is left out: find_word().
  bool read(const char* begin, std::size_t there, UnitExample* example, UnitEntry* entry) const {
    if (there < least_bytes()) return false;
    const char* from = begin;
    if (units_ == UnitTable::Units::words) {
      std::memcpy(&entry->unit.word, from, sizeof entry->unit.word);
      from += sizeof entry->unit.word;
    }
    std::uint32_t length = 0;
    if (length_bytes_ == 1) {
      length = packed::first_byte(from);
    } else {
      std::memcpy(&length, from, sizeof length);
    }
    from += length_bytes_;
    if (units_ == UnitTable::Units::long_ones) {
      const std::size_t shared = packed::first_byte(from++);
      std::size_t others = packed::first_byte(from++);
      if (others == kLong) {
        UnitSize size;
        std::memcpy(&size, from, sizeof size);
        from += sizeof size;
        others = size;
      }
      entry->unit.size = shared + others;
      entry->bytes = static_cast<std::size_t>(from - begin) + others + length;
      if (entry->bytes > there) return false;
      entry->unit.bytes = from;
      if (shared > 0) {
        if (example == nullptr || shared > example->size() || entry->unit.size > UnitExample::kMostOfUnit) return false;
        entry->unit.bytes = example->with(shared, from, others);
      }
      from += others;
    } else {
      entry->bytes = static_cast<std::size_t>(from - begin) + length;
      if (entry->bytes > there) return false;
    }
    entry->packed = from;
    entry->packed_bytes = length;
    return true;
  }

  // The same without an example.
  template <class Pack>
  char* write(char* begin, const Unit& unit, Pack pack) const {
    return write(begin, unit, {}, pack);
  }
  bool read(const char* begin, std::size_t there, UnitEntry* entry) const { return read(begin, there, nullptr, entry); }

  void find_word(Unit* unit) const {
    if (units_ == UnitTable::Units::long_ones) unit->word = word_of(unit->bytes, unit->size);
  }

 private:
  using UnitSize = std::uint32_t;             // no value of PostgreSQL is longer
  static constexpr std::size_t kLong = 0xff;  // in place of a size that follows

  // What stands before the bytes of a unit that are written, and before the states, at least.
  std::size_t least_bytes() const {
    return length_bytes_ + (units_ == UnitTable::Units::long_ones ? 2 : sizeof(Unit::word));
  }

  // How many of a unit's first bytes are not written. A few are not worth being put together again.
  static std::size_t shared_bytes(const Unit& unit, const Unit& example) {
    constexpr std::size_t kFew = 4;
    if (unit.size > UnitExample::kMostOfUnit) return 0;
    const std::size_t most =
        std::min({static_cast<std::size_t>(unit.size), static_cast<std::size_t>(example.size), UnitExample::kMost});
    std::size_t same = 0;
    for (; most - same >= sizeof(std::uint64_t); same += sizeof(std::uint64_t)) {
      std::uint64_t one, other;
      std::memcpy(&one, unit.bytes + same, sizeof one);
      std::memcpy(&other, example.bytes + same, sizeof other);
      if (one == other) continue;
      same += static_cast<std::size_t>(std::countr_zero(one ^ other)) / 8;
      return same < kFew ? 0 : same;
    }
    while (same < most && unit.bytes[same] == example.bytes[same]) ++same;
    return same < kFew ? 0 : same;
  }

  UnitTable::Units units_;
  std::size_t most_packed_;
  std::size_t length_bytes_;
};

}  // namespace dp::aggregate
