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

// Levels and epsilons are written in nano-epsilon.
void expect_step(const PathStep& step, Kind kind, std::uint64_t level, std::uint64_t from) {
  EXPECT_EQ(step.kind, kind);
  EXPECT_EQ(step.level.nano, level);
  EXPECT_EQ(step.from.nano, from);
}

PathStep step_on(const std::vector<std::uint64_t>& levels, std::uint64_t epsilon) {
  std::vector<mechanism::Epsilon> existing;
  for (const std::uint64_t level : levels) existing.push_back({level});
  return step_to(existing, {epsilon});
}

// Asks one question after the other; what is drawn joins the path.
class Path {
 public:
  explicit Path(std::uint64_t first) : levels_{first} {}

  PathStep ask(std::uint64_t epsilon) {
    const PathStep step = step_on(levels_, epsilon);
    if (step.kind != Kind::existing) levels_.push_back(step.level.nano);
    return step;
  }

  // In the order in which they were drawn.
  const std::vector<std::uint64_t>& levels() const { return levels_; }

 private:
  std::vector<std::uint64_t> levels_;
};

TEST(Path, FinerThanTheFinestIsRelaxedFromThere) {
  expect_step(step_on({500}, 1000), Kind::relax, 1000, 500);
  expect_step(step_on({200, 1000, 500}, 1001), Kind::relax, 1001, 1000);
}

TEST(Path, CoarserThanTheCoarsestIsTightenedFromThere) {
  expect_step(step_on({500}, 499), Kind::tighten, 499, 500);
  expect_step(step_on({1000, 200, 500}, 1), Kind::tighten, 1, 200);
}

TEST(Path, WhatExistsIsShownAgain) {
  for (const std::uint64_t level : {200, 500, 1000}) {
    expect_step(step_on({500, 200, 1000}, level), Kind::existing, level, level);
  }
}

TEST(Path, BetweenTwoLevelsTheNextCoarserOneAnswers) {
  const std::vector<std::uint64_t> levels = {1000, 200, 500};
  expect_step(step_on(levels, 201), Kind::existing, 200, 200);
  expect_step(step_on(levels, 499), Kind::existing, 200, 200);
  expect_step(step_on(levels, 501), Kind::existing, 500, 500);
  expect_step(step_on(levels, 999), Kind::existing, 500, 500);
}

TEST(Path, TheEndsOfTheRange) {
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;  // epsilon 1e6
  expect_step(step_on({1}, kMost), Kind::relax, kMost, 1);
  expect_step(step_on({kMost}, 1), Kind::tighten, 1, kMost);
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
  std::array<std::uint64_t, 8> questions = {1, 2, 3, 3, 5, 6, 7, 8};
  constexpr std::uint64_t kFirst = 4;
  int orders = 0;
  do {
    Path path(kFirst);
    std::uint64_t coarsest = kFirst, finest = kFirst;
    for (const std::uint64_t epsilon : questions) {
      const PathStep step = path.ask(epsilon);
      ASSERT_LE(step.level.nano, epsilon);
      switch (step.kind) {
        case Kind::relax:
          ASSERT_EQ(step.from.nano, finest);
          ASSERT_EQ(step.level.nano, epsilon);
          finest = epsilon;
          break;
        case Kind::tighten:
          ASSERT_EQ(step.from.nano, coarsest);
          ASSERT_EQ(step.level.nano, epsilon);
          coarsest = epsilon;
          break;
        case Kind::existing:
          ASSERT_GE(epsilon, coarsest);
          ASSERT_LE(epsilon, finest);
          ASSERT_EQ(std::count(path.levels().begin(), path.levels().end(), step.level.nano), 1);
          // None that exists lies between the answer and the question.
          ASSERT_TRUE(std::none_of(path.levels().begin(), path.levels().end(),
                                   [&](std::uint64_t level) { return step.level.nano < level && level <= epsilon; }));
          break;
      }
    }
    ++orders;
  } while (std::next_permutation(questions.begin(), questions.end()));
  EXPECT_EQ(orders, 8 * 7 * 6 * 5 * 4 * 3 * 2 / 2);
}

// Asking everything again in any order changes nothing any more.
TEST(Path, AskedAgainNothingIsDrawn) {
  std::array<std::uint64_t, 6> questions = {1, 2, 3, 5, 6, 7};
  do {
    Path path(4);
    for (const std::uint64_t epsilon : questions) path.ask(epsilon);
    std::vector<PathStep> once;
    for (const std::uint64_t epsilon : questions) once.push_back(path.ask(epsilon));
    for (std::size_t i = questions.size(); i-- > 0;) {
      const PathStep again = path.ask(questions[i]);
      ASSERT_EQ(again.kind, Kind::existing);
      ASSERT_EQ(again.level, once[i].level);
    }
  } while (std::next_permutation(questions.begin(), questions.end()));
}

}  // namespace
}  // namespace dp::budget
