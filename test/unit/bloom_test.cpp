// Bloom filters: which bits a value sets, and what least squares makes of their numbers.
#include "core/accumulate/bloom.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace dp::test {
namespace {

using aggregate::bloom_bits;
using aggregate::BloomShape;
using aggregate::invert_bloom;

TEST(Bloom, BitsAreAsManyAndDifferent) {
  for (const BloomShape shape : {BloomShape{2, 1}, {8, 7}, {128, 2}, {16'384, 64}}) {
    for (int i = 0; i < 200; ++i) {
      const auto bits = bloom_bits("value " + std::to_string(i), shape);
      EXPECT_EQ(std::ssize(bits), shape.hashes);
      EXPECT_TRUE(std::is_sorted(bits.begin(), bits.end()));
      EXPECT_EQ(std::adjacent_find(bits.begin(), bits.end()), bits.end());
      EXPECT_GE(bits.front(), 0);
      EXPECT_LT(bits.back(), shape.bits);
    }
  }
}

// Reports that are stored are counted with the filters of later versions.
TEST(Bloom, BitsStayAsTheyAre) {
  EXPECT_EQ(bloom_bits("influenza", {64, 2}), (std::vector<int>{25, 55}));
  EXPECT_EQ(bloom_bits("", {64, 2}), (std::vector<int>{17, 53}));
}

TEST(Bloom, BitsAreSpread) {
  constexpr int kBits = 32, kValues = 32'000;
  std::vector<int> counts(kBits);
  for (int i = 0; i < kValues; ++i) ++counts[static_cast<std::size_t>(bloom_bits(std::to_string(i), {kBits, 1})[0])];
  for (const int count : counts) EXPECT_NEAR(count, kValues / kBits, 6 * std::sqrt(kValues / kBits));
}

// (X'X) (X'X)^-1 = 1
TEST(Bloom, InverseIsOne) {
  const BloomShape shape{64, 2};
  std::vector<std::vector<int>> candidates;
  for (int i = 0; i < 20; ++i) candidates.push_back(bloom_bits("candidate " + std::to_string(i), shape));
  const std::size_t n = candidates.size() + 1;
  std::vector<double> inverse(n * n);
  ASSERT_EQ(invert_bloom(candidates, shape, inverse), candidates.size());
  const auto x = [&](int bit, std::size_t column) {
    return column == 0 || std::binary_search(candidates[column - 1].begin(), candidates[column - 1].end(), bit) ? 1 : 0;
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        double gram = 0;
        for (int bit = 0; bit < shape.bits; ++bit) gram += x(bit, i) * x(bit, k);
        sum += gram * inverse[k * n + j];
      }
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-9);
    }
  }
}

TEST(Bloom, CandidatesThatCannotBeToldApartAreFound) {
  std::vector<double> inverse(100);
  const std::vector<std::vector<int>> twins{{0, 1}, {2, 3}, {0, 1}}, sums{{0, 1}, {2, 3}, {0, 2}, {1, 3}},
      all{{0}, {1}, {2}};
  EXPECT_EQ(invert_bloom(twins, {8, 2}, inverse), 2u);
  EXPECT_EQ(invert_bloom(sums, {8, 2}, inverse), 3u);
  EXPECT_EQ(invert_bloom(all, {3, 1}, inverse), 2u);  // with people who have none of them
  EXPECT_EQ(invert_bloom(all, {4, 1}, inverse), 3u);
}

}  // namespace
}  // namespace dp::test
