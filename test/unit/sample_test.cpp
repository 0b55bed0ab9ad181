// Samples of a unit's rows: every choice is equally likely, in one piece or put together from several.
#include "core/accumulate/sample.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace dp::aggregate {
namespace {

// A state with room for all that it may keep.
class Sample {
 public:
  explicit Sample(std::uint32_t most) : memory_(SampleState::bytes(most) / 8) {
    state().tag = Tag::sample;
    state().most = most;
    state().used = 0;
    state().room = most;
  }

  SampleState& state() { return *static_cast<SampleState*>(reinterpret_cast<State*>(memory_.data())); }

  std::multiset<std::uint64_t> least(std::uint32_t count) {
    std::multiset<std::uint64_t> buckets;
    state().visit_least(count, [&](std::uint64_t bucket) { buckets.insert(bucket); });
    return buckets;
  }

 private:
  std::vector<std::uint64_t> memory_;
};

using Generator = std::mt19937_64;

KeptRow row(Generator& generator, int bucket) { return KeptRow::of(generator() >> KeptRow::kBucketBits, bucket); }

TEST(Sample, KeepsAllRowsUpToTheLimit) {
  Generator generator(1);
  Sample sample(5);
  for (int i = 0; i < 3; ++i) sample.state().keep(row(generator, i));
  EXPECT_EQ(sample.least(9), (std::multiset<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(sample.least(2).size(), 2U);
  EXPECT_EQ(sample.least(0).size(), 0U);
}

TEST(Sample, KeepsTheLeast) {
  Sample sample(3);
  for (const int number : {9, 2, 7, 4, 8, 1, 6})
    sample.state().keep(KeptRow::of(static_cast<std::uint64_t>(number), number));
  EXPECT_EQ(sample.least(3), (std::multiset<std::uint64_t>{1, 2, 4}));
  EXPECT_EQ(sample.least(1), (std::multiset<std::uint64_t>{1}));
}

TEST(Sample, KeepsTheLargestBucket) {
  Sample sample(1);
  sample.state().keep(KeptRow::of((std::uint64_t{1} << KeptRow::kRandomBits) - 1, static_cast<int>(kMaxBuckets) - 1));
  EXPECT_EQ(sample.least(1), (std::multiset<std::uint64_t>{kMaxBuckets - 1}));
}

// 2 of 5 rows: ten choices, a tenth of 20,000 each; six standard deviations are 255.
void expect_alike(const std::map<std::multiset<std::uint64_t>, int>& counts) {
  EXPECT_EQ(counts.size(), 10U);
  for (const auto& [choice, count] : counts) EXPECT_NEAR(count, 2000, 255);
}

TEST(Sample, EveryChoiceIsEquallyLikely) {
  Generator generator(2);
  std::map<std::multiset<std::uint64_t>, int> counts;
  for (int round = 0; round < 20'000; ++round) {
    Sample sample(2);
    for (int i = 0; i < 5; ++i) sample.state().keep(row(generator, i));
    ++counts[sample.least(2)];
  }
  expect_alike(counts);
}

TEST(Sample, SoItIsOfSamplesThatArePutTogether) {
  Generator generator(3);
  std::map<std::multiset<std::uint64_t>, int> counts;
  for (int round = 0; round < 20'000; ++round) {
    Sample one(2), other(2);
    one.state().keep(row(generator, 0));
    for (int i = 1; i < 5; ++i) other.state().keep(row(generator, i));
    for (const KeptRow& kept : other.state().rows()) one.state().keep(kept);
    ++counts[one.least(2)];
  }
  expect_alike(counts);
}

// 1 of the 2 that were kept of 5: a fifth each.
TEST(Sample, SoItIsOfThoseThatCount) {
  Generator generator(4);
  std::map<std::multiset<std::uint64_t>, int> counts;
  for (int round = 0; round < 20'000; ++round) {
    Sample sample(2);
    for (int i = 0; i < 5; ++i) sample.state().keep(row(generator, i));
    ++counts[sample.least(1)];
  }
  EXPECT_EQ(counts.size(), 5U);
  for (const auto& [choice, count] : counts) EXPECT_NEAR(count, 4000, 340);
}

TEST(Sample, RoomGrowsToTheLimit) {
  Sample sample(100);
  SampleState& state = sample.state();
  state.room = 0;
  EXPECT_TRUE(state.is_cramped());
  EXPECT_EQ(state.next_room(), 4U);
  state.room = 64;
  EXPECT_EQ(state.next_room(), 100U);
  state.used = 100;
  state.room = 100;
  EXPECT_FALSE(state.is_cramped());
}

TEST(Sample, BytesThatAreNoSampleAreFoundOut) {
  Sample sample(4);
  SampleState& state = sample.state();
  EXPECT_TRUE(is_state(&state, SampleState::bytes(0)));
  EXPECT_FALSE(is_state(&state, sizeof(CountState)));
  EXPECT_FALSE(is_state(&state, SampleState::bytes(1)));
  state.used = 5;
  EXPECT_FALSE(is_state(&state, SampleState::bytes(5)));
  state.used = 0;
  state.most = 0;
  EXPECT_FALSE(is_state(&state, SampleState::bytes(0)));
  state.most = SampleState::kMost + 1;
  EXPECT_FALSE(is_state(&state, SampleState::bytes(0)));
}

TEST(Sample, IsNotMergedAsOtherStatesAre) {
  Sample one(4), other(4);
  EXPECT_FALSE(merge_states(one.state(), other.state()));
}

}  // namespace
}  // namespace dp::aggregate
