// Prefix sums: what a row changes, what is recovered, and how far off it is, against matrices that are written out.
#include "core/accumulate/prefix_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "unit/golden_prefix_sums.inc"

namespace dp::aggregate {
namespace {

using Wide = __int128;

std::vector<std::uint64_t> counts_of(int buckets) {
  std::vector<std::uint64_t> counts;
  for (int i = 0; i < buckets; ++i) counts.push_back(static_cast<std::uint64_t>((i * i * 7919 + 13 * i) % 1009));
  return counts;
}

std::vector<Wide> integers_of(const PrefixSums& sums, const std::vector<std::uint64_t>& counts) {
  std::vector<Wide> integers(static_cast<std::size_t>(sums.integers()));
  sums.put_integers(counts, reinterpret_cast<noise::Int128*>(integers.data()));
  return integers;
}

noise::Int128View view_of(const std::vector<Wide>& integers) {
  return {reinterpret_cast<const noise::Int128*>(integers.data()), integers.size()};
}

// What a row in that bucket adds.
std::vector<Wide> added_by_row(const PrefixSums& sums, int bucket) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(sums.buckets));
  counts[static_cast<std::size_t>(bucket)] = 1;
  return integers_of(sums, counts);
}

const std::vector<PrefixSums> kFactorisations = {{1, 0},   {2, 0},   {9, 0},   {64, 0},  {1, 1},
                                                 {7, 1},   {9, 8},   {64, 8},  {65, 8},  {33, 8},
                                                 {100, 8}, {513, 8}, {16, 16}, {17, 16}, {40, 16}};

TEST(PrefixSums, ARowChangesWhatIsSaid) {
  for (const PrefixSums& sums : kFactorisations) {
    Wide l1 = 0, squares = 0, most = 0;
    std::int64_t changed = 0;
    for (int bucket = 0; bucket < sums.buckets; ++bucket) {
      Wide one = 0, square = 0;
      std::int64_t number = 0;
      for (const Wide entry : added_by_row(sums, bucket)) {
        EXPECT_GE(entry, 0);
        one += entry;
        square += entry * entry;
        number += entry != 0 ? 1 : 0;
        most = std::max<Wide>(most, entry);
      }
      l1 = std::max<Wide>(l1, one);
      squares = std::max<Wide>(squares, square);
      changed = std::max(changed, number);
    }
    const mechanism::Changes changes = sums.changes();
    EXPECT_EQ(changes.coordinates, changed) << sums.buckets << " " << sums.branching;
    EXPECT_TRUE(changes.l1 == static_cast<noise::Uint128>(l1)) << sums.buckets << " " << sums.branching;
    EXPECT_TRUE(changes.l2_squared == static_cast<noise::Uint128>(squares)) << sums.buckets << " " << sums.branching;
    EXPECT_TRUE(changes.l2 * changes.l2 >= changes.l2_squared);
    EXPECT_TRUE((changes.l2 - 1) * (changes.l2 - 1) < changes.l2_squared);
    EXPECT_TRUE(changes.linf == static_cast<noise::Uint128>(most)) << sums.buckets << " " << sums.branching;
  }
}

// So that no column has noise for a longer one.
TEST(PrefixSums, ColumnsOfARootHaveOneLength) {
  for (const int size : {2, 33, 200}) {
    const PrefixSums sums = PrefixSums::by_root(size);
    const auto longest = static_cast<double>(sums.changes().l2_squared);
    EXPECT_LE(longest, std::ldexp(1.0, 60));
    for (int bucket = 0; bucket < size; ++bucket) {
      double square = 0;
      for (const Wide entry : added_by_row(sums, bucket))
        square += static_cast<double>(entry) * static_cast<double>(entry);
      EXPECT_GT(square, longest * 0.999) << size << " " << bucket;
    }
  }
}

TEST(PrefixSums, WithoutNoiseAllIsRecovered) {
  for (const PrefixSums& sums : kFactorisations) {
    const auto counts = counts_of(sums.buckets);
    for (const unsigned refinement : {0U, 3U}) {
      auto integers = integers_of(sums, counts);
      for (Wide& integer : integers) integer <<= refinement;
      const auto found = sums.sums_of(view_of(integers), refinement);
      ASSERT_EQ(found.size(), counts.size());
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        sum += counts[i];
        EXPECT_NEAR(found[i], static_cast<double>(sum), 1e-6) << sums.buckets << " " << sums.branching << " " << i;
      }
    }
  }
}

TEST(PrefixSums, CountsMayBeLarge) {
  for (const PrefixSums& sums : {PrefixSums::by_root(kMostCumulated), PrefixSums{kMostCumulated, 8}}) {
    const std::vector<std::uint64_t> counts(static_cast<std::size_t>(kMostCumulated), std::uint64_t{1} << 50);
    const auto found = sums.sums_of(view_of(integers_of(sums, counts)), 0);
    EXPECT_NEAR(found.back() / std::ldexp(1.0, 62), 1, 1e-12);
  }
}

// The variances by which errors are told are those of what is shown: each unit of noise put in by itself.
TEST(PrefixSums, VariancesAreThoseOfTheSums) {
  for (const PrefixSums& sums : kFactorisations) {
    const int n = sums.buckets;
    const auto size = static_cast<std::size_t>(sums.integers());
    std::vector<std::vector<double>> by_integer;
    for (std::size_t k = 0; k < size; ++k) {
      std::vector<Wide> integers(size);
      integers[k] = Wide{1} << (sums.scale() + 20);
      by_integer.push_back(sums.sums_of(view_of(integers), 20));
    }
    const auto variance = [&](auto reading) {
      double sum = 0;
      for (const auto& one : by_integer) sum += std::pow(reading(one), 2);
      return sum;
    };
    const auto at = [](const std::vector<double>& prefixes, int edge) {
      return edge == 0 ? 0 : prefixes[static_cast<std::size_t>(edge - 1)];
    };
    const PrefixVariances told(sums);
    for (const double part : {0.0, 0.3, 1.0}) {
      const auto all = told.of_prefixes(part);
      for (int edge = 1; edge <= n; edge += 1 + n / 20) {
        const double exact = variance([&](const auto& one) { return at(one, edge) - part * at(one, n); });
        EXPECT_NEAR(all[static_cast<std::size_t>(edge - 1)], exact, 1e-6 * (1 + exact)) << n << " " << sums.branching;
      }
    }
    for (int from = 0; from < n; from += 1 + n / 5) {
      for (int to = from; to <= n; to += 1 + n / 5) {
        const double exact = variance([&](const auto& one) { return at(one, to) - at(one, from); });
        EXPECT_NEAR(told.of_range(from, to), exact, 1e-6 * (1 + exact)) << n << " " << sums.branching;
      }
    }
  }
}

// tools/golden/prefix_sums.py: normal equations, and the square root in 50 digits.
TEST(PrefixSums, ErrorsAreThoseOfTheNormalEquations) {
  for (const GoldenErrors& golden : kGoldenErrors) {
    const PrefixVariances variances(PrefixSums{golden.buckets, golden.branching});
    const double slack = golden.branching == 0 ? 2e-3 : 1e-9;
    EXPECT_NEAR(std::sqrt(variances.mean()), golden.mean, golden.mean * slack) << golden.buckets;
    EXPECT_NEAR(std::sqrt(variances.largest()), golden.largest, golden.largest * slack) << golden.buckets;
  }
}

TEST(PrefixSums, IntegersOfARootAreTheRootsOwn) {
  for (const GoldenRoot& golden : kGoldenRoots) {
    const PrefixSums sums = PrefixSums::by_root(golden.buckets);
    const auto entry = added_by_row(sums, golden.column)[static_cast<std::size_t>(golden.row)];
    EXPECT_EQ(static_cast<std::int64_t>(entry), golden.entry) << golden.buckets << " " << golden.row;
    EXPECT_EQ(static_cast<std::uint64_t>(sums.changes().l2_squared), golden.l2_squared) << golden.buckets;
  }
}

TEST(PrefixSums, TheBestTreeIsTaken) {
  for (const GoldenBest& golden : kGoldenBest)
    EXPECT_EQ(PrefixSums::by_tree(golden.buckets).branching, golden.branching) << golden.buckets;
}

TEST(PrefixSums, AFormKeepsThem) {
  for (const PrefixSums& sums : {PrefixSums{4096, 16}, PrefixSums{1, 0}, PrefixSums{110, 8}}) {
    const Form form = cumulative_form({{-0.1, 1e300}, sums.buckets}, sums);
    EXPECT_EQ(sums_of_form(form).buckets, sums.buckets);
    EXPECT_EQ(sums_of_form(form).branching, sums.branching);
    EXPECT_EQ(buckets_of_form(form).bounds.lower, -0.1);
    EXPECT_EQ(buckets_of_form(form).bounds.upper, 1e300);
    EXPECT_EQ(buckets_of_form(form).count, sums.buckets);
  }
}

// What somebody writes who means an edge lies above it, also where the quotient is a little less.
TEST(Buckets, AValueOnAnEdgeLiesAboveIt) {
  const Buckets hundred{{0, 100}, 100};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(hundred.holding(i), i);
  EXPECT_EQ(hundred.holding(100), 99);
  EXPECT_EQ(hundred.holding(std::nextafter(29, 0)), 28);
  const Buckets parts{{0, 1}, 100};
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(parts.holding(std::stod("0." + std::string(i < 10 ? "0" : "") + std::to_string(i))), i);
  const Buckets shifted{{-7, 113}, 120};
  for (int i = 0; i < 120; ++i) EXPECT_EQ(shifted.holding(i - 7), i);
  const Buckets wide{{-8e307, 8e307}, 4};
  EXPECT_EQ(wide.holding(0), 2);
  EXPECT_EQ(wide.holding(-8e307), 0);
  EXPECT_EQ(wide.holding(8e307), 3);
}

TEST(Buckets, EveryValueLiesBetweenTheEdgesOfItsBucket) {
  for (const Buckets& buckets : {Buckets{{0.1, 0.9}, 7}, Buckets{{-3.7, 11.2}, 97}, Buckets{{1e15, 1e15 + 10}, 64}}) {
    for (int i = 0; i <= 2000; ++i) {
      const double value = buckets.bounds.lower + (buckets.bounds.upper - buckets.bounds.lower) * i / 2000;
      const int bucket = buckets.holding(value);
      EXPECT_GE(value, buckets.edge(bucket));
      EXPECT_TRUE(value < buckets.edge(bucket + 1) || bucket == buckets.count - 1) << value;
    }
  }
}

TEST(Buckets, TheNearestHoldsWhatLiesOutside) {
  const Buckets buckets{{0, 10}, 5};
  EXPECT_EQ(buckets.nearest(-1e9), 0);
  EXPECT_EQ(buckets.nearest(0), 0);
  EXPECT_EQ(buckets.nearest(9.5), 4);
  EXPECT_EQ(buckets.nearest(10), 4);
  EXPECT_EQ(buckets.nearest(INFINITY), 4);
  EXPECT_EQ(buckets.nearest(-INFINITY), 0);
  EXPECT_EQ(buckets.nearest(NAN), 4);
}

TEST(Cells, APairLiesInTheRowOfItsXAndTheColumnOfItsY) {
  const Cells cells{{{0, 10}, 2}, {{-3, 3}, 3}};
  EXPECT_EQ(cells.count(), 6);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column)
      EXPECT_EQ(cells.containing(5 * row, 2 * column - 3), std::optional(3 * row + column));
  EXPECT_EQ(cells.containing(10, 3), std::optional(5));
  for (const double outside : {-3.1, 3.1, double{NAN}, double{INFINITY}})
    EXPECT_EQ(cells.containing(5, outside), std::nullopt);
  for (const double outside : {-0.1, 10.1, double{NAN}, double{-INFINITY}})
    EXPECT_EQ(cells.containing(outside, 0), std::nullopt);
  EXPECT_EQ((Cells{{{0, 1}, 100000}, {{0, 1}, 100000}}.count()), 10'000'000'000);
}

}  // namespace
}  // namespace dp::aggregate
