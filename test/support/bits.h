// Bit sources for tests: a chosen list, and a seeded stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/noise/bit_source.h"

namespace dp::test {

// Replays a finite list of bits and throws Exhausted when it runs out.
class ListedBits : public noise::BitSource {
 public:
  struct Exhausted : std::runtime_error {
    Exhausted() : std::runtime_error("the listed bits ran out") {}
  };

  explicit ListedBits(std::vector<bool> bits) : bits_(std::move(bits)) {}

  std::size_t used() const { return next_; }

 private:
  Chunk refill() override {
    if (next_ == bits_.size()) throw Exhausted();
    return {bits_[next_++], 1};
  }

  std::vector<bool> bits_;
  std::size_t next_ = 0;
};

// The stream of the 64-bit words of splitmix64 (Steele, Lea, Flood 2014), each read from its least significant bit.
//
// Fast, and three lines in any language: tools/golden/samplers.py reads the same stream. A seeded generator is for
// tests alone, which is why it lives here and not in src/.
class SeededBits : public noise::BitSource {
 public:
  // `chunk` bits at a time: the stream does not depend on it. With chunk = 1, used() counts exactly the bits drawn.
  explicit SeededBits(std::uint64_t seed, unsigned chunk = 64) : state_(seed), chunk_(chunk) {}

  std::uint64_t used() const { return used_; }

 private:
  Chunk refill() override {
    if (left_ == 0) {
      word_ = next_word();
      left_ = 64;
    }
    const unsigned count = chunk_ < left_ ? chunk_ : left_;
    const std::uint64_t part = count == 64 ? word_ : word_ & ((std::uint64_t{1} << count) - 1);
    word_ = count == 64 ? 0 : word_ >> count;
    left_ -= count;
    used_ += count;
    return {part, count};
  }

  std::uint64_t next_word() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
  unsigned chunk_;
  std::uint64_t word_ = 0;
  unsigned left_ = 0;
  std::uint64_t used_ = 0;
};

}  // namespace dp::test
