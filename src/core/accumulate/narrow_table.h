// A hash table of privacy units that have a word each, and of narrow places for them (narrow_record.h).
//
// It is for many rows of many units, where what is not in the cache is waited for. A word and its place stand side by
// side, so that a unit is one line of the cache. All words of a table begin with the same bits, which are not kept:
// what is counted in a byte takes 8, and eight such units share a line. Slots lie in the order of the words' lower
// bits; units that collide take the next free slot.
//
// The memory is its owner's (aggregate/unit/unit_places.h), who also decides when it grows.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/accumulate/state.h"

namespace dp::aggregate {

class NarrowTable {
 public:
  // So many bits are the same in all words of a table, and say in which of several tables a unit is.
  static constexpr unsigned kTableBits = 8;
  static constexpr std::uint64_t kLeast = 32;  // slots

  // The memory of that many slots, kLeast or more, for places of that many bytes, one or more.
  static std::size_t bytes(std::uint64_t slots, std::size_t place_bytes) {
    return ((slots + 1) * (kWordBytes + place_bytes) + 7) / 8 * 8;
  }

  // Becomes empty, in new memory of bytes() zeroed bytes, 8-byte aligned, for words that begin with these bits.
  void begin(void* memory, std::uint64_t slots, std::size_t place_bytes, std::uint64_t first_bits);

  // Moves its units to new memory, in which they must have room.
  void move_to(void* memory, std::uint64_t slots);

  void* memory() const { return memory_; }
  std::uint64_t slots() const { return slots_; }
  std::uint64_t used() const { return used_; }

  // Whether one more unit may come. A quarter of the slots stays free: to see that a unit is new 9 slots are read then,
  // on average, and 32 where an eighth is free (Knuth, volume 3, section 6.4, of linear probing).
  bool has_room() const { return used_ < slots_ - slots_ / 4; }

  // Lets the processor fetch what place_of() of that word will read. Where it is not made part of its caller at once,
  // the compiler (gcc 12) takes it for a function that does nothing.
  [[gnu::always_inline]] void fetch(std::uint64_t word) const {
    const char* const slot = at(slot_of(word));
    __builtin_prefetch(slot, 1);
    // A slot of other than 8 bytes may lie across the end of a line of the cache.
    if (stride_ != sizeof word) __builtin_prefetch(slot + stride_ - 1, 1);
  }

  // The place of the unit of that word, all zeros at first; nullptr where the unit is new and there is no room. That of
  // a word of no other bits than the first ones is always there.
  char* place_of(std::uint64_t word) {
    const std::uint64_t rest = word & kRest;
    if (rest == 0) [[unlikely]]
      return at(slots_) + kWordBytes;
    for (std::uint64_t slot = slot_of(word);; slot = next(slot)) {
      const std::uint64_t known = rest_at(slot);
      if (known == rest) return at(slot) + kWordBytes;
      if (known == 0) return has_room() ? take(slot, word) : nullptr;
    }
  }

  // The places of so many units lie so far from each other; those of no unit are all zeros.
  const char* places() const { return memory_ + kWordBytes; }
  std::uint64_t place_count() const { return slots_ + 1; }
  std::size_t stride() const { return stride_; }

  // Calls visit(word, place) for each unit, and for the word of no other bits than the first ones.
  template <class Visit>
  void visit(Visit visit) const {
    for (std::uint64_t slot = 0; slot < slots_; ++slot) {
      const std::uint64_t rest = rest_at(slot);
      if (rest != 0) visit(first_bits_ | rest, static_cast<const char*>(at(slot) + kWordBytes));
    }
    visit(first_bits_, static_cast<const char*>(at(slots_) + kWordBytes));
  }

 private:
  static constexpr std::size_t kWordBytes = sizeof(std::uint64_t) - kTableBits / 8;
  static constexpr std::uint64_t kRest = ~std::uint64_t{0} >> kTableBits;

  char* take(std::uint64_t free, std::uint64_t word) {
    ++used_;
    std::memcpy(at(free), &word, kWordBytes);
    return at(free) + kWordBytes;
  }
  char* at(std::uint64_t slot) const { return memory_ + slot * stride_; }
  // What is kept of a word, 0 where the slot is free. Eight bytes are read, of which the last is the place's.
  std::uint64_t rest_at(std::uint64_t slot) const {
    std::uint64_t first;
    std::memcpy(&first, at(slot), sizeof first);
    return first & kRest;
  }
  std::uint64_t slot_of(std::uint64_t word) const {
    return static_cast<std::uint64_t>(static_cast<Uint128>(word << kTableBits) * slots_ >> 64);
  }
  std::uint64_t next(std::uint64_t slot) const { return slot + 1 == slots_ ? 0 : slot + 1; }

  char* memory_ = nullptr;  // slots; behind them that of the word of no other bits than the first ones
  std::uint64_t slots_ = 0;
  std::uint64_t used_ = 0;
  std::size_t stride_ = 0;        // bytes of a slot
  std::uint64_t first_bits_ = 0;  // of its words, where they stand in these
};

}  // namespace dp::aggregate
