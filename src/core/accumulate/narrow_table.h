// A hash table of privacy units that have a word each, and of narrow places for them (narrow_record.h).
//
// It is for many rows of many units, where what is not in the cache is waited for. A word and its place stand side by
// side, so that a unit is one line of the cache. The first bits of a word say in which of many sections a unit is, and
// are not kept: what is counted in a byte takes 8, and eight such units share a line. Slots lie in the order of the
// words; units that collide take the next free slot of their section.
//
// All is in one memory, its owner's (aggregate/unit/unit_places.h), who also decides when it grows, there or elsewhere.
// All sections are of one size, so that a slot is found without a look at what describes its section.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/accumulate/state.h"

namespace dp::aggregate {

class NarrowTable {
 public:
  static constexpr unsigned kSectionBits = 8;
  static constexpr std::uint64_t kSections = std::uint64_t{1} << kSectionBits;
  static constexpr std::uint64_t kLeast = 32;  // slots of a section

  // The memory of sections of that many slots, kLeast or more, for places of that many bytes, one or more; and the most
  // slots for which that memory will do.
  static constexpr std::size_t bytes(std::uint64_t slots, std::size_t place_bytes) {
    return (1 + slots) * kSections * (kWordBytes + place_bytes);
  }
  static constexpr std::uint64_t most_slots(std::size_t memory, std::size_t place_bytes) {
    const std::uint64_t slots = memory / (kSections * (kWordBytes + place_bytes));
    return slots == 0 ? 0 : slots - 1;
  }

  // Becomes empty, in memory of bytes().
  void begin(void* memory, std::uint64_t slots, std::size_t place_bytes);

  // Moves its units to sections of that many slots, not fewer than there were, in other memory of bytes(), or in its
  // own, if that has so many. `section` is memory for section_bytes().
  void move_to(void* memory, std::uint64_t slots, void* section);
  std::size_t section_bytes() const { return slots_ * stride_; }

  void* memory() const { return memory_; }
  std::uint64_t slots() const { return slots_; }

  // Lets the processor fetch what place_of() of that word will read. Where it is not made part of its caller at once,
  // the compiler (gcc 12) takes it for a function that does nothing.
  [[gnu::always_inline]] void fetch(std::uint64_t word) const {
    const char* const slot = slot_of(word);
    __builtin_prefetch(slot, 1);
    // A unit that collided may lie behind the end of a line of the cache, and so may a part of its place.
    __builtin_prefetch(slot + 2 * stride_ + sizeof word, 1);
  }

  // The place of the unit of that word, all zeros at first; nullptr where the unit is new and there is no room. That of
  // a word of no other bits than the first ones is always there.
  char* place_of(std::uint64_t word) {
    const std::uint64_t rest = word & kRest;
    if (rest == 0) [[unlikely]]
      return alone(section_of(word)) + kWordBytes;
    const char* const end = section(section_of(word) + 1);
    for (char* slot = slot_of(word);;) {
      const std::uint64_t known = rest_at(slot);
      if (known == rest) return slot + kWordBytes;
      if (known == 0) return take(slot, word);
      slot += stride_;
      if (slot == end) slot -= section_bytes();
    }
  }

  // The places of so many units lie so far from each other; those of no unit are all zeros.
  const char* places() const { return memory_ + kWordBytes; }
  std::uint64_t place_count() const { return (1 + slots_) * kSections; }
  std::size_t stride() const { return stride_; }

  // Calls visit(word, place) for each unit of that section, and for the word of no other bits than the first ones.
  template <class Visit>
  void visit(std::uint64_t number, Visit visit) const {
    const std::uint64_t first_bits = number << (64 - kSectionBits);
    visit(first_bits, static_cast<const char*>(alone(number) + kWordBytes));
    for (const char *slot = section(number), *const end = section(number + 1); slot < end; slot += stride_) {
      const std::uint64_t rest = rest_at(slot);
      if (rest != 0) visit(first_bits | rest, slot + kWordBytes);
    }
  }

 private:
  static constexpr std::size_t kWordBytes = sizeof(std::uint64_t) - kSectionBits / 8;
  static constexpr std::uint64_t kRest = ~std::uint64_t{0} >> kSectionBits;

  // A quarter of the slots stays free: to see that a unit is new 9 slots are read then, on average, and 32 where an
  // eighth is free (Knuth, volume 3, section 6.4, of linear probing).
  bool has_room(std::uint64_t number) const { return used_[number] < slots_ - slots_ / 4; }

  char* take(char* free, std::uint64_t word) {
    if (!has_room(section_of(word))) return nullptr;
    ++used_[section_of(word)];
    std::memcpy(free, &word, kWordBytes);
    return free + kWordBytes;
  }
  static std::uint64_t section_of(std::uint64_t word) { return word >> (64 - kSectionBits); }
  char* alone(std::uint64_t number) const { return memory_ + number * stride_; }
  char* section(std::uint64_t number) const { return memory_ + (kSections + number * slots_) * stride_; }
  // What is kept of a word, 0 where the slot is free. Eight bytes are read, of which the last is the place's.
  static std::uint64_t rest_at(const char* slot) {
    std::uint64_t first;
    std::memcpy(&first, slot, sizeof first);
    return first & kRest;
  }
  // Of its section, as the first bits make up the whole part of what its size is multiplied by.
  char* slot_of(std::uint64_t word) const {
    const auto slot = static_cast<std::uint64_t>(static_cast<Uint128>(word) * (kSections * slots_) >> 64);
    return memory_ + (kSections + slot) * stride_;
  }

  char* memory_ = nullptr;  // slots of the words of no other bits than the first ones; behind them the sections
  std::uint64_t slots_ = 0;
  std::size_t stride_ = 0;  // bytes of a slot
  std::uint64_t used_[kSections];
};

}  // namespace dp::aggregate
