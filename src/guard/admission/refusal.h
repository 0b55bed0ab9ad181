// Refusals of a query on a protected table: SQLSTATE DP002, one sentence that names the offending part, its position,
// and a hint with a form that is admitted: its first line, the shortest, is shown in the message (pg/errors.cpp); other
// ways follow in a second one, which begins with "Or".
#pragma once

#include "pg/errors.h"
#include "pg/planner.h"

namespace dp::guard {

// The statement that is being planned, so that refusals can point into its text and speak of its epsilon.
struct RefusedStatement {
  const Query* query = nullptr;
  const char* text = nullptr;
};
inline RefusedStatement refused_statement;

// The epsilon that examples in hints are written with: that of the statement's first private aggregate, where it is a
// constant; else that of the session; else 0.5.
const char* example_epsilon();

// Points the error that is being raised to a node's location (-1: unknown) in that text. A part of ereport's arguments.
int point_at(int location);

}  // namespace dp::guard

// refuse(location, errmsg(...), errhint(...)): raises DP002.
#define DP_REFUSE(location, ...) \
  ereport(ERROR, (errcode(dp::pg::kNotAdmissible), __VA_ARGS__, dp::guard::point_at(location)))
