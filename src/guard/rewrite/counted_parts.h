// count(*) beside counts of some of its rows: the count of these and that of the rest, which exclude each other
// (exclusive_arms.h), so that all of them have the price of one:
//
//   beside count(*) FILTER (WHERE paid)    count(*) FILTER (WHERE paid) + count(*) FILTER (WHERE paid IS NOT TRUE)
//   beside count(cost)                     count(*) FILTER (WHERE cost IS NOT NULL) + ... (WHERE cost IS NULL)
//
// With n parts the noise of count(*) is that of n + 1 counts, √(n + 1) times as large. Of up to three parts all answers
// are at least as exact as those of two releases at half of the price each, so it is done for these.
//
// An average of values without bounds has a count of them beside it, which is such a part (open_means.h).
#pragma once

#include "guard/rewrite/private_calls.h"
#include "guard/rewrite/shared_vectors.h"

namespace dp::guard {

// count(*) of the call's level under that condition, as an ordinary aggregate.
Aggref* rows_where(const Aggref* call, Node* condition);

// The condition, if there is one, and that the value IS NULL, or IS NOT NULL.
Node* with_null_test(Expr* filter, Expr* value, NullTestType type);

// What private counts (Aggref) that exclude each other say of all their rows: the answer, which is not negative; and
// dp_error or dp_bias of it.
Node* sum_of_counts(List* counts);
Node* error_of_counts(const FuncExpr* error, List* counts);

class CountedParts {
 public:
  CountedParts() = default;

  // Of the ordinary aggregates of a level over these tables, as the level sees them. `vectors`: what is read off these
  // is not counted apart.
  CountedParts(List* ordinary, const Sources& sources, const SharedVectors& vectors);

  // Whether the call is the count of all rows, and answered by its parts.
  bool splits(const Aggref* call) const { return parts_ != NIL && equal(call, whole_); }

  // The call itself; of a count of values that is a part, or that counts all rows beside count(*), the count of rows.
  const Aggref* as_rows(const Aggref* call) const;

  // Aggref: the private counts that count all rows.
  List* counts(const AnswerDefaults& defaults) const;

 private:
  Aggref* whole_ = nullptr;
  Aggref* rest_ = nullptr;
  List* parts_ = NIL;   // Aggref, over FILTER
  List* values_ = NIL;  // Aggref: counts of values, and in `rows_` what counts the same rows
  List* rows_ = NIL;
};

}  // namespace dp::guard
