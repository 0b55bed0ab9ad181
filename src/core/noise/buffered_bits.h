// Bits of an operating system's secure source, fetched in blocks for one process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "core/noise/bit_source.h"

namespace dp::noise {

class BufferedBits final : public BitSource {
 public:
  // `fill` writes that many secure random bytes, or returns false.
  using Fill = bool (*)(void* buffer, std::size_t bytes);

  explicit constexpr BufferedBits(Fill fill) : fill_(fill) {}

  // Says which process draws. A forked child has its parent's buffer and would draw the same bits: they are thrown
  // away.
  void own_by(int pid) {
    if (owner_ == pid) return;
    explicit_bzero(words_, sizeof words_);
    next_ = kWords;
    discard();
    owner_ = pid;
  }

 private:
  // Throws std::runtime_error where the source fails; there is no weaker source to fall back to.
  Chunk refill() override {
    if (next_ == kWords) {
      if (!fill_(words_, sizeof words_)) throw std::runtime_error("could not generate random bits");
      next_ = 0;
    }
    const std::uint64_t word = words_[next_];
    words_[next_++] = 0;  // what has decided a draw does not stay in memory
    return {word, 64};
  }

  static constexpr int kWords = 512;

  Fill fill_;
  int owner_ = 0;
  int next_ = kWords;
  std::uint64_t words_[kWords] = {};
};

}  // namespace dp::noise
