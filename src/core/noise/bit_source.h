// The one interface through which randomness enters: uniform, independent bits.
//
// The samplers see only this class, so a test can feed them chosen bits (exact enumeration, golden vectors,
// replay) and the server feeds them pg_strong_random (pg/random_bits.h).
#pragma once

#include <cstdint>

namespace dp::noise {

class BitSource {
 public:
  // The next `count` bits, 1 <= count <= 64, as an integer uniform on [0, 2^count). Used bits are shifted out of
  // the reservoir, so none stays in memory after it has decided something.
  std::uint64_t bits(unsigned count) {
    if (count <= left_) [[likely]]
      return take(count);
    return gather(count);
  }

  bool bit() {
    if (left_ == 0) [[unlikely]]
      fill();
    return take(1) != 0;
  }

 protected:
  // `count` fresh bits, 1 <= count <= 64, in the low end of `word`; the rest of `word` is zero.
  struct Chunk {
    std::uint64_t word;
    unsigned count;
  };

  // Returns fresh bits or throws: lack of entropy is an error, never a weaker source.
  virtual Chunk refill() = 0;

  // Forgets the bits not yet used. A forked process must not draw what its parent may draw too.
  void discard() {
    reservoir_ = 0;
    left_ = 0;
  }

  constexpr BitSource() = default;
  ~BitSource() = default;
  BitSource(const BitSource&) = delete;
  BitSource& operator=(const BitSource&) = delete;

 private:
  std::uint64_t take(unsigned count) {
    const std::uint64_t taken = count == 64 ? reservoir_ : reservoir_ & ((std::uint64_t{1} << count) - 1);
    reservoir_ = count == 64 ? 0 : reservoir_ >> count;
    left_ -= count;
    return taken;
  }

  void fill() {
    const Chunk chunk = refill();
    reservoir_ = chunk.word;
    left_ = chunk.count;
  }

  std::uint64_t gather(unsigned count) {
    std::uint64_t gathered = 0;
    for (unsigned have = 0; have < count;) {
      if (left_ == 0) fill();
      const unsigned part = left_ < count - have ? left_ : count - have;
      gathered |= take(part) << have;
      have += part;
    }
    return gathered;
  }

  std::uint64_t reservoir_ = 0;
  unsigned left_ = 0;
};

}  // namespace dp::noise
