// Whatever is in the catalogue keeps its epsilon. This test names no mechanism: one that is added with a calibration
// that promises too much turns it red, whatever tests of its own it comes with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/mechanism/candidate_selection.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "core/planning/privacy_loss.h"
#include "support/enumeration.h"

namespace dp::test {
namespace {

using mechanism::Changes;
using mechanism::Epsilon;
using mechanism::Family;
using mechanism::Lattice;

constexpr double kEpsilons[] = {0.5, 1, 3};

// By how much one person changes each of the numbers that leave together, in steps of the lattice: one number by
// several amounts, and several numbers.
struct Case {
  Lattice lattice;
  std::vector<double> changes;
};
const std::vector<Case> kJointChanges = {
    {Lattice::integer, {1}},      {Lattice::integer, {2}},       {Lattice::integer, {10}}, {Lattice::integer, {20}},
    {Lattice::integer, {10, 10}}, {Lattice::integer, {1, 1, 1}}, {Lattice::fine, {10}},    {Lattice::fine, {10, 10}}};

Changes joint(const std::vector<double>& changes) {
  double l1 = 0, squares = 0, linf = 0;
  for (const double change : changes) {
    l1 += change;
    squares += change * change;
    linf = std::max(linf, change);
  }
  const auto whole = [](double x) { return static_cast<noise::Uint128>(std::ceil(x)); };
  return {static_cast<unsigned>(changes.size()), whole(l1), whole(std::sqrt(squares)), whole(linf)};
}

mechanism::Mechanism example_of(const Family& family) { return mechanism::parse(std::string(family.example)); }

// Whether the family adds noise; one that does not chooses among candidates.
bool adds_noise(const Family& family) {
  try {
    mechanism::require_choice(example_of(family));
  } catch (const Error&) {
    return true;
  }
  return family.name == "auto";  // it is both
}

std::string numbers(const std::vector<double>& changes) {
  std::string text;
  for (const double change : changes) text += " " + mechanism::decimal(change);
  return text;
}

class CataloguePrivacy : public testing::TestWithParam<const Family*> {};

// Whether the family gives an answer at all there. Some refuse several numbers, or changes that are no multiples of
// their step.
bool answers(const Family& family, double epsilon, const Case& at) {
  try {
    mechanism::calibrate(example_of(family), Epsilon::from(epsilon), joint(at.changes), at.lattice);
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST_P(CataloguePrivacy, NoiseLosesAtMostEpsilon) {
  const Family& family = *GetParam();
  if (!adds_noise(family)) return;
  int computed = 0, of_several = 0, several_answered = 0;
  for (const double epsilon : kEpsilons) {
    for (const Case& at : kJointChanges) {
      const bool several = at.changes.size() > 1;
      SCOPED_TRACE("epsilon " + std::to_string(epsilon) + " changes" + numbers(at.changes) +
                   (at.lattice == Lattice::fine ? ", fine lattice" : ""));
      double lost;
      try {
        lost = planning::privacy_loss(example_of(family), Epsilon::from(epsilon), at.changes, at.lattice);
      } catch (const Error&) {
        several_answered += several && answers(family, epsilon, at);
        continue;  // no answer at all, or too wide to enumerate; how many were computed is asked below
      }
      EXPECT_LE(lost, epsilon * (1 + 1e-12));
      computed += 1;
      of_several += several;
      several_answered += several;
    }
  }
  // What is never computed would pass.
  EXPECT_GE(computed, 6);
  EXPECT_GE(of_several, std::min(several_answered, 2));
}

// Enumerated over all bits to a depth: what is not finished by then widens the bounds, so that the test errs towards
// green by that.
TEST_P(CataloguePrivacy, AChoiceLosesAtMostEpsilon) {
  const Family& family = *GetParam();
  if (adds_noise(family) && family.name != "auto") return;
  const mechanism::Mechanism how = example_of(family);
  // One row more for each candidate in turn.
  const std::vector<noise::Utility> counts{2, 1, 1};
  for (const noise::Ratio rate : {noise::Ratio{1, 2}, noise::Ratio{1, 1}, noise::Ratio{2, 1}}) {
    const auto masses = [&](const std::vector<noise::Utility>& utilities) {
      return enumerate(18, [&](noise::BitSource& bits) { return mechanism::choose(how, utilities, rate, bits); });
    };
    const Real epsilon = Real(static_cast<int>(rate.num)) / static_cast<int>(rate.den);
    const Masses before = masses(counts);
    for (std::size_t more = 0; more < counts.size(); ++more) {
      std::vector<noise::Utility> changed = counts;
      ++changed[more];
      const Masses after = masses(changed);
      for (const auto& [choice, mass] : before.finished) {
        const Real other = after.finished.contains(choice) ? after.finished.at(choice) : Real(0);
        EXPECT_LE(mass, exp(epsilon) * (other + after.unfinished)) << "epsilon " << epsilon << " choice " << choice;
        EXPECT_LE(other, exp(epsilon) * (mass + before.unfinished)) << "epsilon " << epsilon << " choice " << choice;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, CataloguePrivacy, testing::ValuesIn(mechanism::catalogue()),
                         [](const auto& instance) { return std::string(instance.param->name); });

}  // namespace
}  // namespace dp::test
