// Between which numbers an expression over the tables of a level lies, found from its form and from what is public of
// its columns: declared ranges, constraints, the level's conditions.
//
// Nothing private rests on it: a private aggregate clamps its values to the bounds that come out.
#pragma once

#include "core/bounds/interval.h"
#include "guard/facts/known.h"
#include "guard/relations/from_clause.h"

namespace dp::guard {

struct ValueBounds {
  Known<Sound::declared, bounds::Interval>
      bounds;              // of numbers as they are; true is 1; of moments as an Evaluator has it
  List* sources = NIL;     // String: which columns have which ranges, for EXPLAIN
  Var* open = nullptr;     // the first column that has none
  bool by_limits = false;  // that the privacy unit's limits cut what a person has was needed
};

struct Ends {
  double lower, upper;
};

// What is known of a column beside what is declared, or of a parameter. It lies in PostgreSQL's memory, which is not
// aligned for a bounds::Number.
struct KnownColumn {
  const Node* column;
  std::optional<Ends> ends;
};

// `expression` is one over the tables of `sources`; `filter` is a condition over them (or nullptr) that holds for its
// rows as those of the sources do. `known`: KnownColumn*.
ValueBounds bounds_of(Node* expression, Node* filter, const Sources& sources, List* known = NIL);

// Of one about whose values nothing is known.
ValueBounds unbounded(Node* expression);

// The same of an expression that reads these columns alone, and constants.
bounds::Bounds bounds_of_known(Node* expression, List* known);

// Between which values comparisons with constants let a column be; infinite where they do not say.
struct NumberRange {
  bounds::Number lower, upper;
};
NumberRange number_range_of(const Var* column, Node* filter, const Sources& sources);

// As an aggregate takes them: different ones.
Ends ends_of(const bounds::Interval& interval);

}  // namespace dp::guard
