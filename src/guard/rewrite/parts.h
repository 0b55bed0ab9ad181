// The parts of an expression whose bounds are looked for.
#pragma once

#include <optional>

#include "budget/policy/domains.h"
#include "core/bounds/interval.h"
#include "pg/planner.h"

namespace dp::guard {

class Parts {
 public:
  // Dates in days, timestamps and the time between them in microseconds, since 2000.
  virtual bounds::Bounds of(Node* expression) = 0;

  // The values that a column can have, where these are public; else the column is noted as one that nothing is known
  // of.
  virtual std::optional<budget::Domain> values_of(Var* column) = 0;

 protected:
  ~Parts() = default;
};

}  // namespace dp::guard
