// Narrow states: together with what they leave, they are the wide ones.
#include "core/accumulate/narrow_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

namespace dp::aggregate {
namespace {

using Kind = NarrowRecord::Field::Kind;

std::optional<Kind> kind_of(Tag tag, std::uint32_t rows, const RowSteps& row) {
  NarrowRecord::Field field{};
  if (!NarrowRecord::find_field(tag, rows, row, &field)) return std::nullopt;
  return field.kind;
}

TEST(NarrowRecord, IsAsNarrowAsLimitsAllow) {
  constexpr std::int64_t kStep = std::int64_t{1} << 20, kLong = std::int64_t{1} << 36;
  EXPECT_EQ(kind_of(Tag::count, 255, {}), Kind::rows_1);
  EXPECT_EQ(kind_of(Tag::count, 256, {}), Kind::rows_2);
  EXPECT_EQ(kind_of(Tag::count, 65'535, {}), Kind::rows_2);
  EXPECT_EQ(kind_of(Tag::count, 65'536, {}), Kind::rows_4);
  EXPECT_EQ(kind_of(Tag::sum, 1, {-kStep, kStep}), Kind::total_4);
  EXPECT_EQ(kind_of(Tag::sum, 1, {-kStep - 1, 0}), Kind::total_8);
  EXPECT_EQ(kind_of(Tag::sum, 1, {-1, kLong}), Kind::total_8);
  EXPECT_EQ(kind_of(Tag::sum, 15, {0, kLong}), Kind::capped_5);
  EXPECT_EQ(kind_of(Tag::sum, 16, {1, kLong}), Kind::total_8);
  EXPECT_EQ(kind_of(Tag::sum, 1, {0, kLong + 1}), std::nullopt);
  EXPECT_EQ(kind_of(Tag::sum, 1, {INT64_MIN, kLong}), std::nullopt);
  EXPECT_EQ(kind_of(Tag::mean, 1, {0, kLong}), Kind::mean_8);
  EXPECT_EQ(kind_of(Tag::mean, 1, {0, kLong + 1}), std::nullopt);
  EXPECT_EQ(kind_of(Tag::totals, 1, {0, kLong}), Kind::totals_10);
  EXPECT_EQ(kind_of(Tag::totals, 1, {0, kLong + 1}), std::nullopt);
  constexpr std::int64_t kSquared = std::int64_t{1} << 27;
  EXPECT_EQ(kind_of(Tag::moments, 1, {0, kSquared}), Kind::moments_16);
  EXPECT_EQ(kind_of(Tag::moments, 1, {0, kSquared + 1}), std::nullopt);
  EXPECT_EQ(kind_of(Tag::all_moments, 1, {0, kSquared}), Kind::all_moments_18);
  EXPECT_EQ(kind_of(Tag::all_moments, 1, {0, kSquared + 1}), std::nullopt);
  EXPECT_EQ(kind_of(Tag::covariance, 1, {0, 1}), std::nullopt);
  EXPECT_EQ(kind_of(Tag::sample, 1, {0, 1}), std::nullopt);
}

struct Record {
  CountState count;
  SumState small;
  MeanState mean;
  SumState large;
  CountState more;
};

constexpr NarrowRecord::Field kFields[] = {
    {Kind::rows_1, 7}, {Kind::total_4, 0}, {Kind::mean_8, 0}, {Kind::total_8, 0}, {Kind::rows_2, 300}};
constexpr Tag kTags[] = {Tag::count, Tag::sum, Tag::mean, Tag::sum, Tag::count};

// Rows of every size in runs of every length: what was left of each run, and what is at the place, are all rows.
TEST(NarrowRecord, LosesNothingButRowsBeyondTheLimit) {
  const NarrowRecord narrow(kFields, 5);
  const UnitRecord kind(kTags, 5);
  EXPECT_EQ(narrow.bytes(), 1u + 4 + 8 + 8 + 2);
  std::mt19937_64 random(11);
  int left = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<char> place(narrow.bytes());
    EXPECT_TRUE(narrow.is_empty(place.data()));
    Record wide{}, elsewhere{}, expected{};
    const int runs = 1 + static_cast<int>(random() % 40);
    for (int run = 0; run < runs; ++run) {
      const int rows = static_cast<int>(random() % (round % 3 == 0 ? 4'000 : 4));
      const unsigned bits = static_cast<unsigned>(random() % 37);
      for (int i = 0; i < rows; ++i) {
        const auto steps = static_cast<std::int64_t>(random() & ((std::uint64_t{1} << bits) - 1));
        const std::int64_t small = random() % 2 == 0 ? 1'000'000 : -steps % 1'000'000;
        for (Record* const record : {&wide, &expected}) {
          record->count.add();
          record->small.add(small);
          record->mean.add(steps);
          record->large.add(-steps);
          if (i % 2 == 0) record->more.add();
        }
      }
      if (narrow.take(place.data(), &wide.count)) {
        for (const std::uint64_t rest : {wide.count.rows, wide.mean.rows, wide.more.rows}) EXPECT_EQ(rest, 0u);
        EXPECT_TRUE(wide.small.total == 0 && wide.mean.total == 0 && wide.large.total == 0);
      } else {
        ++left;
        kind.merge(elsewhere.count, wide.count);
        wide = {};
      }
    }
    Record all{};
    narrow.widen(&all.count, place.data());
    kind.merge(all.count, elsewhere.count);
    EXPECT_EQ(std::min<std::uint64_t>(all.count.rows, 7), std::min<std::uint64_t>(expected.count.rows, 7));
    EXPECT_EQ(std::min<std::uint64_t>(all.more.rows, 300), std::min<std::uint64_t>(expected.more.rows, 300));
    EXPECT_EQ(all.mean.rows, expected.mean.rows);
    EXPECT_TRUE(all.mean.total == expected.mean.total && all.small.total == expected.small.total);
    EXPECT_TRUE(all.large.total == expected.large.total);
  }
  EXPECT_GT(left, 100);
}

struct Vectors {
  TotalsState totals;
  MomentsState moments;
  AllMomentsState all;
};

// The same of what several aggregates are read off, where some rows have no value.
TEST(NarrowRecord, LosesNothingOfVectors) {
  constexpr std::int64_t kRange = 1'000'003;
  constexpr NarrowRecord::Field kFieldsOf[] = {
      {Kind::totals_10, kRange}, {Kind::moments_16, 0}, {Kind::all_moments_18, kRange}};
  constexpr Tag kTagsOf[] = {Tag::totals, Tag::moments, Tag::all_moments};
  const NarrowRecord narrow(kFieldsOf, 3);
  const UnitRecord kind(kTagsOf, 3);
  EXPECT_EQ(narrow.bytes(), 10u + 16 + 18);
  std::mt19937_64 random(13);
  int left = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<char> place(narrow.bytes());
    Vectors wide{}, elsewhere{}, expected{};
    for (int run = 0; run < 30; ++run) {
      // More rows without a value than there is room for, in some rounds; and what no rows make.
      const std::uint64_t missing = random() % (round % 3 == 0 ? 5'000 : 3);
      for (Vectors* const record : {&wide, &expected}) {
        record->totals.rows += missing;
        record->all.rows += missing;
        record->totals.missing += Uint128{missing} * kRange + (round % 50 == 1 ? 1 : 0);
        record->all.missing += Uint128{missing} * kRange;
      }
      for (std::uint64_t rows = random() % 4; rows > 0; --rows) {
        const auto steps = static_cast<std::int64_t>(random() % (round % 5 == 0 ? std::uint64_t{1} << 31 : kRange));
        for (Vectors* const record : {&wide, &expected}) {
          record->totals.add(steps);
          record->moments.add(steps);
          record->all.add(steps);
        }
      }
      if (narrow.take(place.data(), &wide.totals)) {
        EXPECT_TRUE(wide.totals.rows == 0 && wide.totals.total == 0 && wide.totals.missing == 0);
        EXPECT_TRUE(wide.moments.rows == 0 && wide.moments.total == 0 && wide.moments.total_squares == 0);
        EXPECT_TRUE(wide.all.rows == 0 && wide.all.total == 0 && wide.all.total_squares == 0 && wide.all.missing == 0);
      } else {
        ++left;
        kind.merge(elsewhere.totals, wide.totals);
        wide = {};
      }
    }
    Vectors all{};
    narrow.widen(&all.totals, place.data());
    kind.merge(all.totals, elsewhere.totals);
    EXPECT_EQ(std::memcmp(&all, &expected, sizeof all), 0) << round;
  }
  EXPECT_GT(left, 100);
}

// At the ends of the numbers: the last that fits, and the first that does not, which is left as it was.
TEST(NarrowRecord, LeavesWhatDoesNotFit) {
  constexpr NarrowRecord::Field kMean[] = {{Kind::mean_8, 0}};
  const NarrowRecord mean(kMean, 1);
  char place[8] = {};
  MeanState wide{};
  wide.rows = 65'535;
  wide.total = (Uint128{1} << 48) - 1;
  EXPECT_TRUE(mean.take(place, &wide));
  for (const auto& [rows, total] : {std::pair<unsigned, unsigned>{1, 0}, {0, 1}, {1, 1}}) {
    wide.rows = rows;
    wide.total = total;
    EXPECT_FALSE(mean.take(place, &wide));
    EXPECT_TRUE(wide.rows == rows && wide.total == total);
  }
  mean.widen(&wide, place);
  EXPECT_TRUE(wide.rows == 65'535 && wide.total == (Uint128{1} << 48) - 1);

  constexpr NarrowRecord::Field kAll[] = {{Kind::all_moments_18, 10}};
  const NarrowRecord moments(kAll, 1);
  char all[18] = {};
  AllMomentsState known{};
  known.rows = 65'534;
  known.total = (Uint128{1} << 48) - 2;
  known.total_squares = (Uint128{1} << 64) - 2;
  known.missing = Uint128{10} * 65'534;
  EXPECT_TRUE(moments.take(all, &known));
  for (int i = 0; i < 6; ++i) {
    known.rows = i == 0 ? 2 : 0;
    known.total = i == 1 ? 2 : 0;
    known.total_squares = i == 2 ? 2 : i == 3 ? Uint128{1} << 64 : 0;
    known.missing = i == 4 ? 20 : i == 5 ? 5 : 0;
    const AllMomentsState before = known;
    EXPECT_FALSE(moments.take(all, &known)) << i;
    EXPECT_EQ(std::memcmp(&known, &before, sizeof known), 0);
  }
  known.rows = 1;
  known.total = known.total_squares = 1;
  known.missing = 10;
  EXPECT_TRUE(moments.take(all, &known));
  moments.widen(&known, all);
  EXPECT_TRUE(known.rows == 65'535 && known.total == (Uint128{1} << 48) - 1);
  EXPECT_TRUE(known.total_squares == (Uint128{1} << 64) - 1 && known.missing == Uint128{10} * 65'535);

  constexpr NarrowRecord::Field kSums[] = {{Kind::total_4, 0}, {Kind::total_8, 0}};
  const NarrowRecord sums(kSums, 2);
  SumState two[2] = {};
  char places[12] = {};
  const auto take = [&](Int128 small, Int128 large) {
    two[0].total = static_cast<Uint128>(small);
    two[1].total = static_cast<Uint128>(large);
    return sums.take(places, &two[0]);
  };
  EXPECT_TRUE(take(INT32_MIN, INT64_MAX));
  EXPECT_FALSE(take(-1, -1));  // the second is taken
  EXPECT_TRUE(static_cast<Int128>(two[0].total) == -1 && two[1].total == 0);
  EXPECT_FALSE(take(1, 2));
  EXPECT_TRUE(two[0].total == 0 && two[1].total == 2);
  EXPECT_FALSE(take(0, Int128{INT64_MAX} + 1));
  EXPECT_FALSE(take(Int128{INT64_MAX} + INT64_MAX + 1, 0));  // of which 64 bits are a 0 less
  sums.widen(&two[0], places);
  EXPECT_TRUE(static_cast<Int128>(two[0].total) == Int128{INT32_MIN} + 1 && two[1].total == INT64_MAX - 1);

  constexpr NarrowRecord::Field kRows[] = {{Kind::rows_4, 4'000'000'000}, {Kind::rows_1, 0}};
  const NarrowRecord rows(kRows, 2);
  CountState counts[2] = {};
  char counters[5] = {};
  for (const std::uint64_t more : {std::uint64_t{3'999'999'999}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    counts[0].rows = counts[1].rows = more;
    EXPECT_TRUE(rows.take(counters, &counts[0]));
  }
  rows.widen(&counts[0], counters);
  EXPECT_EQ(counts[0].rows, 4'000'000'000u);
  EXPECT_EQ(counts[1].rows, 0u);
}

// What is cut off a total that is never negative would be cut off by the limit.
TEST(NarrowRecord, CapsTotalsAtTheLimit) {
  NarrowRecord::Field field{};
  const RowSteps row{3, std::int64_t{1} << 36};
  ASSERT_TRUE(NarrowRecord::find_field(Tag::sum, 7, row, &field));
  const std::uint64_t most = std::uint64_t{7} << 36;
  EXPECT_EQ(field.most, most);
  const NarrowRecord capped(&field, 1);
  ASSERT_EQ(capped.bytes(), 5u);
  char places[7] = {};
  SumState wide{};
  for (const std::uint64_t expected : {std::uint64_t{4'000'000'000}, std::uint64_t{8'000'000'000}, most - 1}) {
    capped.widen(&wide, places + 1);
    wide.total = expected - wide.total;
    EXPECT_TRUE(capped.take(places + 1, &wide));
    EXPECT_TRUE(wide.total == 0);
    capped.widen(&wide, places + 1);
    EXPECT_TRUE(wide.total == expected);
  }
  for (const Uint128 more : {Uint128{2}, Uint128{0}, Uint128{1} << 100}) {
    wide.total = more;
    EXPECT_TRUE(capped.take(places + 1, &wide));
    capped.widen(&wide, places + 1);
    EXPECT_TRUE(wide.total == most);
  }
  EXPECT_TRUE(places[0] == 0 && places[6] == 0);
}

TEST(NarrowRecord, CountsRowsUpToTheLimit) {
  for (const std::uint32_t most : {5u, 255u, 300u, 65'535u, 70'000u}) {
    NarrowRecord::Field field{};
    ASSERT_TRUE(NarrowRecord::find_field(Tag::count, most, {}, &field));
    const NarrowRecord count(&field, 1);
    char places[6] = {};
    CountState wide{};
    for (std::uint32_t rows = 1; rows <= most + 2; ++rows) {
      count.count_row(places + 1);
      if (rows % 5 != 0 && rows < most) continue;
      count.widen(&wide, places + 1);
      ASSERT_EQ(wide.rows, std::min(rows, most));
    }
    EXPECT_TRUE(places[0] == 0 && places[5] == 0);
  }
}

template <class S>
void add_or_miss(S& state, std::int64_t steps, bool missing) {
  missing ? state.add_missing(1'000) : state.add(steps);
}

// Many records side by side, of each kind and of several: as one by one.
TEST(NarrowRecord, AddsManyAsOneByOne) {
  constexpr std::size_t kUnits = 50;
  constexpr RowSteps kRow{-900, 1'000};
  constexpr std::uint32_t kRows = 4;
  constexpr NarrowRecord::Field kKinds[] = {{Kind::rows_1, kRows},       {Kind::rows_2, kRows},
                                            {Kind::rows_4, kRows},       {Kind::total_4, 0},
                                            {Kind::total_8, 0},          {Kind::mean_8, 0},
                                            {Kind::capped_5, 4 * 1'000}, {Kind::totals_10, 1'000},
                                            {Kind::moments_16, 0},       {Kind::all_moments_18, 1'000}};
  constexpr Tag kTagsOf[] = {Tag::count, Tag::count, Tag::count,  Tag::sum,     Tag::sum,
                             Tag::mean,  Tag::sum,   Tag::totals, Tag::moments, Tag::all_moments};
  std::mt19937_64 random(12);
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
    const NarrowRecord narrow(kKinds + kind, 1);
    std::vector<char> into(kUnits * narrow.bytes()), from(into.size());
    AnyState expected{}, total{};
    expected.state.tag = total.state.tag = kTagsOf[kind];
    for (std::size_t i = 0; i < kUnits; ++i) {
      AnyState unit{};
      unit.state.tag = kTagsOf[kind];
      for (std::vector<char>* const places : {&into, &from}) {
        AnyState rows{};
        rows.state.tag = kTagsOf[kind];
        for (std::uint64_t left = random() % 6; left > 0; --left) {
          const auto steps = static_cast<std::int64_t>(random() % 1'000) - (kind == 3 || kind == 4 ? 900 : 0);
          if (kTagsOf[kind] == Tag::count) static_cast<CountState&>(rows.state).add();
          if (kTagsOf[kind] == Tag::sum) static_cast<SumState&>(rows.state).add(steps);
          if (kTagsOf[kind] == Tag::mean) static_cast<MeanState&>(rows.state).add(steps);
          if (kTagsOf[kind] == Tag::moments) static_cast<MomentsState&>(rows.state).add(steps);
          const bool missing = random() % 3 == 0;
          if (kTagsOf[kind] == Tag::totals) add_or_miss(static_cast<TotalsState&>(rows.state), steps, missing);
          if (kTagsOf[kind] == Tag::all_moments) add_or_miss(static_cast<AllMomentsState&>(rows.state), steps, missing);
        }
        merge_states(unit.state, rows.state);
        EXPECT_TRUE(narrow.take(places->data() + i * narrow.bytes(), &rows.state));
      }
      limit_unit(unit.state, kRows, kRow);
      merge_states(expected.state, unit.state);
    }
    EXPECT_EQ(narrow.add(into.data(), from.data(), kUnits), kUnits);
    narrow.add_limited(0, &total.state, into.data(), kUnits, narrow.bytes(), kRows, kRow);
    EXPECT_EQ(std::memcmp(&total, &expected, state_bytes(expected.state)), 0) << kind;
  }
}

// The first unit that does not fit is left, with all behind it. Where there are several states none is added.
TEST(NarrowRecord, AddsUpToTheFirstThatDoesNotFit) {
  constexpr NarrowRecord::Field kSums[] = {{Kind::total_4, 0}, {Kind::rows_1, 3}};
  const NarrowRecord sum(kSums, 1), both(kSums, 2);
  std::int32_t into[4] = {1, 2, INT32_MAX, 4};
  const std::int32_t from[4] = {10, 20, 1, 40};
  char* const places = reinterpret_cast<char*>(into);
  EXPECT_EQ(both.add(places, reinterpret_cast<const char*>(from), 3), 0u);
  EXPECT_EQ(into[0], 1);
  EXPECT_EQ(sum.add(places, reinterpret_cast<const char*>(from), 4), 2u);
  EXPECT_TRUE(into[0] == 11 && into[1] == 22 && into[2] == INT32_MAX && into[3] == 4);
  SumState total{};
  total.total = 5;
  sum.add_limited(0, &total, places, 2, sum.bytes(), 1, {0, 15});
  EXPECT_TRUE(total.total == 5 + 11 + 15);
  CountState rows{};
  const char records[10] = {0, 0, 0, 0, 3, 0, 0, 0, 0, 2};
  both.add_limited(1, &rows, records, 2, both.bytes(), 3, {});
  EXPECT_EQ(rows.rows, 5u);
  // With something else between them
  const char apart[16] = {0, 0, 0, 0, 1, 9, 9, 9, 0, 0, 0, 0, 7, 9, 9, 9};
  both.add_limited(1, &rows, apart, 2, 8, 3, {});
  EXPECT_EQ(rows.rows, 5u + 1 + 3);
  std::uint64_t visited = 0;
  both.visit(1, apart, 2, 8, [&]<class S>(const S& unit) {
    if constexpr (std::is_same_v<S, CountState>) visited = 10 * visited + unit.rows;
  });
  EXPECT_EQ(visited, 17u);
}

}  // namespace
}  // namespace dp::aggregate
