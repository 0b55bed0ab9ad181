// What one privacy unit changes in all groups of a grouping set: bounds of every norm, against all ways in which its
// rows can fall.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "core/mechanism/sensitivity.h"

namespace dp::mechanism {
namespace {

using noise::Uint128;

TEST(Changes, OneRowInOneGroupIsWhatItWas) {
  for (const Changes& changes : {Changes::one(7), Changes::sharing(2, 9), Changes::sharing(3, 100)}) {
    const Changes same = changes.by_unit({}, changes.coordinates);
    EXPECT_EQ(same.coordinates, changes.coordinates);
    EXPECT_EQ(same.l1, changes.l1);
    EXPECT_EQ(same.l2, changes.l2);
    EXPECT_EQ(same.linf, changes.linf);
  }
  EXPECT_EQ(Changes::one(1).by_unit({}, 100).coordinates, 1u) << "a row lies in one of 100 buckets";
}

TEST(Changes, RootsAreRoundedUp) {
  for (std::uint64_t n = 0; n <= 10000; ++n) {
    const auto root = static_cast<std::uint64_t>(root_above(n));
    EXPECT_GE(root * root, n);
    if (n > 0) {
      EXPECT_LT((root - 1) * (root - 1), n);
    }
  }
  EXPECT_EQ(root_above(Uint128{1'000'000} * 1'000'000), Uint128{1'000'000});
  const Uint128 large = (Uint128{1} << 62) + 12345;
  EXPECT_EQ(root_above(large * large), large);
  EXPECT_EQ(root_above(large * large + 1), large + 1);
}

// Closer and closer, and never below.
TEST(Changes, LengthsAreKnownInPartsOfAStep) {
  const Changes three = Changes::one(1).by_unit({3, 3, 1}, 3);
  EXPECT_EQ(three.l2, Uint128{2});
  EXPECT_EQ(three.l2_in_parts(0), Uint128{2});
  EXPECT_EQ(three.l2_in_parts(8), Uint128{444}) << "256 times the root of 3 is 443.4";
  EXPECT_EQ(three.times(1 << 4).l2_in_parts(4), Uint128{444});
  for (const Uint128 size : {Uint128{1}, Uint128{20}, Uint128{1} << 40, Uint128{1} << 62, Uint128{1} << 70}) {
    for (const std::uint32_t rows : {1u, 2u, 7u, 1'000'000u}) {
      const Changes changes = Changes::one(size).by_unit({rows, rows, 1}, 1);
      for (const unsigned bits : {0u, 1u, 16u, 32u}) {
        const long double exact = static_cast<long double>(size) * std::sqrt(static_cast<long double>(rows));
        const long double parts = static_cast<long double>(changes.l2_in_parts(bits));
        EXPECT_GE(parts, std::ldexp(exact, static_cast<int>(bits)) * (1 - 1e-15L)) << rows << " " << bits;
        EXPECT_LE(parts, std::ldexp(static_cast<long double>(changes.l2), static_cast<int>(bits)));
        if (size < Uint128{1} << 40 && bits == 32) {
          EXPECT_LT(parts, std::ldexp(exact, static_cast<int>(bits)) * (1 + 1e-9L));
        }
      }
    }
  }
  EXPECT_EQ(Changes::one(5).l2_in_parts(3), Uint128{40});
}

// All vectors of counts over groups and buckets that a unit's rows can make, a row adding one to one of them.
void visit_histograms(int groups, int buckets, const Contribution& unit,
                      const std::function<void(const std::vector<int>&)>& visit) {
  std::vector<int> counts(static_cast<std::size_t>(groups * buckets));
  std::function<void(std::size_t, unsigned)> fill = [&](std::size_t place, unsigned left) {
    if (place == counts.size()) return visit(counts);
    const std::size_t group = place / static_cast<std::size_t>(buckets);
    unsigned used = 0, in = 0;
    for (std::size_t i = 0; i < place; ++i) {
      if (i / static_cast<std::size_t>(buckets) == group) used += static_cast<unsigned>(counts[i]);
    }
    for (std::size_t g = 0; g < group; ++g) {
      int rows = 0;
      for (int b = 0; b < buckets; ++b)
        rows += counts[g * static_cast<std::size_t>(buckets) + static_cast<std::size_t>(b)];
      in += rows > 0;
    }
    for (unsigned n = 0; n <= std::min(left, unit.rows_per_group - used); ++n) {
      if (n > 0 && used == 0 && in + 1 > unit.groups) break;
      counts[place] = static_cast<int>(n);
      fill(place + 1, left - n);
    }
    counts[place] = 0;
  };
  fill(0, unit.rows);
}

struct Norms {
  unsigned coordinates = 0;
  Uint128 l1 = 0;
  double l2 = 0;
  Uint128 linf = 0;
};

Norms norms_of(int groups, int buckets, const Contribution& unit) {
  Norms most;
  visit_histograms(groups, buckets, unit, [&](const std::vector<int>& counts) {
    unsigned changed = 0;
    Uint128 l1 = 0, linf = 0;
    double squares = 0;
    for (const int n : counts) {
      changed += n > 0;
      l1 += static_cast<Uint128>(n);
      squares += static_cast<double>(n) * n;
      linf = std::max(linf, static_cast<Uint128>(n));
    }
    most.coordinates = std::max(most.coordinates, changed);
    most.l1 = std::max(most.l1, l1);
    most.l2 = std::max(most.l2, std::sqrt(squares));
    most.linf = std::max(most.linf, linf);
  });
  return most;
}

TEST(Changes, OfAUnitBoundEveryNormOfHistogramsByGroup) {
  for (const int buckets : {1, 2, 3}) {
    for (const Contribution unit : {Contribution{3, 3, 3}, Contribution{4, 2, 2}, Contribution{3, 3, 1},
                                    Contribution{2, 1, 2}, Contribution{6, 2, 3}, Contribution{4, 4, 4}}) {
      const Changes claimed = Changes::one(1).by_unit(unit, static_cast<unsigned>(buckets));
      const Norms found = norms_of(4, buckets, unit);
      EXPECT_GE(claimed.coordinates, found.coordinates);
      EXPECT_EQ(claimed.l1, found.l1);
      EXPECT_EQ(claimed.linf, found.linf);
      EXPECT_GE(static_cast<double>(claimed.l2) + 1e-9, found.l2);
      EXPECT_LE(static_cast<double>(claimed.l2), found.l2 + 1) << "no more than rounding up";
    }
  }
}

TEST(Changes, OfAUnitScaleWithOneRowsOwn) {
  const Changes pair = Changes::sharing(2, 10).by_unit({6, 2, 3}, 2);
  EXPECT_EQ(pair.coordinates, 4u);
  EXPECT_EQ(pair.l1, Uint128{60});
  EXPECT_EQ(pair.linf, Uint128{30});
  EXPECT_EQ(pair.l2, Uint128{10 * 5}) << "10 sqrt(18), the root rounded up";
  EXPECT_THROW(Changes::one(~Uint128{0} / 2).by_unit({3, 3, 3}, 1), std::overflow_error);
}

}  // namespace
}  // namespace dp::mechanism
