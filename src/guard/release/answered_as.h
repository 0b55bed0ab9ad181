// How an aggregate of a release node was answered: the form of its answer and the law of its noise, as it is answered
// anew, or as a stored answer was that holds it, itself or as a part.
#pragma once

#include "aggregate/call/call.h"
#include "aggregate/call/vector_datum.h"
#include "budget/answers/stored_answers.h"
#include "budget/release/relax.h"
#include "core/mechanism/law.h"

namespace dp::guard {

struct ReleaseNode;

struct AnsweredAs {
  aggregate::Form form;
  mechanism::Law law;
  int summed = 1;                                 // its integers are sums of so many, each with noise of that law
  aggregate::Part part = aggregate::Part::whole;  // what of that answer is shown
  std::optional<double> cut = std::nullopt;       // what was left out, beside each part of it that counts; as is known

  // What the integers of one answer say may need it.
  const aggregate::VectorErrors* errors(double confidence = aggregate::kUsualConfidence) const;

  // The answer that these integers give, of that type.
  Datum answer(noise::Int128View noisy, const aggregate::VectorErrors* errors, Oid type) const;
};

// Where the integers of an answer stand among those of a row.
struct IntegersOf {
  int first;
  int count;  // 0: it has no noise

  noise::Int128View in(const noise::Int128* row) const { return {row + first, static_cast<std::size_t>(count)}; }
};

// Those of the aggregates of a node that are answered anew, one after the other. Palloc'd.
IntegersOf* integers_anew(const ReleaseNode& node);

// That aggregate of the node (from 0), which has noise, answered anew.
AnsweredAs answered_anew(const ReleaseNode& node, int aggregate);

// As it stands in the stored answer; `shown`: the level of its release that stands in the place of that, or nullptr.
AnsweredAs answered_before(const ReleaseNode& node, int aggregate, const budget::StoredAnswer& answer,
                           const budget::ShownAggregate* shown);

// As the node will answer it, by the way that it goes.
AnsweredAs answered_now(const ReleaseNode& node, int aggregate);

}  // namespace dp::guard
