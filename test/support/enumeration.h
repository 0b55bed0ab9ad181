// Exact enumeration of a sampler: all sequences of bits, down to a depth.
//
// No draw is random here, so there is no false alarm, and a bias that a million draws could not see is seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/noise/bit_source.h"
#include "support/enclosure.h"

namespace dp::test {

// The bits of one path of the tree: the prefix under examination, then zeros.
class PathBits : public noise::BitSource {
 public:
  struct TooDeep {};

  explicit PathBits(unsigned depth) : depth_(depth) {}

  int length() const { return static_cast<int>(path_.size()); }

  // Moves to the next path in depth-first order; false after the last one.
  bool advance() {
    while (!path_.empty() && path_.back()) path_.pop_back();
    if (path_.empty()) return false;
    path_.back() = true;
    next_ = 0;
    return true;
  }

 private:
  Chunk refill() override {
    if (next_ == path_.size()) {
      if (next_ == depth_) throw TooDeep();
      path_.push_back(false);
    }
    return {path_[next_++], 1};
  }

  unsigned depth_;
  std::vector<bool> path_;
  std::size_t next_ = 0;
};

// Runs `sample(bits)` once per path, depth-first; paths longer than `depth` bits stay unfinished. The masses are
// multiples of 2^-depth and therefore exact.
template <class Sample>
Masses enumerate(unsigned depth, Sample sample) {
  Masses seen{{}, 0, 1e-40};
  PathBits bits(depth);
  do {
    try {
      const auto outcome = static_cast<std::int64_t>(sample(bits));
      seen.finished[outcome] += ldexp(Real(1), -bits.length());
    } catch (const PathBits::TooDeep&) {
      seen.unfinished += ldexp(Real(1), -bits.length());
    }
  } while (bits.advance());
  return seen;
}

}  // namespace dp::test
