// Transition states: the same whatever the order and the split of rows, and nothing else is taken for one.
#include "core/accumulate/state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace dp::aggregate {
namespace {

// A buffer of exactly `bytes` on the heap, 8-byte aligned, so that AddressSanitizer sees any read beyond it.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : data_(new std::uint8_t[bytes]()), bytes_(bytes) {}
  Buffer(const void* from, std::size_t bytes) : Buffer(bytes) { std::memcpy(data_.get(), from, bytes); }

  void* data() { return data_.get(); }
  State& state() { return *reinterpret_cast<State*>(data_.get()); }
  HistogramState& histogram() { return static_cast<HistogramState&>(state()); }
  std::size_t bytes() const { return bytes_; }
  void word(std::size_t index, std::uint64_t value) { std::memcpy(data_.get() + 8 * index, &value, 8); }
  bool is_state() { return aggregate::is_state(data(), bytes_); }
  std::vector<std::uint8_t> content() const { return {data_.get(), data_.get() + bytes_}; }

 private:
  std::unique_ptr<std::uint8_t[]> data_;
  std::size_t bytes_;
};

constexpr Tag kTags[] = {Tag::count,       Tag::sum,        Tag::mean,       Tag::moments,  Tag::totals,
                         Tag::all_moments, Tag::covariance, Tag::regression, Tag::histogram};
constexpr std::uint64_t kSize = 7;

std::size_t bytes_of(Tag tag) {
  switch (tag) {
    case Tag::count:
      return 16;
    case Tag::sum:
      return 24;
    case Tag::mean:
      return 32;
    case Tag::moments:
    case Tag::totals:
      return 48;
    case Tag::all_moments:
      return 64;
    case Tag::covariance:
      return 96;
    case Tag::regression:
      return 176;
    default:
      return 16 + 8 * kSize;
  }
}

Buffer empty(Tag tag) {
  Buffer buffer(bytes_of(tag));
  buffer.word(0, static_cast<std::uint64_t>(tag));
  if (tag == Tag::histogram) buffer.word(1, kSize);
  return buffer;
}

// Sums take negative steps too.
void add(State& state, std::int64_t steps) {
  switch (state.tag) {
    case Tag::count:
      return static_cast<CountState&>(state).add();
    case Tag::sum:
      return static_cast<SumState&>(state).add(steps);
    case Tag::mean:
      return static_cast<MeanState&>(state).add(steps < 0 ? -(steps + 1) : steps);
    case Tag::moments:
      return static_cast<MomentsState&>(state).add(steps & 0xffffffff);
    case Tag::totals:
      if (steps % 3 == 0) return static_cast<TotalsState&>(state).add_missing(1000);
      return static_cast<TotalsState&>(state).add(steps < 0 ? -(steps + 1) : steps);
    case Tag::all_moments:
      if (steps % 3 == 0) return static_cast<AllMomentsState&>(state).add_missing(1000);
      return static_cast<AllMomentsState&>(state).add(steps & 0xffffffff);
    case Tag::covariance:
      return static_cast<CovarianceState&>(state).add(steps & 0xffff, steps >> 16 & 0xffff, 65536, 65536);
    case Tag::regression:
      if (steps % 3 == 0) return void(++static_cast<RegressionState&>(state).missing);
      return static_cast<RegressionState&>(state).add(steps & 0xffff, steps >> 16 & 0xffff, 65536, 65536);
    case Tag::histogram:
      ++static_cast<HistogramState&>(state).counts()[static_cast<std::uint64_t>(steps) % kSize];
      return;
    case Tag::sample:  // are not merged: sample_test.cpp, gaps_test.cpp
    case Tag::points:
      return;
  }
}

class EachState : public testing::TestWithParam<Tag> {};

TEST_P(EachState, AnySplitAndOrderGiveTheSameBytes) {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> rows(1000);
  for (auto& row : rows) row = static_cast<std::int64_t>(random());
  Buffer serial = empty(GetParam());
  for (const auto row : rows) add(serial.state(), row);

  for (int round = 0; round < 50; ++round) {
    std::shuffle(rows.begin(), rows.end(), random);
    std::vector<Buffer> workers;
    for (std::uint64_t w = 0; w < 1 + random() % 8; ++w) workers.push_back(empty(GetParam()));
    for (const auto row : rows) add(workers[random() % workers.size()].state(), row);
    // Merged in any tree: two at a time, in either direction.
    while (workers.size() > 1) {
      const std::size_t from = random() % workers.size();
      std::swap(workers[from], workers.back());
      const std::size_t into = random() % (workers.size() - 1);
      ASSERT_TRUE(merge_states(workers[into].state(), workers.back().state()));
      workers.pop_back();
    }
    ASSERT_EQ(workers[0].content(), serial.content());
  }
}

TEST_P(EachState, IsRecognisedAtItsOwnSizeOnly) {
  Buffer own = empty(GetParam());
  EXPECT_TRUE(own.is_state());
  EXPECT_EQ(state_bytes(own.state()), own.bytes());
  for (std::size_t bytes = 0; bytes < own.bytes(); ++bytes) {
    EXPECT_FALSE(Buffer(own.data(), bytes).is_state()) << bytes << " bytes";
  }
  for (const std::size_t more : {1, 8, 16}) {
    Buffer longer(own.bytes() + more);
    std::memcpy(longer.data(), own.data(), own.bytes());
    EXPECT_FALSE(longer.is_state());
  }
}

TEST_P(EachState, MergesWithItsOwnKindOnlyAndChangesNothingElse) {
  for (const Tag other : kTags) {
    Buffer into = empty(GetParam()), from = empty(other);
    add(into.state(), 3);
    add(from.state(), 4);
    const auto before = into.content(), given = from.content();
    EXPECT_EQ(merge_states(into.state(), from.state()), other == GetParam());
    if (other != GetParam()) {
      EXPECT_EQ(into.content(), before);
    }
    EXPECT_EQ(from.content(), given);
  }
}

TEST_P(EachState, FlippedTagBitsAreFoundOut) {
  for (int bit = 0; bit < 64; ++bit) {
    Buffer forged = empty(GetParam());
    const std::uint64_t tag = static_cast<std::uint64_t>(GetParam()) ^ std::uint64_t{1} << bit;
    forged.word(0, tag);
    const bool is_other_tag =
        tag == static_cast<std::uint64_t>(Tag::points) ||
        std::any_of(std::begin(kTags), std::end(kTags), [&](Tag t) { return static_cast<std::uint64_t>(t) == tag; });
    if (is_other_tag) continue;  // its size decides
    EXPECT_EQ(state_bytes(forged.state()), 0u);
    EXPECT_FALSE(forged.is_state());
    Buffer own = empty(GetParam());
    EXPECT_FALSE(merge_states(own.state(), forged.state()));
    EXPECT_FALSE(merge_states(forged.state(), own.state()));
  }
}

INSTANTIATE_TEST_SUITE_P(Tags, EachState, testing::ValuesIn(kTags));

TEST(HistogramState, ForgedSizesAreRefused) {
  for (const std::uint64_t size :
       {std::uint64_t{0}, kSize - 1, kSize + 1, kMaxBuckets, kMaxBuckets + 1, std::uint64_t{1} << 32,
        std::uint64_t{1} << 60, (std::uint64_t{1} << 61) + kSize, ~std::uint64_t{0}, ~std::uint64_t{0} - 1}) {
    Buffer forged = empty(Tag::histogram), own = empty(Tag::histogram);
    forged.word(1, size);
    EXPECT_FALSE(forged.is_state()) << size;
    EXPECT_FALSE(merge_states(own.state(), forged.state())) << size;
    EXPECT_FALSE(merge_states(forged.state(), own.state())) << size;
  }
}

TEST(HistogramState, SmallestAndLargestSizes) {
  for (const std::uint64_t size : {std::uint64_t{1}, kMaxBuckets}) {
    Buffer a(HistogramState::bytes(size));
    a.word(0, static_cast<std::uint64_t>(Tag::histogram));
    a.word(1, size);
    a.histogram().counts()[size - 1] = 5;
    Buffer b(a.data(), a.bytes());
    EXPECT_TRUE(a.is_state());
    EXPECT_TRUE(merge_states(a.state(), b.state()));
    EXPECT_EQ(a.histogram().counts()[size - 1], 10u);
  }
}

// Sums that a forged state overflows wrap; what matters is that this is defined (UBSan looks on).
TEST(State, ForgedCountersWrap) {
  for (const Tag tag : kTags) {
    Buffer a = empty(tag), b = empty(tag);
    for (std::size_t i = tag == Tag::histogram ? 2 : 1; i < a.bytes() / 8; ++i) {
      a.word(i, ~std::uint64_t{0});
      b.word(i, ~std::uint64_t{0});
    }
    EXPECT_TRUE(merge_states(a.state(), b.state()));
    add(a.state(), std::numeric_limits<std::int64_t>::max());
  }
}

TEST(State, SumsOfExtremesAreExact) {
  Buffer sum = empty(Tag::sum);
  for (int i = 0; i < 1000; ++i) add(sum.state(), std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(static_cast<Int128>(static_cast<SumState&>(sum.state()).total) == -(Int128{1000} << 63));
  for (int i = 0; i < 1000; ++i) add(sum.state(), std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(static_cast<Int128>(static_cast<SumState&>(sum.state()).total) == -1000);
}

// Random bytes, and real states with random bytes in them, of random lengths: an answer, and never a read outside.
TEST(State, FuzzedBytes) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100'000; ++i) {
    Buffer buffer(random() % 80);
    const Tag tag = kTags[random() % std::size(kTags)];
    for (std::size_t at = 0; at < buffer.bytes(); ++at)
      static_cast<std::uint8_t*>(buffer.data())[at] = static_cast<std::uint8_t>(random());
    if (buffer.bytes() >= 8 && random() % 4 != 0) buffer.word(0, static_cast<std::uint64_t>(tag));
    if (buffer.bytes() >= 16 && random() % 2 != 0) buffer.word(1, random() % 10);
    if (!buffer.is_state()) continue;
    ASSERT_EQ(state_bytes(buffer.state()), buffer.bytes());
    Buffer own = empty(tag);
    const bool same = buffer.state().tag == tag && buffer.bytes() == own.bytes();
    ASSERT_EQ(merge_states(own.state(), buffer.state()), same);
  }
}

}  // namespace
}  // namespace dp::aggregate
