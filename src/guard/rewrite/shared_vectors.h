// One release for several ordinary aggregates: those of one value under one condition are read off one noisy vector,
// which is drawn and paid once (aggregate/kinds/vector.cpp):
//
//   count(*), count(x), sum(x), avg(x)    of dp_totals(x, lower, upper, epsilon)
//   variance(x), stddev(x) and the like   with these of dp_moments(x, lower, upper, epsilon)
//
// With FILTER of a call with the same one. Of what is affine in x (affine_value.h), sum(x / 100), avg(2 * x + 1), x is
// the value. count(*) belongs to the vectors of all values under its condition, and is the mean of what they say,
// unless its error is asked.
//
// An aggregate that has no other beside it is answered by its own private form, whose error is no larger; but where
// answers are stored, what is a quotient of a vector's numbers, whose error is the same, so that later questions find
// the rest of them. Where a
// privacy unit has several rows a sum stays apart: dp_sum cuts what a unit adds up to, the vector takes a share of each
// of its rows.
#pragma once

#include "guard/relations/from_clause.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/private_calls.h"

namespace dp::guard {

struct SharedVector {
  Expr* value;      // as the level writes it
  Expr* filter;     // likewise; nullptr: none
  bool never_null;  // count(*) is count(value)
  bool moments;     // else totals
  List* calls;      // Aggref: what is read off it, different ones
  Aggref* bounded;  // one of them whose value needs bounds
  Aggref* made;     // the private call; nullptr until somebody has made it
  char* text;  // the calls, as they are written over the tables; nullptr where there is one, or it is not described
};

class SharedVectors {
 public:
  SharedVectors() = default;

  // Of the ordinary ones among the aggregates of a level over these tables. `sums`: whether sums may be read off a
  // vector. `described`: whether there are texts: subqueries in values have one only where levels are split from within.
  SharedVectors(const LevelAggregates& found, const Sources& sources, bool sums, bool described,
                const AnswerDefaults& defaults);

  bool none() const { return vectors_ == NIL; }

  // SharedVector*: those that the call is read off; NIL where it is answered alone.
  List* of(const Aggref* call) const;

  // Its calls are answered alone: nothing bounds its value.
  void drop(SharedVector* vector) { vectors_ = list_delete_ptr(vectors_, vector); }

  // String, for EXPLAIN: the text of each vector that has one; or why there is none.
  List* texts() const;

 private:
  List* vectors_ = NIL;
  char* why_none_ = nullptr;
};

// What the made vectors (SharedVector*) say in the place of the call, in its type.
Node* shared_answer(List* vectors, const Aggref* call);

// What the one vector says of it, as the vector has it.
Node* shared_part(List* vectors, const Aggref* call);

// dp_error of that part, as the error of the call.
Node* shared_error(FuncExpr* error, const Aggref* call);

}  // namespace dp::guard
