#include "guard/release/answered_as.h"

#include <algorithm>

#include "guard/release/release_node.h"

namespace dp::guard {
namespace {

// The law of the aggregate at another epsilon than the one that is asked.
mechanism::Law law_at(const aggregate::Call& call, mechanism::Epsilon epsilon) {
  if (epsilon == call.epsilon) return call.calibration.law;
  return mechanism::calibrate(call.mechanism, epsilon, call.changes, call.lattice).law;
}

mechanism::Law law_of_path(mechanism::Epsilon epsilon, noise::Uint128 sensitivity) {
  return noise::DiscreteLaplace{epsilon.per(sensitivity)};
}

}  // namespace

noise::Uint128 relaxable_sensitivity(const aggregate::Call& call) {
  const auto* const law = std::get_if<noise::DiscreteLaplace>(&call.calibration.law);
  if (call.coordinates == 0 || law == nullptr) return 0;
  const noise::Uint128 sensitivity = call.changes.times(noise::Uint128{1} << call.calibration.refinement).l1;
  // Rates of a path are epsilon/sensitivity. A discrete Laplace of another rate cannot be relaxed.
  const noise::Ratio rate = call.epsilon.per(sensitivity);
  return law->rate.num == rate.num && law->rate.den == rate.den ? sensitivity : 0;
}

AnsweredAs answered_anew(const ReleaseNode& node, int aggregate) {
  const aggregate::Call& call = node.gate->call(aggregate);
  return {call.form, call.calibration.law};
}

AnsweredAs answered_before(const ReleaseNode& node, int aggregate, const budget::StoredAnswer& answer,
                           const budget::ShownAggregate* shown) {
  if (shown != nullptr) {
    const budget::ReleasedAggregate& released = shown->part->aggregates[shown->aggregate];
    return {*budget::form_of(*shown), law_of_path(shown->epsilon, released.sensitivity)};
  }
  const budget::QuestionAggregate& stored = answer.question.aggregates[answer.places[aggregate]];
  if (stored.sensitivity != 0) return {stored.form, law_of_path(stored.epsilon, stored.sensitivity)};
  return {stored.form, law_at(node.gate->call(aggregate), stored.epsilon)};
}

AnsweredAs answered_now(const ReleaseNode& node, int aggregate) {
  if (node.reuse == nullptr) return answered_anew(node, aggregate);
  const budget::StoredAnswer& answer = *node.reuse->answer;
  AnsweredAs answered = answered_before(node, aggregate, answer, nullptr);
  const budget::QuestionAggregate& stored = answer.question.aggregates[answer.places[aggregate]];
  const mechanism::Epsilon asked = node.question->aggregates[aggregate].epsilon;
  const bool moves =
      node.reuse->way == Reuse::Way::shared || (node.reuse->way == Reuse::Way::finer && stored.epsilon < asked);
  if (moves && stored.sensitivity != 0) answered.law = law_of_path(asked, stored.sensitivity);
  // About as many in each group.
  const std::int64_t groups = std::max<std::int64_t>(node.groups->combinations(), 1);
  if (node.reuse->roll_up != nullptr)
    answered.summed = static_cast<int>(std::clamp<std::int64_t>((answer.rows + groups - 1) / groups, 1, PG_INT32_MAX));
  return answered;
}

}  // namespace dp::guard
