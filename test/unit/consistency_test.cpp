// Answers of several levels that are made to add up: against normal equations that are solved another way.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/consistency/top_down.h"
#include "core/mechanism/error.h"

namespace dp::consistency {
namespace {

void expect_near(Real one, Real other, Real most) {
  EXPECT_NEAR(static_cast<double>(one), static_cast<double>(other), static_cast<double>(most));
}

struct Case {
  int keys = 0;
  std::vector<std::uint32_t> missing;
  std::vector<std::int32_t> values;
  std::vector<Real> answers, variances;

  void add(std::uint32_t lacks, std::vector<std::int32_t> of, Real answer, Real variance) {
    missing.push_back(lacks);
    values.insert(values.end(), of.begin(), of.end());
    answers.push_back(answer);
    variances.push_back(variance);
  }
  Levels levels() const { return Levels({keys, missing, values, answers, variances}); }
};

using Draw = std::mt19937;

// All groups of the sets over keys of these sizes, with answers anywhere and variances that differ, or do not.
Case grid(const std::vector<int>& sizes, const std::vector<std::uint32_t>& lacks, bool unequal, Draw& draw) {
  Case made;
  made.keys = static_cast<int>(sizes.size());
  std::uniform_real_distribution<double> number(-50, 50), variance(0.5, 4);
  for (const std::uint32_t set : lacks) {
    const Real same = variance(draw);
    std::vector<std::int32_t> at(sizes.size(), 0);
    for (bool more = true; more;) {
      made.add(set, at, number(draw), unequal ? Real{variance(draw)} : same);
      more = false;
      for (std::size_t key = 0; key < sizes.size() && !more; ++key) {
        if ((set >> (sizes.size() - 1 - key) & 1) != 0) continue;
        more = ++at[key] < sizes[key];
        if (!more) at[key] = 0;
      }
    }
  }
  return made;
}

// Whether the answer is about a group in which the cell lies.
bool holds(const Case& made, std::size_t answer, const std::vector<std::int32_t>& cell) {
  for (std::size_t key = 0; key < cell.size(); ++key) {
    const bool in = (made.missing[answer] >> (cell.size() - 1 - key) & 1) == 0;
    if (in && made.values[answer * cell.size() + key] != cell[key]) return false;
  }
  return true;
}

// The values and variances of the answers by Gauss's elimination of A' W A, of which the cells that are not determined
// are put to nothing.
struct Solved {
  std::vector<Real> value, variance;
};
Solved normal_equations(const Case& made, const std::vector<int>& sizes) {
  std::vector<std::vector<std::int32_t>> cells{{}};
  for (const int size : sizes) {
    std::vector<std::vector<std::int32_t>> longer;
    for (const auto& cell : cells)
      for (int i = 0; i < size; ++i) {
        longer.push_back(cell);
        longer.back().push_back(i);
      }
    cells = longer;
  }
  const std::size_t n = cells.size(), m = made.answers.size();
  std::vector<std::vector<Real>> a(m, std::vector<Real>(n)), left(n, std::vector<Real>(n + 1 + m, 0));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t c = 0; c < n; ++c) a[i][c] = holds(made, i, cells[c]) ? 1 : 0;
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t i = 0; i < m; ++i) {
      const Real weight = made.variances[i] == 0 ? 1e9L : 1 / made.variances[i];
      for (std::size_t d = 0; d < n; ++d) left[c][d] += a[i][c] * a[i][d] * weight;
      left[c][n] += a[i][c] * weight * made.answers[i];
      left[c][n + 1 + i] = a[i][c];
    }
  std::vector<int> row_of(n, -1);
  std::size_t row = 0;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t best = row;
    for (std::size_t r = row; r < n; ++r)
      if (std::fabs(left[r][column]) > std::fabs(left[best][column])) best = r;
    if (row == n || std::fabs(left[best][column]) < 1e-10L) continue;
    std::swap(left[row], left[best]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == row) continue;
      const Real factor = left[r][column] / left[row][column];
      for (std::size_t k = column; k < n + 1 + m; ++k) left[r][k] -= factor * left[row][k];
    }
    row_of[column] = static_cast<int>(row++);
  }
  Solved solved{std::vector<Real>(m, 0), std::vector<Real>(m, 0)};
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t c = 0; c < n; ++c) {
      if (row_of[c] < 0) continue;
      const auto& of = left[static_cast<std::size_t>(row_of[c])];
      solved.value[i] += a[i][c] * of[n] / of[c];
      solved.variance[i] += a[i][c] * of[n + 1 + i] / of[c];
    }
  return solved;
}

void expect_least_squares(const Case& made, const std::vector<int>& sizes, Real most = 1e-8L) {
  const Levels levels = made.levels();
  const Fit fit = least_squares(levels);
  const Solved solved = normal_equations(made, sizes);
  for (std::size_t i = 0; i < made.answers.size(); ++i) {
    const auto node = static_cast<std::size_t>(levels.node_of(i));
    expect_near(fit.value[node], solved.value[i], most);
    expect_near(fit.variance[node], solved.variance[i], most);
    EXPECT_LE(fit.variance[node], made.variances[i] * (1 + 1e-9L));
  }
}

TEST(Consistency, TreesAndCubesAreLeastSquares) {
  Draw draw(1);
  for (const bool unequal : {false, true}) {
    expect_least_squares(grid({5}, {0, 1}, unequal, draw), {5});
    expect_least_squares(grid({3, 4}, {0, 1, 3}, unequal, draw), {3, 4});
    expect_least_squares(grid({3, 2, 3}, {0, 1, 3, 7}, unequal, draw), {3, 2, 3});
    expect_least_squares(grid({3, 4}, {0, 1, 2, 3}, unequal, draw), {3, 4});
    expect_least_squares(grid({2, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7}, unequal, draw), {2, 3, 3});
  }
}

TEST(Consistency, LevelsWithoutTheirFinestOneAgreeOnWhatTheyShare) {
  Draw draw(2);
  for (const bool unequal : {false, true}) {
    expect_least_squares(grid({4, 3}, {1, 2}, unequal, draw), {4, 3});
    expect_least_squares(grid({4, 3}, {1, 2, 3}, unequal, draw), {4, 3});
    expect_least_squares(grid({2, 3, 2}, {1, 2, 4}, unequal, draw), {2, 3, 2});
  }
}

TEST(Consistency, TwoLevelsByTheirFormula) {
  // Five groups of variance 2 and their total of variance 3, which differ by 26: each gets 26 * 2 / (3 + 5 * 2).
  Case made{1, {}, {}, {}, {}};
  made.add(1, {0}, 76, 3);
  for (int i = 0; i < 5; ++i) made.add(0, {i}, 10, 2);
  const Levels levels = made.levels();
  const Fit fit = least_squares(levels);
  expect_near(fit.value[1], 14, 1e-12);
  expect_near(fit.value[0], 70, 1e-12);
  expect_near(fit.variance[0], 1 / (1 / 3.0L + 1 / 10.0L), 1e-12);
}

TEST(Consistency, WhatHasNoErrorIsKept) {
  Draw draw(3);
  for (const std::vector<std::uint32_t>& lacks : {std::vector<std::uint32_t>{0, 1, 3}, {0, 1, 2, 3}}) {
    Case made = grid({3, 4}, lacks, true, draw);
    const std::size_t total = made.answers.size() - 1;
    made.variances[total] = 0;
    made.answers[total] = 120;
    const Levels levels = made.levels();
    Fit fit = least_squares(levels);
    const Solved solved = normal_equations(made, {3, 4});
    for (std::size_t i = 0; i < made.answers.size(); ++i)
      expect_near(fit.value[static_cast<std::size_t>(levels.node_of(i))], solved.value[i], 1e-5);
    fit_top_down(levels, {true, true}, &fit);
    Real sum = 0;
    for (const int cell : levels.cells()) sum += fit.value[static_cast<std::size_t>(cell)];
    EXPECT_EQ(sum, 120);
    EXPECT_EQ(fit.value[static_cast<std::size_t>(levels.node_of(total))], 120);
  }
}

// What is kept leads to the cells, though it is no part of the longest way to them.
TEST(Consistency, KeptRowsOfACubeAreSumsOfWholeCells) {
  Draw draw(8);
  for (const std::uint32_t kept : {1u, 2u}) {
    Case made = grid({3, 4}, {0, 1, 2, 3}, false, draw);
    for (std::size_t i = 0; i < made.answers.size(); ++i) {
      if (made.missing[i] != kept) continue;
      made.answers[i] = std::nearbyint(made.answers[i]);
      made.variances[i] = 0;
    }
    const Levels levels = made.levels();
    Fit fit = least_squares(levels);
    fit_top_down(levels, {true, false}, &fit);
    for (std::size_t i = 0; i < made.answers.size(); ++i) {
      Real sum = 0;
      const auto node = static_cast<std::size_t>(levels.node_of(i));
      for (std::size_t cell = 0; cell < levels.cells().size(); ++cell)
        for (std::size_t level = 0; level < levels.sets().size(); ++level)
          if (levels.cover(cell, level) == levels.node_of(i))
            sum += fit.value[static_cast<std::size_t>(levels.cells()[cell])];
      EXPECT_EQ(sum, fit.value[node]);
      EXPECT_TRUE(made.variances[i] > 0 || fit.value[node] == made.answers[i]);
    }
  }
}

TEST(Consistency, TwoAnswersAboutOneGroupCountOnceEach) {
  Case twice{1, {}, {}, {}, {}}, once{1, {}, {}, {}, {}};
  twice.add(1, {0}, 10, 2);
  twice.add(1, {0}, 16, 4);
  once.add(1, {0}, 12, 4 / 3.0L);
  for (Case* const made : {&twice, &once})
    for (int i = 0; i < 3; ++i) made->add(0, {i}, 5, 1);
  const Levels one = twice.levels(), other = once.levels();
  EXPECT_EQ(one.node_of(0), one.node_of(1));
  expect_near(least_squares(one).value[0], least_squares(other).value[0], 1e-12);
}

TEST(Consistency, WhatIsNotKnownIsWhatTheOthersLeave) {
  Case made{1, {}, {}, {}, {}};
  made.add(1, {0}, 100, 1);
  made.add(0, {0}, 30, 1);
  made.add(0, {1}, 0, INFINITY);
  const Levels levels = made.levels();
  const Fit fit = least_squares(levels);
  expect_near(fit.value[2], 70, 1e-6);
  expect_near(fit.variance[2], 2, 1e-6);
  Case alone{1, {}, {}, {}, {}};
  alone.add(0, {0}, 30, 1);
  alone.add(0, {1}, 0, INFINITY);
  EXPECT_TRUE(std::isinf(least_squares(alone.levels()).variance[1]));
}

// Wholly, never negative, and every sum is that of its parts.
TEST(Consistency, WholeNumbersAddUp) {
  Draw draw(4);
  const std::vector<std::vector<std::uint32_t>> all = {{0, 1, 3}, {0, 1, 2, 3}, {1, 2, 3}, {1, 2}};
  for (int round = 0; round < 20; ++round) {
    for (const auto& lacks : all) {
      for (const bool nonnegative : {false, true}) {
        const Case made = grid({4, 5}, lacks, round % 2 == 0, draw);
        const Levels levels = made.levels();
        const Fit real = least_squares(levels);
        Fit fit = real;
        fit_top_down(levels, {true, nonnegative}, &fit);
        for (std::size_t i = 0; i < levels.nodes().size(); ++i) {
          EXPECT_EQ(fit.value[i], std::nearbyint(fit.value[i]));
          EXPECT_TRUE(!nonnegative || fit.value[i] >= 0);
          EXPECT_TRUE(nonnegative || !levels.nested() || std::fabs(fit.value[i] - real.value[i]) < 1);
        }
        for (std::size_t i = 0; i < made.answers.size(); ++i) {
          Real sum = 0;
          const auto node = static_cast<std::size_t>(levels.node_of(i));
          for (std::size_t other = 0; other < levels.nodes().size(); ++other)
            if (levels.nodes()[other].parent == static_cast<int>(node)) sum += fit.value[other];
          bool has_children = false;
          for (const Levels::Node& other : levels.nodes())
            has_children = has_children || other.parent == static_cast<int>(node);
          EXPECT_TRUE(!has_children || sum == fit.value[node]);
        }
      }
    }
  }
}

TEST(Consistency, SimplexIsTheNearestPoint) {
  Draw draw(5);
  std::uniform_real_distribution<double> number(-20, 30), variance(0.5, 4);
  for (int round = 0; round < 200; ++round) {
    std::vector<Real> values, variances;
    for (int i = 0; i < 7; ++i) {
      values.push_back(number(draw));
      variances.push_back(variance(draw));
    }
    const Real sum = std::uniform_real_distribution<double>(0.5, 60)(draw);
    const auto fitted = onto_simplex(values, variances, sum);
    // By halving: the t for which max(value - t variance, 0) has that sum.
    Real low = -1e6, high = 1e6;
    for (int i = 0; i < 200; ++i) {
      const Real middle = (low + high) / 2;
      Real all = 0;
      for (std::size_t k = 0; k < values.size(); ++k) all += std::max(values[k] - middle * variances[k], Real{0});
      (all > sum ? low : high) = middle;
    }
    for (std::size_t k = 0; k < values.size(); ++k)
      expect_near(fitted[k], std::max(values[k] - low * variances[k], Real{0}), 1e-9);
  }
  EXPECT_EQ(onto_simplex(std::vector<Real>{3, -2}, std::vector<Real>{1, 1}, 0), (std::vector<Real>{0, 0}));
  EXPECT_EQ(onto_simplex(std::vector<Real>{3, 5}, std::vector<Real>{0, 1}, 10), (std::vector<Real>{3, 7}));
}

TEST(Consistency, LargestRemaindersGetWhatIsLeft) {
  const std::vector<Real> ones(4, 1);
  EXPECT_EQ(largest_remainder(std::vector<Real>{1.2L, 2.7L, 0.6L, 3.5L}, ones, 8), (std::vector<Real>{1, 3, 1, 3}));
  EXPECT_EQ(largest_remainder(std::vector<Real>{-1.2L, 2.2L}, std::vector<Real>{1, 1}, 1), (std::vector<Real>{-1, 2}));
  EXPECT_EQ(largest_remainder(std::vector<Real>{5, 1.5L, 1.5L}, std::vector<Real>{0, 1, 1}, 9),
            (std::vector<Real>{5, 2, 2}));
  EXPECT_EQ(largest_remainder(std::vector<Real>{5, 6}, std::vector<Real>{0, 0}, 9), (std::vector<Real>{5, 6}));
}

TEST(Consistency, MonotoneIsTheNearestThatNeverFalls) {
  const std::vector<Real> ones(5, 1);
  EXPECT_EQ(monotone(std::vector<Real>{1, 3, 2, 4, 0}, ones), (std::vector<Real>{1, 2.25L, 2.25L, 2.25L, 2.25L}));
  EXPECT_EQ(monotone(std::vector<Real>{4, 1}, std::vector<Real>{1, 3}), (std::vector<Real>{3.25L, 3.25L}));
  expect_near(monotone(std::vector<Real>{4, 1}, std::vector<Real>{0, 1})[1], 4, 1e-6);
  EXPECT_EQ(monotone(std::vector<Real>{}, std::vector<Real>{}).size(), 0u);
}

TEST(Consistency, OtherRowsAreNoticed) {
  Case made{1, {}, {}, {}, {}};
  made.add(1, {0}, 1000, 4);
  for (int i = 0; i < 8; ++i) made.add(0, {i}, 100, 4);
  const Levels levels = made.levels();
  // The sum differs by 200, which has a deviation of sqrt(4 + 8 * 4) = 6: 33 of these.
  EXPECT_TRUE(contradicts(levels, least_squares(levels), 33));
  EXPECT_FALSE(contradicts(levels, least_squares(levels), 34));
}

TEST(Consistency, TooManyCellsAreRefused) {
  Case made{2, {}, {}, {}, {}};
  made.add(1, {2000, 0}, 1, 1);
  made.add(2, {0, 2000}, 1, 1);
  EXPECT_THROW(made.levels(), Error);
}

TEST(Consistency, LargeCubesTakeNoTime) {
  Draw draw(6);
  const Case made = grid({200, 300}, {0, 1, 2, 3}, false, draw);
  const Levels levels = made.levels();
  Fit fit = least_squares(levels);
  fit_top_down(levels, {true, true}, &fit);
  const Real sum = std::accumulate(levels.cells().begin(), levels.cells().end(), Real{0},
                                   [&](Real all, int cell) { return all + fit.value[static_cast<std::size_t>(cell)]; });
  EXPECT_EQ(sum, fit.value[static_cast<std::size_t>(levels.node_of(made.answers.size() - 1))]);
}

}  // namespace
}  // namespace dp::consistency
