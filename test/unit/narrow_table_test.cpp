// The table of narrow places: each unit keeps its own, whatever the order of units, growth and collisions.
#include "core/accumulate/narrow_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace dp::aggregate {
namespace {

// A table with memory of its own, exactly as large as it asks for, that grows as its owner does.
class Grown {
 public:
  explicit Grown(std::size_t place_bytes) : place_bytes_(place_bytes) {
    table_.begin(memory_of(NarrowTable::kLeast), NarrowTable::kLeast, place_bytes);
  }

  char* place_of(std::uint64_t word) {
    table_.fetch(word);
    if (char* const known = table_.find(word)) return known;
    if (!table_.has_room()) {
      const auto old = std::move(memory_);
      const std::uint64_t slots = table_.slots() + table_.slots() / 4;
      table_.move_to(memory_of(slots), slots);
    }
    char* const place = table_.insert(word);
    EXPECT_TRUE(std::all_of(place, place + place_bytes_, [](char byte) { return byte == 0; }));
    return place;
  }

  const NarrowTable& table() const { return table_; }

 private:
  void* memory_of(std::uint64_t slots) {
    memory_ = std::make_unique<std::uint64_t[]>(NarrowTable::bytes(slots, place_bytes_) / 8);
    return memory_.get();
  }

  std::size_t place_bytes_;
  std::unique_ptr<std::uint64_t[]> memory_;
  NarrowTable table_;
};

// Adds to the last byte of each unit's place, and compares with a map.
void check(const std::vector<std::uint64_t>& rows, std::size_t place_bytes) {
  Grown grown(place_bytes);
  std::map<std::uint64_t, int> expected;
  for (const std::uint64_t word : rows) {
    ++grown.place_of(word)[place_bytes - 1];
    ++expected[word];
  }
  EXPECT_EQ(grown.table().used(), expected.size());
  for (const auto& [word, count] : expected) {
    const char* const place = grown.table().find(word);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place[place_bytes - 1], count);
  }
  std::map<std::uint64_t, int> visited;
  grown.table().visit([&](std::uint64_t word, const char* place) { visited[word] += place[place_bytes - 1]; });
  EXPECT_EQ(visited, expected);
  int total = 0;
  const char* const places = grown.table().places();
  for (std::size_t i = 0; i < grown.table().slots() * place_bytes; ++i) total += places[i];
  EXPECT_EQ(static_cast<std::size_t>(total), rows.size());
  EXPECT_EQ(grown.table().find(1), expected.contains(1) ? grown.table().find(1) : nullptr);
}

std::vector<std::uint64_t> words(std::size_t rows, std::uint64_t units, std::uint64_t spread, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> known(units);
  for (std::uint64_t& word : known) word = random() % spread + 1;
  std::vector<std::uint64_t> found(rows);
  for (std::uint64_t& word : found) word = known[random() % units];
  return found;
}

TEST(NarrowTable, KeepsThePlaceOfEachUnit) {
  for (const std::size_t place_bytes : {1U, 5U, 8U, 13U}) {
    check({}, place_bytes);
    check({7}, place_bytes);
    check(words(20'000, 3'000, ~std::uint64_t{0}, place_bytes), place_bytes);
  }
}

// Units that collide: of words whose first bits are the same, those that are not looked at, too.
TEST(NarrowTable, TellsUnitsApartThatCollide) {
  check(words(5'000, 500, 600, 2), 1);
  std::vector<std::uint64_t> rows;
  for (std::uint64_t i = 0; i < 256; ++i) rows.push_back(i << (64 - NarrowTable::kTableBits) | 0xabcdef);
  check(rows, 3);
  // At the end of the table the next slot is the first one.
  rows.clear();
  for (std::uint64_t i = 1; i <= 25; ++i) rows.push_back((~std::uint64_t{0} >> NarrowTable::kTableBits) - i);
  check(rows, 2);
}

}  // namespace
}  // namespace dp::aggregate
