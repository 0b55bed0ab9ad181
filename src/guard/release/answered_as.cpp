#include "guard/release/answered_as.h"

#include <algorithm>

#include "aggregate/call/answer_datum.h"
#include "aggregate/call/limit_choice.h"
#include "guard/release/release_node.h"

namespace dp::guard {
namespace {

// The law of the aggregate at another epsilon than the one that is asked.
mechanism::Law law_at(const aggregate::Call& call, mechanism::Epsilon epsilon) {
  if (epsilon == call.epsilon) return call.calibration.law;
  return mechanism::calibrate(call.mechanism, epsilon, call.changes, call.lattice).law;
}

// All rows of each privacy unit count.
bool nothing_is_cut(const ReleaseNode& node) { return node.inner_query.limits == NIL; }

}  // namespace

const aggregate::VectorErrors* AnsweredAs::errors(double confidence) const {
  return part == aggregate::Part::whole ? aggregate::errors_of_vector(form, law, summed, confidence)
                                        : aggregate::errors_of_parts(form, law, summed, confidence);
}

Datum AnsweredAs::answer(noise::Int128View noisy, const aggregate::VectorErrors* errors, Oid type) const {
  return part == aggregate::Part::whole ? aggregate::answer_of(form, noisy, errors)
                                        : aggregate::part_of_answer(form, noisy, *errors, part, type);
}

IntegersOf* integers_anew(const ReleaseNode& node) {
  const int count = node.gate->size();
  auto* const all = static_cast<IntegersOf*>(palloc(sizeof(IntegersOf) * static_cast<Size>(count + 1)));
  int first = 0;
  for (int i = 0; i < count; ++i) {
    all[i] = {first, node.gate->call(i).coordinates};
    first += all[i].count;
  }
  return all;
}

AnsweredAs answered_anew(const ReleaseNode& node, int aggregate) {
  const aggregate::Call& call = node.gate->call(aggregate);
  const auto cut = nothing_is_cut(node) ? std::optional(0.0) : aggregate::cut_by_limit(call);
  return {call.form, call.calibration.law, 1, aggregate::Part::whole, cut};
}

AnsweredAs answered_before(const ReleaseNode& node, int aggregate, const budget::StoredAnswer& answer,
                           const budget::ShownAggregate* shown) {
  const auto [place, part] = answer.places[aggregate];
  const auto cut = nothing_is_cut(node) ? std::optional(0.0) : std::nullopt;
  if (shown != nullptr) {
    const budget::ReleasedAggregate& released = shown->part->aggregates[shown->aggregate];
    return {*budget::form_of(*shown), released.path.law(shown->epsilon), 1, part, cut};
  }
  const budget::QuestionAggregate& stored = answer.question.aggregates[place];
  if (stored.path.exists()) return {stored.form, stored.path.law(stored.epsilon), 1, part, cut};
  return {stored.form, law_at(node.gate->call(aggregate), stored.epsilon), 1, part, cut};
}

AnsweredAs answered_now(const ReleaseNode& node, int aggregate) {
  if (node.reuse == nullptr) return answered_anew(node, aggregate);
  const budget::StoredAnswer& answer = *node.reuse->answer;
  AnsweredAs answered = answered_before(node, aggregate, answer, nullptr);
  const budget::QuestionAggregate& stored = answer.question.aggregates[answer.places[aggregate].aggregate];
  const mechanism::Epsilon asked = node.question->aggregates[aggregate].epsilon;
  const bool moves =
      node.reuse->way == Reuse::Way::shared || (node.reuse->way == Reuse::Way::finer && stored.epsilon < asked);
  if (moves && stored.path.exists()) answered.law = stored.path.law(asked);
  // About as many in each group.
  const std::int64_t groups = std::max<std::int64_t>(node.groups->combinations(), 1);
  if (node.reuse->roll_up != nullptr)
    answered.summed = static_cast<int>(std::clamp<std::int64_t>((answer.rows + groups - 1) / groups, 1, PG_INT32_MAX));
  return answered;
}

}  // namespace dp::guard
