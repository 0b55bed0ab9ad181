// Whether an expression can be NULL: by what its parts can be, and by the rows of its functions.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

class Nulls {
 public:
  // False only where it is certain not to be.
  bool may_be(Node* expression);

 protected:
  // `finite`: no column is infinite or NaN.
  explicit Nulls(bool finite) : finite_(finite) {}
  ~Nulls() = default;

  // Of a column, a subquery, or what else no part tells of.
  virtual bool leaf_may_be(Node* leaf) = 0;

 private:
  bool any_may_be(List* parts);
  bool all_may_be(List* parts);
  bool list_may_be(Oid op, List* parts);
  bool gives_value(Oid function, List* arguments) const;

  bool finite_;
};

// = <> < <= > >= of an order, which is NULL of NULL alone.
bool compares_values(Oid op);

}  // namespace dp::guard
