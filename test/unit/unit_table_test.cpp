// The table of privacy units: the same content whatever the order of states, growth and collisions.
#include "core/accumulate/unit_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace dp::aggregate {
namespace {

// A table with memory of its own, exactly as large as it asks for, that grows as its owner does.
class Grown {
 public:
  explicit Grown(std::vector<Tag> tags, UnitTable::Units units = UnitTable::Units::words,
                 std::vector<std::uint32_t> samples = {})
      : tags_(std::move(tags)),
        samples_(std::move(samples)),
        table_(tags_.data(), static_cast<int>(tags_.size()), units, samples_.data()) {
    table_.begin(memory_of(UnitTable::kLeast), UnitTable::kLeast);
  }

  void add(const Unit& unit, const State& state) {
    if (State* const known = table_.find(unit)) return table_.merge(*known, state);
    if (!table_.has_room()) {
      const auto old = std::move(memory_);
      const std::uint64_t slots = table_.slots() + table_.slots() / 3;
      table_.move_to(memory_of(slots), slots);
    }
    table_.insert(unit, state);
  }

  const UnitTable& table() const { return table_; }

  template <class Visit>
  void visit(Visit visit) const {
    table_.visit_records([&](const Unit&, State& record) { table_.record().visit(record, visit); });
  }

 private:
  void* memory_of(std::uint64_t slots) {
    memory_ = std::make_unique<std::uint64_t[]>(table_.bytes(slots) / 8);
    return memory_.get();
  }

  std::vector<Tag> tags_;
  std::vector<std::uint32_t> samples_;
  UnitTable table_;
  std::unique_ptr<std::uint64_t[]> memory_;
};

template <class S>
S state_of(std::int64_t steps) {
  S state{};
  state.add(steps);
  return state;
}

TEST(WordOf, TellsUnitsApart) {
  std::set<std::uint64_t> words;
  for (std::uint64_t i = 0; i < 64; ++i) {
    words.insert(word_of(std::uint64_t{1} << i));
    words.insert(word_of(~(std::uint64_t{1} << i)));
  }
  for (std::uint64_t i = 3; i < 1000; i += 2) words.insert(word_of(i));
  EXPECT_EQ(words.size(), 128u + 499u);
  EXPECT_EQ(word_of(0), 0u);
}

TEST(UnitTable, SlotsAreAsSmallAsStates) {
  const auto slot = [](std::vector<Tag> tags, UnitTable::Units units = UnitTable::Units::words) {
    return UnitTable(tags.data(), static_cast<int>(tags.size()), units).slot_bytes();
  };
  EXPECT_EQ(slot({Tag::count}), sizeof(CountState));
  EXPECT_EQ(slot({Tag::sum}), sizeof(SumState));
  EXPECT_EQ(slot({Tag::mean, Tag::moments}), sizeof(MeanState) + sizeof(MomentsState));
  EXPECT_EQ(slot({Tag::count}, UnitTable::Units::long_ones), sizeof(CountState) + 16);
}

// Words of every kind: spread, all near the table's end so that they run over it, and 0.
TEST(UnitTable, AddsUpByUnitThroughGrowth) {
  for (const bool crowded : {false, true}) {
    std::mt19937_64 random(7);
    Grown grown({Tag::moments});
    std::map<std::uint64_t, MomentsState> expected;
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t unit = random() % 3'000;
      const std::uint64_t word = crowded ? (unit == 0 ? 0 : ~unit) : word_of(unit);
      const auto state = state_of<MomentsState>(static_cast<std::int64_t>(random() % 1'000));
      grown.add({word}, state);
      expected[word].merge(state);
    }
    EXPECT_EQ(grown.table().used(), expected.size());
    for (const auto& [word, state] : expected) {
      const State* const found = grown.table().find({word});
      ASSERT_NE(found, nullptr);
      const auto& moments = static_cast<const MomentsState&>(*found);
      EXPECT_EQ(moments.rows, state.rows);
      EXPECT_TRUE(moments.total == state.total && moments.total_squares == state.total_squares);
    }
    EXPECT_EQ(grown.table().find({word_of(1'000'000)}), nullptr);
  }
}

TEST(UnitTable, VisitsEachUnitOnceWithItsTag) {
  Grown grown({Tag::sum});
  for (std::uint64_t unit = 0; unit < 500; ++unit) {
    grown.add({word_of(unit)}, state_of<SumState>(-static_cast<std::int64_t>(unit)));
    grown.add({word_of(unit)}, state_of<SumState>(1));
  }
  std::vector<std::int64_t> totals;
  grown.visit([&](int number, State& state) {
    EXPECT_EQ(number, 0);
    EXPECT_EQ(state.tag, Tag::sum);
    totals.push_back(static_cast<std::int64_t>(static_cast<SumState&>(state).total));
  });
  std::sort(totals.rbegin(), totals.rend());
  ASSERT_EQ(totals.size(), 500u);
  for (std::int64_t i = 0; i < 500; ++i) EXPECT_EQ(totals[static_cast<std::size_t>(i)], 1 - i);
}

// A record of several states: each is added to its own.
TEST(UnitTable, KeepsTheStatesOfSeveralAggregates) {
  struct Record {
    CountState count;
    SumState sum;
    MeanState mean;
    MomentsState moments;
    TotalsState totals;
    AllMomentsState all;
  };
  Grown grown({Tag::count, Tag::sum, Tag::mean, Tag::moments, Tag::totals, Tag::all_moments});
  for (std::uint64_t i = 0; i < 4'000; ++i) {
    Record record{};
    record.count.add();
    if (i % 2 == 0) record.sum.add(-7);
    record.mean.add(3);
    record.moments.add(5);
    record.totals.add(2);
    record.totals.add_missing(9);
    record.all.add(6);
    record.all.add_missing(10);
    grown.add({word_of(i % 1'000)}, record.count);
  }
  int seen[6] = {};
  grown.visit([&](int number, State& state) {
    ++seen[number];
    if (number == 0) {
      EXPECT_EQ(static_cast<CountState&>(state).rows, 4u);
    }
    if (number == 1) {
      EXPECT_TRUE(static_cast<Int128>(static_cast<SumState&>(state).total) % 28 == 0);
    }
    if (number == 2) {
      EXPECT_TRUE(static_cast<MeanState&>(state).total == 12);
    }
    if (number == 3) {
      EXPECT_TRUE(static_cast<MomentsState&>(state).total_squares == 100 && state.tag == Tag::moments);
    }
    if (number == 4) {
      const auto& totals = static_cast<TotalsState&>(state);
      EXPECT_TRUE(totals.rows == 8 && totals.total == 8 && totals.missing == 36);
    }
    if (number == 5) {
      const auto& all = static_cast<AllMomentsState&>(state);
      EXPECT_TRUE(all.rows == 8 && all.total == 24 && all.total_squares == 144 && all.missing == 40);
    }
  });
  for (const int times : seen) EXPECT_EQ(times, 1'000);
}

// Packed, a record takes what its numbers need and its samples have.
TEST(UnitRecord, IsPackedAndUnpacked) {
  constexpr Tag kTags[] = {Tag::count,  Tag::sample,      Tag::sum,        Tag::mean,      Tag::moments,
                           Tag::totals, Tag::all_moments, Tag::covariance, Tag::regression};
  constexpr std::uint32_t kSamples[] = {0, 5, 0, 0, 0, 0, 0, 0, 0};
  const UnitRecord kind(kTags, 9, kSamples);
  struct Rest {
    SumState sum;
    MeanState mean;
    MomentsState moments;
    TotalsState totals;
    AllMomentsState all;
    CovarianceState pairs;
    RegressionState squares;
  };
  std::size_t longest = 0;
  for (unsigned bits = 0; bits <= 127; ++bits) {
    for (std::uint32_t used = 0; used <= 5; ++used) {
      std::vector<std::uint64_t> record(kind.bytes() / 8), copy(kind.bytes() / 8);
      std::vector<char> packed(kind.most_packed() + packed::kSlack);
      auto* const bytes = reinterpret_cast<char*>(record.data());
      const Uint128 total = (Uint128{1} << bits) + (bits % 3) - 1;
      const auto rows = static_cast<std::uint64_t>(total);
      reinterpret_cast<CountState*>(bytes)->rows = rows;
      auto* const sample = reinterpret_cast<SampleState*>(bytes + sizeof(CountState));
      sample->most = 5;
      for (std::uint32_t i = 0; i < used; ++i) sample->keep(KeptRow::of(i, 3));
      Rest rest{};
      rest.sum.total = used % 2 == 0 ? total : -total;
      rest.mean.rows = rows + 1;
      rest.mean.total = total;
      rest.moments.rows = ~rows;
      rest.moments.total = total >> 1;
      rest.moments.total_squares = ~total;
      rest.totals.rows = rows;
      rest.totals.total = ~total;
      rest.totals.missing = total;
      rest.all.rows = ~rows;
      rest.all.total = total;
      rest.all.total_squares = ~total;
      rest.all.missing = total >> 2;
      rest.pairs.rows = rows;
      rest.pairs.missing = total >> 1;
      for (int i = 0; i < 4; ++i) rest.pairs.numbers[i] = total >> i;
      rest.squares.rows = ~rows;
      rest.squares.missing = total;
      for (int i = 0; i < 9; ++i) rest.squares.numbers[i] = i % 2 == 0 ? total : ~total;
      std::memcpy(bytes + sizeof(CountState) + SampleState::bytes(5), &rest, sizeof rest);
      const char* const end = kind.pack(packed.data(), *reinterpret_cast<State*>(bytes));
      const auto length = static_cast<std::size_t>(end - packed.data());
      longest = std::max(longest, length);
      if (bits <= 6 && used == 0) {
        EXPECT_EQ(length, 1u + 1 + 1 + 2 + 9 + 1 + 17 + 1 + 17 + 1 + 9 + 1 + 17 + 1 + 6 + 9 + 1 + 5 + 4 * 17);
      }
      std::memcpy(packed.data() + length, "what follows", packed::kSlack);
      EXPECT_EQ(kind.unpack(reinterpret_cast<State*>(copy.data()), packed.data()), end);
      EXPECT_EQ(copy, record);
    }
  }
  EXPECT_LE(longest, kind.most_packed());
}

// Numbers of every length.
TEST(PackedNumber, IsReadAsItWasWritten) {
  char bytes[packed::kMostOfTotal + packed::kSlack];
  for (unsigned bit = 0; bit < 64; ++bit) {
    for (const std::uint64_t number : {std::uint64_t{1} << bit, (std::uint64_t{1} << bit) - 1,
                                       (std::uint64_t{239} << bit >> bit) + bit, ~std::uint64_t{0} >> bit}) {
      std::memset(bytes, -1, sizeof bytes);
      std::uint64_t read = 0;
      const char* const end = packed::put(bytes, number);
      EXPECT_EQ(packed::get(bytes, &read), end);
      EXPECT_EQ(read, number);
      EXPECT_LE(end, bytes + packed::kMostOfNumber);
      EXPECT_EQ(end == bytes + 1, number < 240);
    }
  }
}

// Words of bytes of every length: bytes and lengths tell units apart.
TEST(WordOf, TellsLongUnitsApart) {
  std::set<std::uint64_t> words;
  std::string bytes(40, '\0');
  std::size_t units = 0;
  for (std::size_t size = 0; size <= bytes.size(); ++size, ++units) words.insert(word_of(bytes.data(), size));
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      for (const char changed : {'\1', '\x7f', '\xff'}) {
        bytes[place] = changed;
        words.insert(word_of(bytes.data(), size));
        ++units;
      }
      bytes[place] = '\0';
    }
  }
  EXPECT_EQ(words.size(), units);
  EXPECT_EQ(words.count(0), 0u);
  EXPECT_EQ(word_of(nullptr, 0), word_of(bytes.data(), 0));
}

// Samples of three rows between a count and a sum: of each unit the three least, whatever the order of rows.
TEST(UnitTable, KeepsSamplesBesideStates) {
  constexpr std::uint32_t kMost = 3;
  Grown grown({Tag::count, Tag::sample, Tag::sum}, UnitTable::Units::words, {0, kMost, 0});
  constexpr std::size_t kWords = (sizeof(CountState) + SampleState::bytes(kMost) + sizeof(SumState)) / 8;
  EXPECT_EQ(grown.table().record().bytes(), kWords * 8);
  std::vector<std::pair<std::uint64_t, int>> rows;
  for (std::uint64_t unit = 0; unit < 500; ++unit) {
    for (int i = 0; i < static_cast<int>(unit % 7); ++i) rows.emplace_back(unit, i);
  }
  std::shuffle(rows.begin(), rows.end(), std::mt19937_64(5));
  for (const auto& [unit, i] : rows) {
    std::vector<std::uint64_t> record(kWords);
    auto* const bytes = reinterpret_cast<char*>(record.data());
    reinterpret_cast<CountState*>(bytes)->add();
    auto* const sample = reinterpret_cast<SampleState*>(bytes + sizeof(CountState));
    sample->most = kMost;
    sample->keep(KeptRow::of(static_cast<std::uint64_t>(i), i + 10));
    reinterpret_cast<SumState*>(bytes + sizeof(CountState) + SampleState::bytes(kMost))->add(i);
    grown.add({word_of(unit)}, *reinterpret_cast<State*>(bytes));
  }
  std::map<std::vector<std::uint64_t>, int> kept;
  std::uint64_t counted = 0;
  Int128 total = 0;
  grown.visit([&](int number, State& state) {
    if (number == 0) counted += static_cast<CountState&>(state).rows;
    if (number == 2) total += static_cast<Int128>(static_cast<SumState&>(state).total);
    if (number != 1) return;
    std::vector<std::uint64_t> buckets;
    static_cast<SampleState&>(state).visit_least(kMost, [&](std::uint64_t bucket) { buckets.push_back(bucket); });
    std::sort(buckets.begin(), buckets.end());
    ++kept[buckets];
  });
  EXPECT_EQ(counted, rows.size());
  Int128 expected = 0;
  for (const auto& [unit, i] : rows) expected += i;
  EXPECT_EQ(total, expected);
  // Of 500 units 72 have one row, 72 two, and 284 three to six.
  const std::map<std::vector<std::uint64_t>, int> least{{{10}, 72}, {{10, 11}, 72}, {{10, 11, 12}, 284}};
  EXPECT_EQ(kept, least);
}

TEST(UnitTable, AnEmptyOneHasNothing) {
  Grown grown({Tag::count});
  grown.visit([](int, State&) { FAIL(); });
  EXPECT_EQ(grown.table().find({0}), nullptr);
  EXPECT_EQ(grown.table().find({1}), nullptr);
  EXPECT_TRUE(grown.table().has_room());
}

// Long units are equal where their bytes are, not where their words are.
TEST(UnitTable, ComparesTheBytesOfLongUnits) {
  std::vector<std::string> names;
  for (int i = 0; i < 1'000; ++i)
    names.push_back(std::string(static_cast<std::size_t>(i % 5), 'x') + std::to_string(i));
  names.push_back("");
  Grown grown({Tag::mean}, UnitTable::Units::long_ones);
  const auto unit_of = [](const std::string& name) { return Unit{1 + name.size() % 3, name.data(), name.size()}; };
  for (int round = 0; round < 3; ++round) {
    for (const std::string& name : names) grown.add(unit_of(name), state_of<MeanState>(5));
  }
  EXPECT_EQ(grown.table().used(), names.size());
  for (const std::string& name : names) {
    const std::string copy = name;
    const State* const found = grown.table().find(unit_of(copy));
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(static_cast<const MeanState&>(*found).rows, 3u);
  }
  EXPECT_EQ(grown.table().find(unit_of("y")), nullptr);
}

}  // namespace
}  // namespace dp::aggregate
