// What an inner query reads of privacy units that have several rows, before some of them are chosen.
#pragma once

#include "guard/unit_limit/contribution_bounds.h"
#include "pg/planner.h"

namespace dp::guard {

struct LimitedRows {
  Query* query;
  int count_column;  // as in InnerQuery
  Var* unit;
  List* keys;  // Expr: the group keys
  bool one_group;
  ContributionBounds limits;
};

}  // namespace dp::guard
