// The buffer between the system's random source and the samplers: nothing is drawn twice, kept, or replaced by less.
#include "core/noise/buffered_bits.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace dp::test {
namespace {

using noise::BufferedBits;

std::uint64_t next_word = 0;

// Words that do not repeat, so that a bit drawn twice is seen.
bool counting(void* buffer, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes / 8; ++i) {
    const std::uint64_t word = ++next_word * 0x9e3779b97f4a7c15;
    std::memcpy(static_cast<char*>(buffer) + 8 * i, &word, 8);
  }
  return true;
}

bool failing(void*, std::size_t) { return false; }

TEST(BufferedBits, NoWordIsDrawnTwice) {
  BufferedBits bits(counting);
  bits.own_by(1);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 5000; ++i) EXPECT_TRUE(seen.insert(bits.bits(64)).second);
}

// The child of a fork has a copy of the buffer and of the bits that were taken out of it but not used.
TEST(BufferedBits, AChildDrawsNothingThatItsParentMayDraw) {
  BufferedBits parent(counting);
  parent.own_by(1);
  parent.bits(3);
  alignas(BufferedBits) unsigned char memory[sizeof(BufferedBits)];
  std::memcpy(memory, static_cast<void*>(&parent), sizeof memory);
  auto& child = *reinterpret_cast<BufferedBits*>(memory);
  child.own_by(2);
  std::set<std::uint64_t> seen;
  seen.insert(parent.bits(61));  // the rest of its first word
  for (int i = 0; i < 1000; ++i) seen.insert(parent.bits(64));
  EXPECT_FALSE(seen.contains(child.bits(61)));
  child.bits(3);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(child.bits(64)).second);  // nor the same word again, as zero
}

TEST(BufferedBits, TheSameProcessGoesOnWithItsBuffer) {
  BufferedBits bits(counting);
  bits.own_by(1);
  bits.bits(64);
  const std::uint64_t filled = next_word;
  bits.own_by(1);
  bits.bits(64);
  EXPECT_EQ(next_word, filled);
}

// Whether the eight bytes of `word` stand anywhere in the object.
bool holds(const BufferedBits& bits, std::uint64_t word) {
  const void* object = &bits;
  return memmem(object, sizeof bits, &word, sizeof word) != nullptr;
}

TEST(BufferedBits, UsedAndDisownedBitsDoNotStayInMemory) {
  BufferedBits bits(counting);
  bits.own_by(1);
  const std::uint64_t used = bits.bits(64);
  EXPECT_FALSE(holds(bits, used));
  const std::uint64_t waiting = (next_word - 100) * 0x9e3779b97f4a7c15;
  EXPECT_TRUE(holds(bits, waiting));
  bits.own_by(2);
  EXPECT_FALSE(holds(bits, waiting));
}

TEST(BufferedBits, AFailingSourceIsAnError) {
  BufferedBits bits(failing);
  bits.own_by(1);
  EXPECT_THROW(bits.bits(1), std::runtime_error);
  EXPECT_THROW(bits.bits(64), std::runtime_error);
}

}  // namespace
}  // namespace dp::test
