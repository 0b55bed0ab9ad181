// The table of narrow places: each unit keeps its own, whatever the order of units, growth and collisions.
// Words begin with the bits that all of a table have.
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
  Grown(std::size_t place_bytes, std::uint64_t first_bits) : place_bytes_(place_bytes) {
    table_.begin(memory_of(NarrowTable::kLeast), NarrowTable::kLeast, place_bytes, first_bits);
  }

  char* place_of(std::uint64_t word) {
    table_.fetch(word);
    const std::uint64_t used = table_.used();
    char* place = table_.place_of(word);
    if (place == nullptr) {
      EXPECT_FALSE(table_.has_room());
      const auto old = std::move(memory_);
      const std::uint64_t slots = table_.slots() + table_.slots() / 4;
      table_.move_to(memory_of(slots), slots);
      EXPECT_EQ(table_.used(), used);
      place = table_.place_of(word);
    }
    if (table_.used() > used) {
      EXPECT_TRUE(std::all_of(place, place + place_bytes_, [](char byte) { return byte == 0; }));
    }
    EXPECT_EQ(table_.place_of(word), place);
    return place;
  }

  NarrowTable& table() { return table_; }

 private:
  void* memory_of(std::uint64_t slots) {
    memory_ = std::make_unique<std::uint64_t[]>(NarrowTable::bytes(slots, place_bytes_) / 8);
    return memory_.get();
  }

  std::size_t place_bytes_;
  std::unique_ptr<std::uint64_t[]> memory_;
  NarrowTable table_;
};

constexpr unsigned kOthers = 64 - NarrowTable::kTableBits;

// Adds to the first and the last byte of the place of each unit, in a table for each of the first bits, and compares
// with a map.
void check(const std::vector<std::uint64_t>& rows, std::size_t place_bytes) {
  std::map<std::uint64_t, Grown> tables;
  std::map<std::uint64_t, int> expected;
  for (const std::uint64_t word : rows) {
    char* const place = tables.try_emplace(word >> kOthers, place_bytes, word >> kOthers).first->second.place_of(word);
    ++place[place_bytes - 1];
    if (place_bytes > 1) --place[0];
    ++expected[word];
  }
  std::map<std::uint64_t, int> visited;
  int total = 0;
  std::size_t used = 0;
  for (auto& [first_bits, grown] : tables) {
    const NarrowTable& table = grown.table();
    const std::uint64_t alone = first_bits << kOthers;  // the word of no other bits, which is there always
    used += table.used() + (expected.contains(alone) ? 1 : 0);
    table.visit([&](std::uint64_t word, const char* place) {
      if (word != alone || expected.contains(word)) visited[word] += place[place_bytes - 1];
    });
    for (std::uint64_t i = 0; i < table.place_count(); ++i)
      total += table.places()[i * table.stride() + place_bytes - 1];
  }
  EXPECT_EQ(visited, expected);
  EXPECT_EQ(used, expected.size());
  EXPECT_EQ(static_cast<std::size_t>(total), rows.size());
  for (const auto& [word, count] : expected) {
    const char* const place = tables.at(word >> kOthers).table().place_of(word);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place[place_bytes - 1], count);
    if (place_bytes > 1) {
      EXPECT_EQ(place[0], static_cast<char>(-count));
    }
  }
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
    check(words(20'000, 3'000, ~std::uint64_t{0}, place_bytes), place_bytes);  // of 256 tables
    check(words(20'000, 3'000, ~std::uint64_t{0} >> NarrowTable::kTableBits, place_bytes), place_bytes);  // of one
  }
}

// Units that collide: of words that are close to each other, or differ in the first or the last bits alone.
TEST(NarrowTable, TellsUnitsApartThatCollide) {
  check(words(5'000, 500, 600, 2), 1);
  std::vector<std::uint64_t> rows;
  for (std::uint64_t i = 0; i < 256; ++i) rows.push_back(i << kOthers | 0xabcdef);
  check(rows, 3);
  for (std::uint64_t& word : rows) word = word >> kOthers | std::uint64_t{7} << kOthers | 0xab00;
  check(rows, 1);
  // At the end of the table the next slot is the first one.
  rows.clear();
  for (std::uint64_t i = 1; i <= 25; ++i) rows.push_back((~std::uint64_t{0} >> NarrowTable::kTableBits) - i);
  check(rows, 2);
}

// The word of no other bits than the first ones looks like a free slot.
TEST(NarrowTable, KeepsTheUnitOfNoOtherBits) {
  for (const std::uint64_t first_bits : {0U, 1U, 255U}) {
    std::vector<std::uint64_t> rows = words(3'000, 300, ~std::uint64_t{0}, 5);
    for (std::uint64_t& word : rows) word = word >> NarrowTable::kTableBits | first_bits << kOthers;
    for (std::size_t i = 0; i < rows.size(); i += 50) rows[i] = first_bits << kOthers;
    check(rows, 1);
    check(rows, 9);
  }
}

}  // namespace
}  // namespace dp::aggregate
