// The expressions of a finished plan, judged again by what admission judges them by.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

struct PlannedExpressions {
  List* declared;        // oid: types and collations of the columns of the tables read (objects.h)
  ParamListInfo values;  // of the inner query's parameters; nullptr: not known yet
  const Plan* node;      // of the plan, which has the expression; nullptr: it is none of a plan
};

// What the expression, or one of those in a list, holds that was not admitted; nullptr: nothing.
const char* find_unadmitted(Node* expression, const PlannedExpressions& context);

// Raises DP002 where the expression, or one of those in a list, holds what was not admitted.
void check_planned(Node* expression, const PlannedExpressions& context);

// Raises DP002: the plan holds that. It is no fault of whoever asks, unless he tries.
[[noreturn]] void refuse_planned(const char* what);

}  // namespace dp::guard
