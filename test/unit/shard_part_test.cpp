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
  if constexpr (requires { state.rows; }) state.rows = rows;
  if constexpr (requires { state.total; }) state.total = rows * 7;
  if constexpr (requires { state.numbers; }) state.numbers[0] = state.missing = rows * 7;
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
  parts.push_back(shard_part_of(state_with<CovarianceState>(5)));
  parts.push_back(shard_part_of(state_with<RegressionState>(5)));
  return parts;
}

constexpr Tag kShipped[] = {Tag::count,  Tag::sum,         Tag::mean,       Tag::moments,
                            Tag::totals, Tag::all_moments, Tag::covariance, Tag::regression};

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

template <class S>
void expect_pairs_within(int bits) {
  S pairs = state_with<S>(3);
  constexpr auto kLast = std::size(decltype(pairs.numbers){}) - 1;
  for (Uint128* const number : {&pairs.numbers[0], &pairs.numbers[kLast], &pairs.missing}) {
    *number = static_cast<Uint128>(3) << bits;
    EXPECT_TRUE(is_shard_part(shard_part_of(pairs), S::kTag, 0));
    ++*number;
    EXPECT_FALSE(is_shard_part(shard_part_of(pairs), S::kTag, 0));
    *number = 0;
  }
  pairs.rows = (std::uint64_t{1} << 50) + 1;
  EXPECT_FALSE(is_shard_part(shard_part_of(pairs), S::kTag, 0));
}

TEST(ShardPart, PairsThatCannotBeAreRefused) {
  expect_pairs_within<CovarianceState>(32);
  expect_pairs_within<RegressionState>(64);
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
      alignas(16) char memory[sizeof(AnyState)], sum[sizeof(AnyState)];
      const std::string_view state = state_in(bytes);
      std::memcpy(memory, state.data(), state.size());
      std::memcpy(sum, state.data(), state.size());
      ASSERT_TRUE(is_state(memory, state.size()));
      ASSERT_TRUE(merge_states(*reinterpret_cast<State*>(sum), *reinterpret_cast<const State*>(memory)));
    }
  }
  EXPECT_GT(passed, 1000);
}

std::string parts_of_groups(Tag tag, const std::vector<AnyState>& states) {
  std::string bytes(group_parts_bytes(tag, states.size()), '\0');
  write_group_parts(states.data(), tag, states.size(), bytes.data());
  return bytes;
}

std::vector<AnyState> counts_of(const std::vector<std::uint64_t>& rows) {
  std::vector<AnyState> states(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memset(static_cast<void*>(&states[i]), 0, sizeof states[i]);
    const CountState count = [&] {
      CountState state{};
      state.tag = Tag::count;
      state.rows = rows[i];
      return state;
    }();
    std::memcpy(static_cast<void*>(&states[i]), &count, sizeof count);
  }
  return states;
}

std::uint64_t rows_in(const AnyState& count) { return static_cast<const CountState&>(count.state).rows; }

TEST(GroupParts, AreReadAsTheyWereWritten) {
  const std::string parts = parts_of_groups(Tag::count, counts_of({3, 0, 7}));
  ASSERT_TRUE(is_group_parts(parts, Tag::count, 3));
  EXPECT_EQ(rows_in(state_of_group(parts, Tag::count, 0)), 3u);
  EXPECT_EQ(rows_in(state_of_group(parts, Tag::count, 2)), 7u);
}

TEST(GroupParts, OfOtherGroupsKindsLengthsAndVersionsAreNone) {
  const std::string parts = parts_of_groups(Tag::count, counts_of({3, 0, 7}));
  EXPECT_FALSE(is_group_parts(parts, Tag::count, 2));
  EXPECT_FALSE(is_group_parts(parts, Tag::sum, 3));
  EXPECT_FALSE(is_group_parts(parts, Tag::histogram, 3));
  EXPECT_FALSE(is_group_parts(parts.substr(0, parts.size() - 1), Tag::count, 3));
  EXPECT_FALSE(is_group_parts(parts + '\0', Tag::count, 3));
  for (std::size_t size = 0; size < 32; ++size) EXPECT_FALSE(is_group_parts(parts.substr(0, size), Tag::count, 3));
  std::string other = parts;
  other[3] = 2;
  EXPECT_FALSE(is_group_parts(other, Tag::count, 3));
  EXPECT_FALSE(is_group_parts(parts_of_groups(Tag::count, counts_of({3, 0, std::uint64_t{1} << 60})), Tag::count, 3));
}

struct Choice {
  LimitScale scale;
  Tag tag;
  std::uint64_t groups;
  std::vector<std::uint64_t> units = std::vector<std::uint64_t>(static_cast<std::size_t>(scale.size()) + 1);
  std::vector<char> totals = std::vector<char>(groups * LimitedTotals::bytes(scale, tag));

  LimitedTotals of(std::uint64_t group) {
    return {scale, tag, totals.data() + group * LimitedTotals::bytes(scale, tag)};
  }

  void add(std::uint64_t group, std::uint64_t rows) {
    AnyState unit = counts_of({rows})[0];
    const int bin = scale.bin_of(rows);
    ++units[static_cast<std::size_t>(bin)];
    of(group).add_alone(static_cast<const CountState&>(unit.state), bin, {1, 1});
  }

  std::string part() const {
    std::string bytes(choice_part_bytes(scale, tag, groups), '\0');
    write_choice_part(scale, tag, groups, units.data(), totals.data(), bytes.data());
    return bytes;
  }
};

TEST(ChoiceParts, AddUpToWhatOneServerWouldHave) {
  Choice one{LimitScale::of_rows(), Tag::count, 2}, other = one, both = one;
  for (std::uint64_t rows = 1; rows < 400; rows += rows / 2 + 1) {
    one.add(rows % 2, rows);
    both.add(rows % 2, rows);
    other.add(0, 3 * rows);
    both.add(0, 3 * rows);
  }
  const std::string part = other.part();
  ASSERT_TRUE(is_choice_part(part, one.scale, one.tag, 2));
  add_choice_part(part, one.scale, one.tag, 2, one.units.data(), one.totals.data());
  EXPECT_EQ(one.units, both.units);
  for (std::uint64_t group = 0; group < 2; ++group) {
    for (int number = 0; number < one.scale.size(); ++number) {
      EXPECT_EQ(rows_in(one.of(group).total(number)), rows_in(both.of(group).total(number)));
    }
  }
}

TEST(ChoiceParts, OfAnotherScaleGroupsAndNumbersThatCannotBeAreNone) {
  Choice one{LimitScale::of_rows(), Tag::count, 1};
  one.add(0, 40);
  const std::string part = one.part();
  EXPECT_TRUE(is_choice_part(part, one.scale, one.tag, 1));
  EXPECT_FALSE(is_choice_part(part, LimitScale::of_totals({0, 100}, false), one.tag, 1));
  EXPECT_FALSE(is_choice_part(part, one.scale, Tag::sum, 1));
  EXPECT_FALSE(is_choice_part(part, one.scale, one.tag, 2));
  EXPECT_FALSE(is_choice_part(part.substr(8), one.scale, one.tag, 1));
  EXPECT_FALSE(is_choice_part("", one.scale, one.tag, 1));
  // In each word a number that no server has is noticed, or a state that has it is none.
  for (std::size_t word = 1; word < part.size() / 8; ++word) {
    std::string forged = part;
    const std::uint64_t huge = std::uint64_t{3} << 61;
    std::memcpy(forged.data() + 8 * word, &huge, sizeof huge);
    EXPECT_FALSE(is_choice_part(forged, one.scale, one.tag, 1)) << word;
  }
}

TEST(ChoiceParts, UnitsBeyondLimitsOfTheirSizeAddUp) {
  const RowSteps widest{INT64_MIN, INT64_MAX};
  Choice one{LimitScale::of_open_totals(widest, false), Tag::sum, 1};
  EXPECT_TRUE(is_choice_part(one.part(), one.scale, one.tag, 1));
  const auto beyond = [&](int bin, std::int64_t units) {
    std::memcpy(one.totals.data() + static_cast<std::size_t>(bin) * 8, &units, sizeof units);
    return is_choice_part(one.part(), one.scale, one.tag, 1);
  };
  EXPECT_TRUE(beyond(0, std::int64_t{1} << 40));
  EXPECT_TRUE(beyond(0, -(std::int64_t{1} << 40)));
  EXPECT_FALSE(beyond(0, std::int64_t{1} << 44));
  EXPECT_TRUE(beyond(0, 0));
  EXPECT_TRUE(beyond(one.scale.size(), 1 << 20));
  EXPECT_FALSE(beyond(one.scale.size(), std::int64_t{1} << 40));
  EXPECT_FALSE(beyond(one.scale.size(), INT64_MIN));
}

}  // namespace
}  // namespace dp::aggregate
