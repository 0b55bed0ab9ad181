// The table of narrow places: each unit keeps its own, whatever the order of units, growth and collisions, in memory
// that held something else before.
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

enum class Growth : bool { elsewhere, in_place };

// A table with memory of its own, exactly as large as it asks for, that grows as its owner does.
class Grown {
 public:
  Grown(std::size_t place_bytes, Growth growth) : place_bytes_(place_bytes), growth_(growth) {
    table_.begin(memory_of(NarrowTable::kLeast), NarrowTable::kLeast, place_bytes);
  }

  char* place_of(std::uint64_t word) {
    table_.fetch(word);
    char* place = table_.place_of(word);
    if (place == nullptr) {
      grow();
      place = table_.place_of(word);
    }
    EXPECT_EQ(table_.place_of(word), place);
    return place;
  }

  NarrowTable& table() { return table_; }

 private:
  void grow() {
    const std::uint64_t slots = table_.slots() + table_.slots() / 4;
    std::vector<char> section(table_.section_bytes(), '\x55');
    if (growth_ == Growth::elsewhere || NarrowTable::bytes(slots, place_bytes_) > bytes_) {
      const auto old = std::move(memory_);
      table_.move_to(memory_of(growth_ == Growth::elsewhere ? slots : 2 * slots), slots, section.data());
    } else {
      table_.move_to(table_.memory(), slots, section.data());
    }
    EXPECT_EQ(table_.slots(), slots);
  }
  void* memory_of(std::uint64_t slots) {
    bytes_ = NarrowTable::bytes(slots, place_bytes_);
    EXPECT_EQ(NarrowTable::most_slots(bytes_, place_bytes_), slots);
    EXPECT_EQ(NarrowTable::most_slots(bytes_ - 1, place_bytes_), slots - 1);
    memory_ = std::make_unique<char[]>(bytes_);
    std::fill_n(memory_.get(), bytes_, '\x55');
    return memory_.get();
  }

  std::size_t place_bytes_;
  Growth growth_;
  std::size_t bytes_ = 0;
  std::unique_ptr<char[]> memory_;
  NarrowTable table_;
};

constexpr unsigned kOthers = 64 - NarrowTable::kSectionBits;

// Adds to the first and the last byte of the place of each unit, and compares with a map.
void check(const std::vector<std::uint64_t>& rows, std::size_t place_bytes, Growth growth) {
  Grown grown(place_bytes, growth);
  std::map<std::uint64_t, int> expected;
  for (const std::uint64_t word : rows) {
    char* const place = grown.place_of(word);
    if (!expected.contains(word)) {
      EXPECT_TRUE(std::all_of(place, place + place_bytes, [](char byte) { return byte == 0; }));
    }
    ++place[place_bytes - 1];
    if (place_bytes > 1) --place[0];
    ++expected[word];
  }
  NarrowTable& table = grown.table();
  std::map<std::uint64_t, int> visited;
  for (std::uint64_t section = 0; section < NarrowTable::kSections; ++section) {
    table.visit(section, [&](std::uint64_t word, const char* place) {
      EXPECT_EQ(word >> kOthers, section);
      // The word of no other bits is there always.
      if (word != section << kOthers || expected.contains(word)) {
        EXPECT_TRUE(visited.emplace(word, place[place_bytes - 1]).second);
      }
    });
  }
  EXPECT_EQ(visited, expected);
  int total = 0;
  for (std::uint64_t i = 0; i < table.place_count(); ++i) total += table.places()[i * table.stride() + place_bytes - 1];
  EXPECT_EQ(static_cast<std::size_t>(total), rows.size());
  for (const auto& [word, count] : expected) {
    const char* const place = table.place_of(word);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place[place_bytes - 1], count);
    if (place_bytes > 1) {
      EXPECT_EQ(place[0], static_cast<char>(-count));
    }
  }
}

void check(const std::vector<std::uint64_t>& rows, std::size_t place_bytes) {
  check(rows, place_bytes, Growth::elsewhere);
  check(rows, place_bytes, Growth::in_place);
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
    check(words(60'000, 15'000, ~std::uint64_t{0}, place_bytes), place_bytes);  // of all sections
    check(words(20'000, 3'000, ~std::uint64_t{0} >> NarrowTable::kSectionBits, place_bytes), place_bytes);  // of one
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
  // At the end of a section the next slot is the first one.
  rows.clear();
  for (std::uint64_t i = 1; i <= 25; ++i) rows.push_back((~std::uint64_t{0} >> NarrowTable::kSectionBits) - i);
  check(rows, 2);
}

// The word of no other bits than the first ones looks like a free slot.
TEST(NarrowTable, KeepsTheUnitOfNoOtherBits) {
  for (const std::uint64_t first_bits : {0U, 1U, 255U}) {
    std::vector<std::uint64_t> rows = words(3'000, 300, ~std::uint64_t{0}, 5);
    for (std::uint64_t& word : rows) word = word >> NarrowTable::kSectionBits | first_bits << kOthers;
    for (std::size_t i = 0; i < rows.size(); i += 50) rows[i] = first_bits << kOthers;
    check(rows, 1);
    check(rows, 9);
  }
}

}  // namespace
}  // namespace dp::aggregate
