// Which ordinary aggregates of a level are answered by the same private call, and so have one price: for EXPLAIN.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

class SameCalls {
 public:
  // An ordinary call and the private one, both as the level sees them.
  void note(const Aggref* call, const Aggref* made);

  // String: the ordinary calls, over these tables, of each private one that has several.
  List* texts(const Sources& sources) const;

 private:
  List* made_ = NIL;   // Aggref: different ones
  List* calls_ = NIL;  // List of Aggref, different ones: of each of these
};

}  // namespace dp::guard
