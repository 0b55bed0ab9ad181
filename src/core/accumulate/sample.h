// Which rows of a privacy unit count in a histogram or a quantile, where it has too many: some of them, at random.
//
// Each row gets a random number, and the rows with the least numbers are kept. So every choice of that many rows is
// equally likely, whatever the order of rows and however workers share them, and what two workers have kept of one unit
// is put together by keeping the least again. Of a row its bucket alone is kept, or its point (points.h).
#pragma once

#include <span>

#include "core/accumulate/state.h"

namespace dp::aggregate {

// A row that is kept: its random number above its bucket.
class KeptRow {
 public:
  static constexpr unsigned kBucketBits = 32;
  static constexpr unsigned kRandomBits = 64 - kBucketBits;

  // `random`: kRandomBits fresh bits. Two rows of a unit get the same with a probability of 2^-32; then their buckets
  // decide.
  static constexpr KeptRow of(std::uint64_t random, std::int64_t bucket) {
    return KeptRow{random << kBucketBits | static_cast<std::uint64_t>(bucket)};
  }

  constexpr std::uint64_t bucket() const { return word_ & ((std::uint64_t{1} << kBucketBits) - 1); }
  constexpr bool operator<(const KeptRow& other) const { return word_ < other.word_; }

 private:
  explicit constexpr KeptRow(std::uint64_t word) : word_(word) {}
  std::uint64_t word_;
};

static_assert(kMaxBuckets <= std::uint64_t{1} << KeptRow::kBucketBits);

// `used` rows follow the struct in memory, which has room for `room`; once `most` are kept they form a heap.
struct SampleState : State {
  static constexpr Tag kTag = Tag::sample;
  static constexpr std::uint32_t kMost = 1'000'000;
  std::uint32_t most;  // 1 to kMost
  std::uint32_t used;
  std::uint64_t room;

  static constexpr std::size_t bytes(std::uint64_t rows) { return sizeof(SampleState) + rows * sizeof(KeptRow); }

  std::span<KeptRow> rows() { return {reinterpret_cast<KeptRow*>(this + 1), used}; }
  std::span<const KeptRow> rows() const { return {reinterpret_cast<const KeptRow*>(this + 1), used}; }

  bool is_valid() const { return most >= 1 && most <= kMost && used <= most; }

  // Whether keep() needs more room first.
  bool is_cramped() const { return used == room && used < most; }

  // The room to make then: twice as much.
  std::uint64_t next_room() const;

  void keep(KeptRow row);

  // Calls visit(bucket) for as many of the rows as may count, those with the least numbers. Changes their order.
  template <class Visit>
  void visit_least(std::uint32_t rows_that_count, Visit visit) {
    put_least_first(rows_that_count);
    for (const KeptRow& row : rows().first(rows_that_count < used ? rows_that_count : used)) visit(row.bucket());
  }

 private:
  void put_least_first(std::uint32_t count);
};

}  // namespace dp::aggregate
