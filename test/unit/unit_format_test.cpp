// Records of privacy units as they are written: what is read is what was written, whatever units have in common with
// the example, and bytes that nobody has written are never read beyond.
#include "core/accumulate/unit_format.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace dp::aggregate {
namespace {

constexpr std::size_t kMostPacked = 40, kMostPackedLong = 400;

Unit unit_of(const std::string& bytes) { return {word_of(bytes.data(), bytes.size()), bytes.data(), bytes.size()}; }

std::string bytes_of(const Unit& unit) { return {unit.bytes, static_cast<std::size_t>(unit.size)}; }

// Writes records to memory of just the bytes that they may take.
std::string written(const UnitFormat& format, const Unit& unit, const Unit& example, const std::string& states) {
  const std::size_t most = format.most_bytes(unit) + packed::kSlack;
  const auto memory = std::make_unique<char[]>(most);
  const char* const end = format.write(memory.get(), unit, example, [&](char* to) {
    std::memcpy(to, states.data(), states.size());
    return to + states.size();
  });
  EXPECT_LE(end - memory.get(), static_cast<std::ptrdiff_t>(most - packed::kSlack));
  return {memory.get(), static_cast<std::size_t>(end - memory.get())};
}

TEST(UnitFormat, ReadsUnitsOfAWord) {
  for (const std::size_t most : {kMostPacked, kMostPackedLong}) {
    const UnitFormat format(UnitTable::Units::words, most);
    for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, most}) {
        const std::string states(size, 'x');
        const std::string record = written(format, {word}, {}, states) + std::string(packed::kSlack, '-');
        UnitEntry entry{};
        ASSERT_TRUE(format.read(record.data(), record.size() - packed::kSlack, &entry));
        EXPECT_EQ(entry.unit.word, word);
        EXPECT_EQ(std::string(entry.packed, entry.packed_bytes), states);
        EXPECT_EQ(entry.bytes, record.size() - packed::kSlack);
      }
    }
  }
}

// Units of all sizes around the limits of what is shared, of which each has any number of the example's bytes; they are
// read in one go, so that what was read before must not show.
TEST(UnitFormat, ReadsLongUnitsBesideAnExample) {
  std::mt19937 random(1);
  const std::size_t sizes[] = {0,  1,   3,   4,   7,   8,   9,   15,  16,  17,  20,
                               36, 127, 128, 129, 254, 255, 256, 257, 300, 511, 1000};
  for (const std::size_t most : {kMostPacked, kMostPackedLong}) {
    const UnitFormat format(UnitTable::Units::long_ones, most);
    for (const std::size_t size_of_example : sizes) {
      std::string example(size_of_example, '\0');
      for (char& byte : example) byte = static_cast<char>(random());
      UnitExample known;
      known.become(unit_of(example));
      std::vector<std::string> units;
      for (const std::size_t size : sizes) {
        for (const std::size_t same : sizes) {
          std::string unit(size, '\0');
          for (std::size_t i = 0; i < size; ++i)
            unit[i] = i < same && i < example.size() ? example[i] : static_cast<char>(random());
          units.push_back(unit);
        }
      }
      std::shuffle(units.begin(), units.end(), random);
      for (const std::string& unit : units) {
        const std::string states(random() % most, static_cast<char>(random()));
        const std::string record =
            written(format, unit_of(unit), unit_of(example), states) + std::string(packed::kSlack, '-');
        UnitEntry entry{};
        ASSERT_TRUE(format.read(record.data(), record.size() - packed::kSlack, &known, &entry));
        format.find_word(&entry.unit);
        ASSERT_EQ(bytes_of(entry.unit), unit);
        ASSERT_EQ(entry.unit.word, unit_of(unit).word);
        ASSERT_EQ(std::string(entry.packed, entry.packed_bytes), states);
        ASSERT_EQ(entry.bytes, record.size() - packed::kSlack);
      }
    }
  }
}

TEST(UnitFormat, LeavesOutWhatTheExampleHas) {
  const UnitFormat format(UnitTable::Units::long_ones, kMostPacked);
  const std::string example = "the person 000012345", unit = "the person 000098765";
  EXPECT_EQ(written(format, unit_of(unit), unit_of(example), "1").size(), 3 + 5 + 1u);
  EXPECT_EQ(written(format, unit_of(unit), {}, "1").size(), 3 + 20 + 1u);
}

TEST(UnitFormat, RefusesWhatIsLongerThanWhatIsThere) {
  for (const UnitTable::Units units : {UnitTable::Units::words, UnitTable::Units::long_ones}) {
    for (const std::size_t size : {std::size_t{20}, std::size_t{300}}) {
      const UnitFormat format(units, kMostPackedLong);
      const std::string name(size, 'n');
      const std::string record = written(format, unit_of(name), {}, "states");
      for (std::size_t there = 0; there < record.size(); ++there) {
        // So many bytes and the slack: a sanitizer sees what is read behind them.
        const auto memory = std::make_unique<char[]>(there + packed::kSlack);
        std::memcpy(memory.get(), record.data(), there);
        UnitEntry entry{};
        EXPECT_FALSE(format.read(memory.get(), there, &entry)) << there;
      }
    }
  }
}

TEST(UnitFormat, ReadsForgedBytesWithinWhatIsThere) {
  std::mt19937 random(2);
  int accepted = 0;
  for (int round = 0; round < 100'000; ++round) {
    const UnitFormat format(random() % 4 == 0 ? UnitTable::Units::words : UnitTable::Units::long_ones,
                            random() % 2 == 0 ? kMostPacked : kMostPackedLong);
    const std::size_t there = random() % 40;
    const auto memory = std::make_unique<char[]>(there + packed::kSlack);
    for (std::size_t i = 0; i < there; ++i) memory[i] = static_cast<char>(random() % 8 == 0 ? random() : random() % 8);
    UnitExample example;
    example.become(unit_of("the person"));
    UnitEntry entry{};
    if (!format.read(memory.get(), there, random() % 2 == 0 ? &example : nullptr, &entry)) continue;
    ++accepted;
    format.find_word(&entry.unit);
    ASSERT_LE(entry.bytes, there);
    ASSERT_EQ(entry.packed + entry.packed_bytes, memory.get() + entry.bytes);
    ASSERT_LE(entry.unit.size, there + 10);
  }
  EXPECT_GT(accepted, 10'000);
}

}  // namespace
}  // namespace dp::aggregate
