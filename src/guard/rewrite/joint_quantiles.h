// Several quantiles of one value under one condition in a level: one list of fractions, dp_quantiles(x, ARRAY[...],
// lower, upper, epsilon), at the price of one answer.
#pragma once

#include "guard/rewrite/private_calls.h"

namespace dp::guard {

struct JointQuantiles {
  Expr* value;      // as the level writes it, without a cast of whole numbers
  Expr* filter;     // likewise; nullptr: none
  List* calls;      // const Aggref*: at least two, of numbers
  List* fractions;  // Expr, float8: those of the calls from below, different ones
  Aggref* made;     // nullptr until somebody has made it
};

// JointQuantiles*: of the ordinary aggregates (Aggref) of a level.
List* joint_quantiles(List* ordinary);

// The one to which the call belongs; nullptr: it is answered alone.
JointQuantiles* quantiles_of(List* joint, const Aggref* call);

// String, for EXPLAIN: the calls of each, which are of a level over these tables.
List* texts_of_quantiles(List* joint, const Sources& sources);

// Makes the private call, between these bounds (float8, both ends).
void make_quantiles(JointQuantiles* joint, List* ends, const AnswerDefaults& defaults);

// What the made call says in the place of that one, as a float8.
Node* joint_quantile(const JointQuantiles& joint, const Aggref* call);

}  // namespace dp::guard
