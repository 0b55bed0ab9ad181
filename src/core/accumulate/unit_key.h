// Words for privacy units of more than 64 bits, under a secret key that is drawn for each question.
//
// Two units have the same word with probability 2^-64 if both have at most 128 bytes, and (b + 1) 2^-64 at most if the
// longer one has b blocks of 128 bytes, whoever has chosen them without knowing the key. Among n people there is such a
// pair with a probability of n^2 2^-65: 7e-9 of half a million. It counts as one person then, so that this is only for
// what may_be_taken_for_one() (unit_state.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/accumulate/state.h"
#include "core/noise/bit_source.h"

namespace dp::aggregate {

// Trivially copyable: it travels to the workers of a parallel plan as bytes.
class UnitKey {
 public:
  // Before draw() it is none.
  UnitKey() = default;

  void draw(noise::BitSource& bits);

  std::uint64_t word(const char* bytes, std::size_t size) const {
    return size <= kBlock ? word_of_block(size, bytes, size) : word_of_blocks(bytes, size);
  }

 private:
  static constexpr std::size_t kBlock = 128;

  // A number of 128 bits, as its halves.
  struct Number {
    std::uint64_t low;
    std::uint64_t high;
    Uint128 times(std::uint64_t part) const {
      return static_cast<Uint128>(part) * low + (static_cast<Uint128>(part * high) << 64);
    }
  };

  // The high half of a sum of products, modulo 2^128: strongly universal (D. Lemire, O. Kaser, "Strongly universal
  // string hashing is fast", Computer Journal 57, 2014, theorem 3.1 with K = 128, L = 64). The last eight bytes may be
  // read twice: with the size, which is a factor too, they say which bytes there are.
  std::uint64_t word_of_block(std::size_t first, const char* bytes, std::size_t size) const {
    Uint128 sum = numbers_[0].times(1) + numbers_[1].times(first);
    const Number* number = numbers_ + 2;
    std::size_t done = 0;
    for (; size - done > 8; done += 8) sum += (number++)->times(load<std::uint64_t>(bytes + done));
    return static_cast<std::uint64_t>((sum + number->times(last_part(bytes, size))) >> 64);
  }

  template <class T>
  static T load(const char* from) {
    T part;
    std::memcpy(&part, from, sizeof part);
    return part;
  }

  static std::uint64_t last_part(const char* bytes, std::size_t size) {
    if (size >= 8) return load<std::uint64_t>(bytes + size - 8);
    if (size >= 4) return std::uint64_t{load<std::uint32_t>(bytes)} << 32 | load<std::uint32_t>(bytes + size - 4);
    std::uint64_t part = 0;
    for (std::size_t i = 0; i < size; ++i) part = part << 8 | load<std::uint8_t>(bytes + i);
    return part;
  }

  std::uint64_t word_of_blocks(const char* bytes, std::size_t size) const;

  Number numbers_[2 + kBlock / 8];  // of a block: what is added, of what stands before it, of its parts
  Number last_[4];                  // of all blocks: what is added, of the size, of the halves
  std::uint64_t point_;             // at which their polynomial is computed
};

}  // namespace dp::aggregate
