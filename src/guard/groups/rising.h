// Which expressions only go up, or only go down, where a moment that they are computed from goes up.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

struct Rise {
  int direction;  // 1: up, -1: down, 0: neither, or that is not known
  // So far apart (microseconds) are at most two moments of which it takes the later one for the earlier.
  std::int64_t margin;
};

// Of the expression, which reads one column, of moments, where it is compared with a value of the type `other`. `near`:
// a moment (of the column, in microseconds) beside which the margin is asked for. What reads no row is a constant.
Rise rise_with_moment(Node* expression, Oid other, std::int64_t near);

}  // namespace dp::guard
