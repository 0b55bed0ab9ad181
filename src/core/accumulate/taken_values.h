// Counts of different values where a privacy unit may have many of them: each value is taken by one unit that has
// it, and a unit takes k at most. Units come one after the other, by a hash of the unit; of its values each takes
// those that are not yet taken, by a hash of the value, until it has k. The answer is the number of values taken,
// |T|.
//
// It changes by k at most where a unit u is added. Let T be what is taken without u and T' what is taken with it,
// and what may still be taken A without u and A' with it. Before u they are equal; u takes k values at most; after
// it A' lies in A. A later unit is k takers of one value each, the first one of theirs that may be taken. Of each of
// them:
// - where it takes a value under T' there is one for it under T, since A' lies in A: |T'| - |T| does not grow.
// - where the value that it takes under T may be taken under T', it takes the same one there; where it may not, T'
//   has it already. So A' still lies in A, and T in T'.
//
// So 0 <= |T'| - |T| <= k after every unit. By groups each group has a T of its own, and a unit a k for each of its
// groups, which depends on its own rows alone.
//
// Values are told apart by their hashes, and what has one hash is one value: that makes fewer values, the same for
// every unit, and the proof does not ask which.
//
// Memory is bounded: T is kept as it is until it has M values. From then on a value may be taken only if no value of
// T has the same first b bits of its hash, and 2^b bits are kept. So |T| is too small by about |T|^2 / 2^(b+1), and
// still changes by k at most. T' has M values no later than T; the two points above hold as they are, with A' in A,
// but T need not lie in T' any more. So |T'| - |T| <= k. If T has no more than M values in the end, it has no more
// than T'. Else both have M and one more for each further beginning of b bits, and all beginnings in T are in T'. Of
// the first M values of T', all but k are among the first M of T, so that those have at most k beginnings more. So
// |T| - |T'| <= k.
//
// Which values are taken is the algorithm Ranking of Karp, Vazirani and Vazirani (1990), whose online side are k
// copies of each unit: |T| is at least 1 - 1/e of the most that could be taken, on average over the hash, and all of
// it where nobody has more than k. A largest one changes by k at most, too (Knop and Steinke, arXiv 2308.12947), but
// needs all pairs of units and values at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dp::aggregate {

class TakenValues {
 public:
  // M and b of above.
  static constexpr std::uint64_t kMostKept = std::uint64_t{1} << 24;
  static constexpr int kFirstBits = 32;

  explicit TakenValues(std::uint64_t most_kept = kMostKept, int first_bits = kFirstBits)
      : most_kept_(most_kept), first_bits_(first_bits) {}

  // The memory that it needs before it takes one more value; 0: it has it.
  std::size_t bytes_needed() const;

  // Goes there, to that many zeroed bytes, 8-byte aligned. Returns where it was: its owner's again, nullptr at first.
  void* move_to(void* memory);

  // The next unit, which may take so many values.
  void begin_unit(std::int64_t most) { left_ = most; }

  // Whether the unit takes the value of that hash. Those of a unit come in the order of their hashes, which are spread
  // over all 64 bits.
  bool take(std::uint64_t hash);

 private:
  bool is_new(std::uint64_t hash);
  bool is_full() const { return 2 * (kept_ + 1) > slots_; }

  std::uint64_t most_kept_;
  int first_bits_;
  std::uint64_t* memory_ = nullptr;  // hashes, in slots, of which 0 is empty; or bits
  std::uint64_t slots_ = 0;
  std::uint64_t kept_ = 0;
  bool bits_ = false;
  std::int64_t left_ = 0;
};

}  // namespace dp::aggregate
