// Ordinary aggregates of two columns, corr(y, x), regr_slope(y, x) and the like: all that a level asks of the same
// pairs under the same condition is read off one noisy vector, which is drawn and paid once
// (aggregate/kinds/pairs.cpp):
//
//   regr_count, regr_avgx, regr_avgy, regr_sxy, covar_pop, covar_samp    of dp_covariance(y, x, ..., epsilon)
//   with these corr, regr_r2, regr_slope and the others of squares       of dp_regression(y, x, ..., epsilon)
//
// With x and y exchanged as well, but for slope and intercept; and count(*) under the same condition, if no vector of
// one column says it. An aggregate that is alone is answered by its own private form.
#pragma once

#include "guard/rewrite/call_bounds.h"
#include "guard/rewrite/private_calls.h"
#include "guard/rewrite/shared_vectors.h"

namespace dp::guard {

// Whether dp_corr or another of ours is called that.
bool is_form_of_pairs(const char* name);

class PairCalls {
 public:
  // Of a level over these tables. `bounds`: where it is noted what an answer relies on.
  PairCalls(const Sources& sources, const AnswerDefaults& defaults, CallBounds* bounds)
      : sources_(sources), defaults_(defaults), bounds_(bounds) {}

  // Lets those be read off one vector that can. `ordinary`: Aggref, of the level. `vectors`: those of one column.
  void share(List* ordinary, const SharedVectors& vectors);

  // Calls as the level sees them.

  // What stands in the place of an ordinary one: a private call, or a part of one; nullptr where it is none of these.
  // Raises DP002 where nothing says between which values a column lies.
  Node* answer(const Aggref* call);

  // A private call that lacks bounds or epsilon with what is declared; nullptr where it lacks something else.
  Aggref* completed(const Aggref* call);

  // String, for EXPLAIN: the calls of each vector.
  List* texts() const;

 private:
  List* ends_of(const Aggref* call, Expr* y, Expr* x);
  Aggref* made(const Aggref* call, const char* name, Expr* y, Expr* x);

  const Sources& sources_;
  const AnswerDefaults& defaults_;
  CallBounds* bounds_;
  List* shared_ = NIL;
};

}  // namespace dp::guard
