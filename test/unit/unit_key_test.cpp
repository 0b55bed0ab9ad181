// Words of long privacy units under a key: the same for the same bytes, spread, and what the mathematics says.
#include "core/accumulate/unit_key.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dp::aggregate {
namespace {

// Known bits, so that words can be computed elsewhere: those of a sequence of 64-bit words.
class Sequence final : public noise::BitSource {
 public:
  explicit Sequence(std::uint64_t seed) : random_(seed) {}

 private:
  Chunk refill() override { return {random_(), 64}; }
  std::mt19937_64 random_;
};

UnitKey key_of(std::uint64_t seed) {
  Sequence bits(seed);
  UnitKey key;
  key.draw(bits);
  return key;
}

// Units from memory of just their length, so that a sanitizer sees what is read beyond.
std::uint64_t word(const UnitKey& key, const std::string& unit) {
  const std::vector<char> exact(unit.begin(), unit.end());
  return key.word(exact.data(), exact.size());
}

std::string bytes(std::size_t size) {
  std::string unit;
  for (std::size_t i = 0; i < size; ++i) unit += static_cast<char>((i * i + 7 * i + 1) % 251);
  return unit;
}

// Computed by whole numbers of any size in Python, from the definition.
TEST(UnitKey, IsWhatItsDefinitionSays) {
  const UnitKey key = key_of(2026);
  const std::pair<std::size_t, std::uint64_t> expected[] = {
      {0, 0xa783f53ec67dcc08},   {1, 0x1afbdd054ed34e4c},   {3, 0x3331b9636a0b8d24},   {4, 0x0a6d2d8b092db373},
      {7, 0x1138f2992d446ab7},   {8, 0x049c107b0b35b701},   {9, 0x133dd4c62b0ee078},   {16, 0x283ca4e94f162fb7},
      {20, 0x1fc201aefa5ed5d6},  {62, 0x917395067e38aefd},  {128, 0xfc946cff07cf5b56}, {129, 0x5968473016517cce},
      {256, 0x835d15f23a3ad429}, {257, 0xbf618c1aa07cd50e}, {5000, 0xb391cd2b36cc3974}};
  for (const auto& [size, known] : expected) EXPECT_EQ(word(key, bytes(size)), known) << size << " bytes";
}

// The key says which word a unit has, and it is another one for another key.
TEST(UnitKey, HasAnotherWordForEachKey) {
  const std::string unit = "the person 000000042";
  std::set<std::uint64_t> words;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) words.insert(word(key_of(seed), unit));
  EXPECT_EQ(words.size(), 1000U);
}

// Each byte and each size counts, wherever it stands.
TEST(UnitKey, TellsUnitsApart) {
  const UnitKey key = key_of(5);
  std::set<std::uint64_t> words;
  std::size_t units = 0;
  for (std::size_t size = 0; size <= 400; ++size, ++units) words.insert(word(key, std::string(size, '\0')));
  for (const std::size_t size : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 16U, 20U, 127U, 128U, 129U, 256U, 257U, 300U}) {
    for (std::size_t changed = 0; changed < size; ++changed, ++units) {
      std::string unit(size, '\0');
      unit[changed] = 'x';
      words.insert(word(key, unit));
    }
  }
  EXPECT_EQ(words.size(), units);
}

// Strongly universal: over all keys the highest bits of two units' words are independent, and each is uniform.
TEST(UnitKey, WordsOfTwoUnitsAreIndependent) {
  const std::string one = bytes(20), other = bytes(19) + "!", longer = bytes(200), last = bytes(199) + "!";
  int short_ones[4][4] = {}, long_ones[4][4] = {};
  for (std::uint64_t seed = 1; seed <= 16'000; ++seed) {
    const UnitKey key = key_of(seed);
    ++short_ones[word(key, one) >> 62][word(key, other) >> 62];
    ++long_ones[word(key, longer) >> 62][word(key, last) >> 62];
  }
  for (int i = 0; i < 16; ++i) {
    EXPECT_NEAR(short_ones[i / 4][i % 4], 1000, 200);  // six standard deviations
    EXPECT_NEAR(long_ones[i / 4][i % 4], 1000, 200);
  }
}

}  // namespace
}  // namespace dp::aggregate
