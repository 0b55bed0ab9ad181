// Which level answers a question: the path grows at its two ends only, whatever the order of the questions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/accounting/relax_rule.h"

namespace dp::budget {
namespace {

using Kind = PathStep::Kind;

void expect_step(const PathStep& step, Kind kind, std::int64_t level, std::int64_t from) {
  EXPECT_EQ(step.kind, kind);
  EXPECT_EQ(step.level, level);
  EXPECT_EQ(step.from, from);
}

// Asks one question after the other; what is drawn joins the path.
class Path {
 public:
  explicit Path(std::int64_t first) : levels_{first} {}

  PathStep ask(std::int64_t epsilon) {
    const PathStep step = step_to(levels_, epsilon);
    if (step.kind != Kind::existing) levels_.push_back(step.level);
    return step;
  }

  // In the order in which they were drawn.
  const std::vector<std::int64_t>& levels() const { return levels_; }

 private:
  std::vector<std::int64_t> levels_;
};

TEST(Path, FinerThanTheFinestIsRelaxedFromThere) {
  expect_step(step_to(std::array<std::int64_t, 1>{500}, 1000), Kind::relax, 1000, 500);
  expect_step(step_to(std::array<std::int64_t, 3>{200, 1000, 500}, 1001), Kind::relax, 1001, 1000);
}

TEST(Path, CoarserThanTheCoarsestIsTightenedFromThere) {
  expect_step(step_to(std::array<std::int64_t, 1>{500}, 499), Kind::tighten, 499, 500);
  expect_step(step_to(std::array<std::int64_t, 3>{1000, 200, 500}, 1), Kind::tighten, 1, 200);
}

TEST(Path, WhatExistsIsShownAgain) {
  for (const std::int64_t level : {200, 500, 1000}) {
    expect_step(step_to(std::array<std::int64_t, 3>{500, 200, 1000}, level), Kind::existing, level, level);
  }
}

TEST(Path, BetweenTwoLevelsTheNextCoarserOneAnswers) {
  const std::array<std::int64_t, 3> levels = {1000, 200, 500};
  expect_step(step_to(levels, 201), Kind::existing, 200, 200);
  expect_step(step_to(levels, 499), Kind::existing, 200, 200);
  expect_step(step_to(levels, 501), Kind::existing, 500, 500);
  expect_step(step_to(levels, 999), Kind::existing, 500, 500);
}

TEST(Path, TheEndsOfTheRange) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;  // epsilon 1e6
  expect_step(step_to(std::array<std::int64_t, 1>{1}, kMost), Kind::relax, kMost, 1);
  expect_step(step_to(std::array<std::int64_t, 1>{kMost}, 1), Kind::tighten, 1, kMost);
}

// Relaxations that would cost more than the largest level.
TEST(Path, TighteningTwiceIsOneChain) {
  Path path(3000);
  expect_step(path.ask(900), Kind::tighten, 900, 3000);
  expect_step(path.ask(1000), Kind::existing, 900, 900);
}

TEST(Path, NothingIsDrawnBelowAFinerLevelThatExists) {
  Path path(200);
  expect_step(path.ask(1000), Kind::relax, 1000, 200);
  expect_step(path.ask(500), Kind::existing, 200, 200);
}

// Every order of eight questions, with repetitions among them: each draw starts from an end of the path and becomes the
// new end there, so that the levels are one Markov chain; what was drawn is found again; and nobody is given more than
// was asked for.
TEST(Path, EveryOrderMakesOneChain) {
  std::array<std::int64_t, 8> questions = {1, 2, 3, 3, 5, 6, 7, 8};
  constexpr std::int64_t kFirst = 4;
  int orders = 0;
  do {
    Path path(kFirst);
    std::int64_t coarsest = kFirst, finest = kFirst;
    for (const std::int64_t epsilon : questions) {
      const PathStep step = path.ask(epsilon);
      ASSERT_LE(step.level, epsilon);
      switch (step.kind) {
        case Kind::relax:
          ASSERT_EQ(step.from, finest);
          ASSERT_EQ(step.level, epsilon);
          finest = epsilon;
          break;
        case Kind::tighten:
          ASSERT_EQ(step.from, coarsest);
          ASSERT_EQ(step.level, epsilon);
          coarsest = epsilon;
          break;
        case Kind::existing:
          ASSERT_GE(epsilon, coarsest);
          ASSERT_LE(epsilon, finest);
          ASSERT_EQ(std::count(path.levels().begin(), path.levels().end(), step.level), 1);
          // None that exists lies between the answer and the question.
          ASSERT_TRUE(std::none_of(path.levels().begin(), path.levels().end(),
                                   [&](std::int64_t level) { return step.level < level && level <= epsilon; }));
          break;
      }
    }
    ++orders;
  } while (std::next_permutation(questions.begin(), questions.end()));
  EXPECT_EQ(orders, 8 * 7 * 6 * 5 * 4 * 3 * 2 / 2);
}

// Asking everything again in any order changes nothing any more.
TEST(Path, AskedAgainNothingIsDrawn) {
  std::array<std::int64_t, 6> questions = {1, 2, 3, 5, 6, 7};
  do {
    Path path(4);
    for (const std::int64_t epsilon : questions) path.ask(epsilon);
    std::vector<PathStep> once;
    for (const std::int64_t epsilon : questions) once.push_back(path.ask(epsilon));
    for (std::size_t i = questions.size(); i-- > 0;) {
      const PathStep again = path.ask(questions[i]);
      ASSERT_EQ(again.kind, Kind::existing);
      ASSERT_EQ(again.level, once[i].level);
    }
  } while (std::next_permutation(questions.begin(), questions.end()));
}

}  // namespace
}  // namespace dp::budget
