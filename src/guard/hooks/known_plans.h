// The plans of private queries that this session has sent as text more than once: the next time the statement runs as
// one that was prepared.
//
// A plan is used again for the same query (the same tree, in the same text but for comments), asked by the same user
// under the same settings, for a minute, and until anything changes that PostgreSQL tells its sessions of: tables,
// functions, types, statistics, budgets, roles. What else has to hold is judged when a plan starts, whoever made it and
// when.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

// A query that the planner was given.
struct AskedPlan {
  const Query* query;
  const char* text;
  bool may_be_known;
  std::uint64_t text_sum;  // of the text without its comments; what it finds is compared whole
  int options;
  ParamListInfo parameters;
  std::uint64_t changes;  // that this session had heard of before
};

AskedPlan asked_plan(const Query* query, const char* text, int options, ParamListInfo parameters);

// A plan of it, locked as after planning, in the current memory context; nullptr where none is known.
PlannedStmt* find_known_plan(const AskedPlan& asked);

// A copy of the query, which planning changes, where its plan is worth keeping: the text was asked before. Otherwise
// nullptr.
Query* copy_to_keep(const AskedPlan& asked);

// Keeps the plan of a private query, of which that is the copy, or where there is none, that its text was asked.
void keep_plan(const AskedPlan& asked, const Query* copy, const PlannedStmt* plan);

}  // namespace dp::guard
