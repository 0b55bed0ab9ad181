// Between which values the argument of a private call is counted: declared, those of public rows, or open.
//
// A sum of which nobody has said where its values end is asked with infinite bounds: what a privacy unit adds up to is
// limited privately, for a quarter of the price (aggregate/call/limit_choice.h). So are quantiles and the least and the
// greatest value, which are chosen among all numbers (core/accumulate/gaps.h) and need no limit.
#pragma once

#include "guard/relations/from_clause.h"
#include "guard/rewrite/value_bounds.h"

namespace dp::guard {

// How open calls are answered, in the words of EXPLAIN.
inline constexpr const char* kLimited = "sums are limited privately";
inline constexpr const char* kAmongAll = "chosen among all numbers";
inline constexpr const char* kFound = "a range is found privately for a quarter of epsilon";

class CallBounds {
 public:
  explicit CallBounds(const Sources& sources) : sources_(sources) {}

  // Of a value and the condition of the call, both over the tables (the latter may be nullptr): both ends, as a private
  // call takes them; NIL where they are not known, and `found` says why.
  List* ends(Node* value, Node* filter, ValueBounds* found);

  // The same of a call that is open: infinite ends, but for those that conditions say of a column. `found`: by ends();
  // `how`: what is answered so.
  List* open_ends(Node* value, Node* filter, const ValueBounds& found, const char* how);

  // Notes which years are meant of a moment over the tables, where nobody has said it (moments_as_numbers.h).
  void note_years(Node* moment);

  // Notes that an answer relies on what was found.
  void note(const ValueBounds& found) { texts_ = list_concat_unique(texts_, found.sources); }

  // String, for EXPLAIN.
  List* texts() const { return texts_; }

 private:
  void note_none(const Var* column, const char* how);

  const Sources& sources_;
  List* texts_ = NIL;
};

}  // namespace dp::guard
