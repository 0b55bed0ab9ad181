// Between which numbers an expression over the tables of a level lies, found from its form and from what is public of
// its columns: declared ranges, constraints, the level's conditions.
//
// Nothing private rests on it: a private aggregate clamps its values to the bounds that come out.
#pragma once

#include "core/bounds/interval.h"
#include "guard/tables/from_clause.h"

namespace dp::guard {

struct ValueBounds {
  bounds::Bounds bounds;   // of numbers as they are; true is 1; dates in days, timestamps in microseconds since 2000
  List* sources = NIL;     // String: which columns have which ranges, for EXPLAIN
  Var* open = nullptr;     // the first column that has none
  bool by_limits = false;  // that the privacy unit's limits cut what a person has was needed
};

// What is known of a column beside what is declared, or of a parameter.
struct KnownColumn {
  const Node* column;
  bounds::Bounds bounds;
};

// `expression` is one over the tables of `sources`; `filter` is a condition over them (or nullptr) that holds for its
// rows as those of the sources do. `known`: KnownColumn*.
ValueBounds bounds_of(Node* expression, Node* filter, const Sources& sources, List* known = NIL);

// The same of an expression that reads these columns alone, and constants.
bounds::Bounds bounds_of_known(Node* expression, List* known);

// Between which values comparisons with constants let a column be; infinite where they do not say.
struct Limits {
  double lower, upper;
};
Limits limits_of(const Var* column, Node* filter, const Sources& sources);

// One that an aggregate can take: it needs different ends.
bounds::Interval widened(bounds::Interval interval);

}  // namespace dp::guard
