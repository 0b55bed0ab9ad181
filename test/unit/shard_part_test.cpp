// What servers say of their rows is read again as it was, and nothing else is read.
#include "core/accumulate/shard_part.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace dp::aggregate {
namespace {

std::string shard_part_of(const State& state) {
  std::string bytes(shard_part_bytes(state), '\0');
  write_shard_part(state, bytes.data());
  return bytes;
}

template <class S>
S state_with(std::uint64_t rows) {
  S state{};
  state.tag = S::kTag;
  if constexpr (!std::is_same_v<S, SumState>) state.rows = rows;
  if constexpr (!std::is_same_v<S, CountState>) state.total = rows * 7;
  return state;
}

std::vector<std::string> all_parts() {
  std::vector<std::string> parts;
  parts.push_back(shard_part_of(state_with<CountState>(5)));
  parts.push_back(shard_part_of(state_with<SumState>(5)));
  parts.push_back(shard_part_of(state_with<MeanState>(5)));
  parts.push_back(shard_part_of(state_with<MomentsState>(5)));
  parts.push_back(shard_part_of(state_with<TotalsState>(5)));
  parts.push_back(shard_part_of(state_with<AllMomentsState>(5)));
  return parts;
}

constexpr Tag kShipped[] = {Tag::count, Tag::sum, Tag::mean, Tag::moments, Tag::totals, Tag::all_moments};

TEST(ShardPart, IsReadAsItWasWritten) {
  const auto parts = all_parts();
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const Tag tag : kShipped) EXPECT_EQ(is_shard_part(parts[i], tag, 0), tag == kShipped[i]);
  const MeanState mean = state_with<MeanState>(5);
  EXPECT_EQ(std::memcmp(state_in(shard_part_of(mean)).data(), &mean, sizeof mean), 0);
}

TEST(ShardPart, NegativeSums) {
  SumState sum{};
  sum.tag = Tag::sum;
  sum.total = static_cast<Uint128>(-static_cast<Int128>(1000));
  EXPECT_TRUE(is_shard_part(shard_part_of(sum), Tag::sum, 0));
  sum.total = static_cast<Uint128>(1) << 127;
  EXPECT_FALSE(is_shard_part(shard_part_of(sum), Tag::sum, 0));
  sum.total = static_cast<Uint128>(1) << 120;
  EXPECT_FALSE(is_shard_part(shard_part_of(sum), Tag::sum, 0));
}

TEST(ShardPart, OtherLengthsAreRefused) {
  for (const std::string& part : all_parts()) {
    const auto tag = static_cast<Tag>(*reinterpret_cast<const std::uint64_t*>(state_in(part).data()));
    for (std::size_t length = 0; length < part.size(); ++length)
      EXPECT_FALSE(is_shard_part(part.substr(0, length), tag, 0));
    EXPECT_FALSE(is_shard_part(part + std::string(8, '\0'), tag, 0));
  }
}

TEST(ShardPart, OtherVersionsAreRefused) {
  for (const std::string& part : all_parts()) {
    const auto tag = static_cast<Tag>(*reinterpret_cast<const std::uint64_t*>(state_in(part).data()));
    for (std::size_t i = 0; i < kShardPartHead; ++i) {
      std::string changed = part;
      changed[i] = static_cast<char>(changed[i] + 1);
      EXPECT_FALSE(is_shard_part(changed, tag, 0)) << i;
    }
  }
}

TEST(ShardPart, NumbersThatCannotBeAreRefused) {
  CountState count = state_with<CountState>(std::uint64_t{1} << 50);
  EXPECT_TRUE(is_shard_part(shard_part_of(count), Tag::count, 0));
  ++count.rows;
  EXPECT_FALSE(is_shard_part(shard_part_of(count), Tag::count, 0));
  MeanState mean = state_with<MeanState>(0);
  EXPECT_TRUE(is_shard_part(shard_part_of(mean), Tag::mean, 0));
  mean.total = 1;  // of no row
  EXPECT_FALSE(is_shard_part(shard_part_of(mean), Tag::mean, 0));
  MomentsState moments = state_with<MomentsState>(1);
  moments.total_squares = (static_cast<Uint128>(1) << 64) + 1;
  EXPECT_FALSE(is_shard_part(shard_part_of(moments), Tag::moments, 0));
  TotalsState totals = state_with<TotalsState>(1);
  totals.missing = (static_cast<Uint128>(1) << 63) + 1;
  EXPECT_FALSE(is_shard_part(shard_part_of(totals), Tag::totals, 0));
}

TEST(ShardPart, Histograms) {
  constexpr std::uint64_t kBuckets = 4;
  std::vector<std::uint64_t> words(HistogramState::bytes(kBuckets) / 8);
  auto* const histogram = new (words.data()) HistogramState{{Tag::histogram}, kBuckets};
  for (std::uint64_t i = 0; i < kBuckets; ++i) histogram->counts()[i] = i;
  const std::string part = shard_part_of(*histogram);
  EXPECT_TRUE(is_shard_part(part, Tag::histogram, kBuckets));
  EXPECT_FALSE(is_shard_part(part, Tag::histogram, kBuckets + 1));
  EXPECT_FALSE(is_shard_part(part, Tag::histogram, kBuckets - 1));
  histogram->counts()[2] = ~std::uint64_t{0};
  EXPECT_FALSE(is_shard_part(shard_part_of(*histogram), Tag::histogram, kBuckets));
}

// Whatever bytes: what passes can be added up and is within its ranges.
TEST(ShardPart, AnyBytes) {
  std::mt19937_64 bits(7);
  const auto parts = all_parts();
  int passed = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string bytes = parts[bits() % parts.size()];
    for (std::uint64_t changes = bits() % 4; changes > 0; --changes)
      bytes[bits() % bytes.size()] = static_cast<char>(bits());
    if (bits() % 8 == 0) bytes.resize(bits() % 80);
    for (const Tag tag : kShipped) {
      if (!is_shard_part(bytes, tag, 3)) continue;
      ++passed;
      alignas(16) char memory[sizeof(AllMomentsState)], sum[sizeof(AllMomentsState)];
      const std::string_view state = state_in(bytes);
      std::memcpy(memory, state.data(), state.size());
      std::memcpy(sum, state.data(), state.size());
      ASSERT_TRUE(is_state(memory, state.size()));
      ASSERT_TRUE(merge_states(*reinterpret_cast<State*>(sum), *reinterpret_cast<const State*>(memory)));
    }
  }
  EXPECT_GT(passed, 1000);
}

}  // namespace
}  // namespace dp::aggregate
