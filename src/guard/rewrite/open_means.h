// Averages in ordinary SQL of values without bounds (call_bounds.h): the quotient of a sum and a count, each at half of
// the price. Sums and counts of the same value under the same condition in the same level are these. count(*) under
// that condition is that count and one of the rows without a value, which have one price (counted_parts.h).
#pragma once

#include "guard/rewrite/call_bounds.h"
#include "guard/rewrite/private_calls.h"

namespace dp::guard {

struct OpenMean {
  const Aggref* average;  // as the level writes it
  Aggref* sum;            // the private calls
  Aggref* count;
  List* rows;  // Aggref: the private counts of all rows under its condition; NIL: it does not say how many
};

// The averages among the ordinary aggregates of a level whose value and condition are those of the call, which is an
// average itself, a sum or a count; of count(*) all under its condition.
List* averages_of(List* ordinary, const Aggref* call);

class OpenMeans {
 public:
  // `ordinary`: of a level over these tables. `bounds`: where it is noted what an answer relies on.
  OpenMeans(List* ordinary, const Sources& sources, const AnswerDefaults& defaults, CallBounds* bounds)
      : ordinary_(ordinary), sources_(sources), defaults_(defaults), bounds_(bounds) {}

  // The one that answers for the call, as the level sees it; nullptr: none does.
  const OpenMean* of(const Aggref* call);

 private:
  OpenMean* of_average(const Aggref* average);
  OpenMean made(const Aggref* average, List* ends) const;

  List* ordinary_;
  const Sources& sources_;
  const AnswerDefaults& defaults_;
  CallBounds* bounds_;
  List* means_ = NIL;  // OpenMean*: of each average that was looked at; without calls where its value has bounds
};

// What they say in the place of the call (says), in its type.
Node* open_answer(const OpenMean& mean, const Aggref* call);

// dp_error, or dp_bias, of the call. An average misses by about the root of the squares of what both miss by.
Node* open_error(const OpenMean& mean, FuncExpr* error, const Aggref* call);

}  // namespace dp::guard
