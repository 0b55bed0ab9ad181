#include "guard/release/reuse_steps.h"

#include <algorithm>

#include "budget/release/relax.h"
#include "guard/release/release_node.h"

namespace dp::guard {

mechanism::Epsilon asked_of(const ReleaseNode& node, int aggregate) {
  return node.question->aggregates[aggregate].epsilon;
}
mechanism::Epsilon held_of(const budget::StoredAnswer& answer, int aggregate) {
  return answer.question.aggregates[answer.places[aggregate].aggregate].epsilon;
}

namespace {

using budget::StoredAnswer;

bool is_fine_enough(const ReleaseNode& node, const StoredAnswer& answer) {
  for (int i = 0; i < node.question->size; ++i) {
    if (held_of(answer, i) < asked_of(node, i)) return false;
  }
  return true;
}

// The part of a release that holds the noise of the answer; nullptr where there is none any more, and where the answer
// has some of its aggregates only: what that was copied from can be made finer.
budget::ReleasePart* part_of(const StoredAnswer& answer) {
  if (answer.release == 0) return nullptr;
  ListCell* cell;
  foreach (cell, budget::read_parts(answer.release)) {
    auto* const part = static_cast<budget::ReleasePart*>(lfirst(cell));
    if (part->number == answer.part && part->groups == answer.rows && part->size == answer.question.size) return part;
  }
  return nullptr;
}

// An aggregate may be asked several times: once at the largest of the epsilons. Two draws from one level would be worth
// more than both their prices (core/noise/relaxation.h).
void want(Steps* steps, int aggregate, mechanism::Epsilon epsilon) {
  ListCell* cell;
  foreach (cell, steps->wanted) {
    auto& one = *static_cast<budget::WantedLevel*>(lfirst(cell));
    if (one.aggregate != aggregate) continue;
    one.epsilon = std::max(one.epsilon, epsilon);
    return;
  }
  steps->wanted = lappend(
      steps->wanted, new (palloc(sizeof(budget::WantedLevel))) budget::WantedLevel{steps->part, aggregate, epsilon});
}

// The role holds the answer: what is too coarse is relaxed, as far as it can be.
Steps steps_to_finer(const ReleaseNode& node, const StoredAnswer& answer) {
  Steps steps{part_of(answer), NIL, {}, true};
  for (int i = 0; i < node.question->size; ++i) {
    if (held_of(answer, i) >= asked_of(node, i)) continue;
    const int place = answer.places[i].aggregate;
    if (steps.part == nullptr || !steps.part->aggregates[place].relaxable()) return {};
    want(&steps, place, asked_of(node, i));
  }
  return steps;
}

// Another role holds it: aggregates with levels are brought to what is asked; others must be what is asked, and are
// paid for, as is the choice of groups and limits where no level pays for it.
Steps steps_to_shared(const ReleaseNode& node, const StoredAnswer& answer) {
  Steps steps{part_of(answer), NIL, {}, true};
  for (int i = 0; i < node.question->size; ++i) {
    const budget::QuestionAggregate& asked = node.question->aggregates[i];
    const int place = answer.places[i].aggregate;
    if (steps.part != nullptr && steps.part->aggregates[place].relaxable()) {
      want(&steps, place, asked.epsilon);
    } else if (held_of(answer, i) == asked.epsilon) {
      steps.others += node.gate->cost_of(i).times(node.inner_query.sets());
    } else {
      return {};
    }
  }
  const bool chose =
      steps.part != nullptr && !node.cost_of_choices().zero() && budget::knows_groups(*steps.part, node.roles[0]);
  if (steps.wanted == NIL && !chose) steps.others += node.cost_of_choices();
  return steps;
}

}  // namespace

Steps steps_of(const ReleaseNode& node, const Reuse& reuse) {
  switch (reuse.way) {
    case Reuse::Way::finer:
      return steps_to_finer(node, *reuse.answer);
    case Reuse::Way::shared:
      return steps_to_shared(node, *reuse.answer);
    default:
      return {nullptr, NIL, {}, true};
  }
}

const char* kind_of(const Reuse& reuse) { return reuse.way == Reuse::Way::shared ? "share" : "relax"; }

// What the steps charge; nothing where a level cannot be had.
std::optional<List*> price(const ReleaseNode& node, const Reuse& reuse, const Steps& steps) {
  if (!steps.possible) return std::nullopt;
  List* prices = NIL;
  if (steps.wanted != NIL &&
      !budget::price_levels(list_make1(steps.part), steps.wanted, node.roles[0], kind_of(reuse), &prices)) {
    return std::nullopt;
  }
  if (!steps.others.zero()) prices = list_concat(prices, node.entries(kind_of(reuse), steps.others, {}, 0));
  return prices;
}

// Conditions that exclude each other have one price together where they are asked, as limits have that are chosen from
// the same counts; and a level of each has its own.
static bool are_dearer_than_fresh(const ReleaseNode& node, List* prices) {
  const auto epsilon_of = [](List* entries) {
    std::int64_t epsilon = 0;
    for (const budget::Entry& entry : budget::entries_of(entries)) epsilon += entry.account.epsilon;
    return epsilon;
  };
  const bool together = node.inner_query.families != NIL || node.inner_query.same_rows != NIL;
  return together && epsilon_of(prices) > epsilon_of(node.charges(0));
}

bool serves(const ReleaseNode& node, const Reuse& reuse) {
  if (reuse.way == Reuse::Way::again) return is_fine_enough(node, *reuse.answer);
  const std::optional<List*> prices = price(node, reuse, steps_of(node, reuse));
  return prices && !are_dearer_than_fresh(node, *prices);
}

void charge_others(const ReleaseNode& node, const Reuse& reuse, const Steps& steps) {
  if (steps.others.zero()) return;
  const budget::FrozenWrites charged;
  budget::append(budget::entries_of(node.entries(kind_of(reuse), steps.others, {}, reuse.answer->release)));
  // Once: also where levels of the same groups are asked later.
  if (steps.part != nullptr && steps.wanted == NIL && !node.cost_of_choices().zero() &&
      !budget::knows_groups(*steps.part, node.roles[0])) {
    budget::note_groups(*steps.part, node.roles[0]);
  }
  charged.flush({"charged", "Nothing was answered. Ask again when the standby is there; that is charged again."});
}

}  // namespace dp::guard
