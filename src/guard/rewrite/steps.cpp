#include "guard/rewrite/steps.h"

#include <span>

#include "guard/rewrite/answer_quotients.h"
#include "guard/rewrite/common_rows.h"
#include "guard/rewrite/correlated_answers.h"
#include "guard/rewrite/distinct_casts.h"
#include "guard/rewrite/distinct_rows.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/first_per_unit.h"
#include "guard/rewrite/per_unit_joins.h"
#include "guard/rewrite/recursive_terms.h"
#include "guard/rewrite/rounded_now.h"
#include "guard/rewrite/sublink_joins.h"
#include "guard/rewrite/unread_ctes.h"
#include "guard/rewrite/window_levels.h"
#include "guard/rewrite/zero_offsets.h"
#include "guard/tree/valid_tree.h"

namespace dp::guard {
namespace {

struct Step {
  const char* name;
  Traits concerns;  // of a statement that has none of these it leaves everything as it is
  void (*take)(Query* statement);
};

// What is written in a form that is asked by another one, in this order, before any level is looked at by itself.
constexpr Step kSteps[] = {
    // Whatever is made of now() later is made of the rounded one.
    {"round_now", Trait::clock, round_now},
    // What nobody reads is nothing to any other step.
    {"leave_out_unread_ctes", Trait::ctes, leave_out_unread_ctes},
    {"refuse_questions_of_recursion", Trait::recursion, refuse_questions_of_recursion},
    // A subquery with OFFSET is more than a choice of rows to all that follow.
    {"take_out_zero_offsets", Trait::offsets, take_out_zero_offsets},
    {"count_rows_as_texts", Trait::distinct_calls, count_rows_as_texts},
    {"count_without_casts", Trait::distinct_calls, count_without_casts},
    // All that look for subqueries in conditions look into WHERE.
    {"ask_in_where", Trait::sublinks, ask_in_where},
    // Before LATERAL is looked at for itself: that which computes of one person is such a question, too.
    {"join_per_unit", Trait::queries, join_per_unit},
    {"join_first_per_unit", Trait::laterals, join_first_per_unit},
    // Makes subqueries in conditions, and reads what those before it have made.
    {"write_as_conditions", Trait::set_operations, write_as_conditions},
    {"group_correlated_answers", Trait::sublinks, group_correlated_answers},
    {"take_windows_to_groups", Trait::queries, take_windows_to_groups},
};

// dp.private_form shows now() as it was written.
constexpr std::span<const Step> kShownSteps = std::span(kSteps).subspan(1);

// In builds with assertions: that a step has nothing to do where it is left out.
template <class Take>
void assert_idle([[maybe_unused]] const Query* statement, [[maybe_unused]] Take take) {
#ifdef USE_ASSERT_CHECKING
  auto* const copy = static_cast<Query*>(copyObjectImpl(statement));
  take(copy);
  Assert(equal(copy, statement));
#endif
}

// What one has made may concern the next.
Traits take(std::span<const Step> steps, Query* statement, Traits traits) {
  for (const Step& step : steps) {
    if (!traits.has_any(step.concerns)) {
      assert_idle(statement, step.take);
      continue;
    }
    step.take(statement);
    assert_valid(statement, TreeAround::within(NIL, 0), step.name);
    traits = traits_of(statement);
  }
  return traits;
}

}  // namespace

Traits take_steps(Query* statement, Traits traits) { return take(kSteps, statement, traits); }

Traits take_steps_to_show(Query* statement) { return take(kShownSteps, statement, traits_of(statement)); }

void take_last_steps(Query* statement, Traits written, const InnerQueries& inner_queries) {
  const Traits above = traits_above(statement, inner_queries);
  const auto divide = [&](Query* query) { divide_by_answers(query, inner_queries); };
  // Answers that an inner query compares with stand beside it, and come from other queries of the statement.
  if (above.has_any(Trait::failing_calls) || written.has_any(Trait::queries)) {
    divide(statement);
  } else {
    assert_idle(statement, divide);
  }
  if (above.has_any(Trait::calls_of_others)) {
    require_no_error_call(statement);
  } else {
    assert_idle(statement, require_no_error_call);
  }
}

}  // namespace dp::guard
