// dp_error(answer, confidence): how far a private answer of the same query level may be off by its noise.
// dp_bias(answer): how much of it the limit of a privacy unit has cut.
//
// They are no calls that run: the answer is a private aggregate, and the release node above it, which knows the noisy
// numbers, the law of their noise and the limit, fills in what is asked beside it. So it is the same draw and the same
// charge.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether a function that is none of PostgreSQL's own is the extension's function of either name, whatever the search
// path says.
bool is_error_function(Oid function);

// Asked of each node of a query.
inline bool is_error_call(const Node* node) {
  if (!IsA(node, FuncExpr)) return false;
  const Oid function = reinterpret_cast<const FuncExpr*>(node)->funcid;
  return function >= FirstNormalObjectId && is_error_function(function);
}

// Whether it is dp_bias.
bool asks_bias(const FuncExpr* call);

// What it is asked of, as it was written: an aggregate, or something else.
Node* answer_of_error(const FuncExpr* call);

// The aggregate of which that is the answer, or a field of it: `field` of a record, 0 for the whole; nullptr: it is
// something else.
struct ErrorOf {
  Aggref* aggregate;
  int field;
};
ErrorOf asked_error(const FuncExpr* call);

// The private call in what was made of that aggregate. Raises DP002 where there is none, because it is answered without
// noise.
Aggref* noisy_within(Node* made, const Aggref* aggregate, int location);

// The confidence; 0.95 where it was left out, and NULL of dp_bias, which has none. float8.
Node* confidence_of_error(const FuncExpr* call);

// Raises DP002 where such a call is left in the query, after its levels with private answers have been split: of
// something else than an aggregate over a protected table.
void require_no_error_call(Query* query);

}  // namespace dp::guard
