// Sums and averages of multiples of one value under one condition, sum(a), sum(a * 2), avg(-a), where they are no part
// of a vector (shared_vectors.h): each is the multiple of the one about the value, which so is asked and paid once.
//
// Cut to the multiple of a range, or of what a unit may add up to, is the multiple of what is cut; so it is the same
// answer. Not so where no range is known and the factor is far from 1: there values count in steps of their own.
#pragma once

#include "guard/rewrite/affine_value.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/call_bounds.h"

namespace dp::guard {

class Multiples {
 public:
  // Of a level over these tables. `bounds`: where it is noted what an answer relies on.
  Multiples(const LevelAggregates& found, const Sources& sources, CallBounds* bounds);

  // What a call asks a multiple of, if another call of the level asks a multiple of it as well; else its own value.
  // `seen`: the call as the level sees it.
  AffineValue of_sum(const Aggref* call, const Aggref* seen) const;

 private:
  struct Entry {
    const Aggref* call;
    Expr* value;  // of which it sums a multiple
  };

  bool is_open(const Aggref* seen, Expr* value) const;

  const Sources& sources_;
  CallBounds* bounds_;
  List* sums_ = NIL;  // Entry*
};

}  // namespace dp::guard
