// dp_mode: the most frequent of the listed categories, as far as that can be told privately.
//
// The utility of a category is its count. A row adds one to one count at most: all utilities change in the same
// direction, by one at most. So both laws of core/noise/selection.h are epsilon-DP at the rate epsilon per row (proof
// there). Without rows every category is as likely as the others.
#include <vector>

#include "aggregate/kinds/histogram.h"
#include "core/mechanism/candidate_selection.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

// (value, categories, epsilon [, mechanism])
Call* prepare_mode(const Arguments& arguments) {
  auto* const call = make_call<CategoriesCall>();
  fill_categories(call, arguments);
  mechanism::require_choice(call->mechanism);
  call->answer_type = call->categories.type;
  return call;
}

}  // namespace

DP_SQL_FUNCTION(dp_mode_answer) {
  const auto& call = answering_call<CategoriesCall>(fcinfo);
  const auto counts = final_counts(fcinfo, call);
  const std::vector<noise::Utility> utilities(counts.begin(), counts.end());
  const auto chosen =
      mechanism::choose(call.mechanism, utilities, call.epsilon.per(call.changes.l1), pg::random_bits());
  return pg::call([&] { return call.categories.copy(static_cast<int>(chosen)); });
}

const Support kMode{dp_categories_add, dp_mode_answer, prepare_mode, Release::choice};

}  // namespace dp::aggregate
