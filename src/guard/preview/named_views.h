// Views in a text that is shown: named, as whoever asks has named them, in place of what they say.
//
// What is read through a view is read as its owner. Written out, its tables would be read as the one who runs the text.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The views that a query reads from, as they were before private calls were written into it.
class NamedViews {
 public:
  explicit NamedViews(Query* query);

  // Names them again in the query, in place. A view into which calls were written is left written out if its tables are
  // read as the current role; otherwise it is named, too, and does not show them.
  void name_in(Query* query) const;

 private:
  List* bodies_ = NIL;  // Query
};

}  // namespace dp::guard
