// What is known of the values of an expression, from the forms of its parts: between which numbers they lie, how many
// characters they have. One walk for what is proven and for what is declared; they differ in what they know of columns.
//
// Nothing private rests on what is declared: a private aggregate clamps its values to the bounds that come out.
// Admission rests on what is proven (facts/proven_numbers.h).
#pragma once

#include <limits>
#include <optional>

#include "budget/policy/domains.h"
#include "core/bounds/interval.h"
#include "core/bounds/meaning.h"
#include "guard/facts/form.h"
#include "guard/facts/known.h"
#include "pg/planner.h"

namespace dp::guard {

// Beyond all that a number without bounds may be.
inline constexpr bounds::Number kEndless = std::numeric_limits<double>::max();

class Evaluator {
 public:
  // Numbers as they are, true as 1; dates in days, timestamps and the time between them in microseconds, since 2000.
  virtual bounds::Bounds of(Node* expression);

  // The values that a column can have, where these are public; else the column is noted as one that nothing is known
  // of.
  virtual std::optional<budget::Domain> values_of(Var*) { return std::nullopt; }

 protected:
  explicit Evaluator(Sound sound) : sound_(sound) {}
  ~Evaluator() = default;

  // Of what no part tells.
  virtual bounds::Bounds of_leaf(Node* leaf) = 0;

  // Whether the condition holds for no row.
  virtual bool is_never(Node*) { return false; }

  // Of a number without bounds, beside which GREATEST or LEAST has others: as far as its ends may be (kEndless).
  virtual bounds::Bounds of_endless(Node*) { return std::nullopt; }

  // Of the value of a call, also where its type does not hold it.
  bounds::Bounds of_call(Oid function, List* arguments, Oid type);

  // One of these.
  bounds::Bounds of_one(List* nodes);

 private:
  bounds::Bounds of_constant(const Const* constant) const;
  bounds::Bounds of_choice(const Expression& choice);
  bounds::Bounds of_extreme(bool greatest, List* parts);

  // As an argument is looked at: what can be computed is.
  Node* argument(List* arguments, int number) const;
  Node* known(Node* node) const;

  // An argument that may be NaN or infinite makes a sign or a rest that is no number either: nothing is proven of it.
  bool is_unproven(const bounds::Bounds& argument) const { return sound_ == Sound::proven && !argument; }

  bounds::Bounds of_buckets(List* arguments);
  bounds::Bounds of_numbers(bounds::Meaning meaning, Oid type, List* arguments);

  Sound sound_;
};

}  // namespace dp::guard
