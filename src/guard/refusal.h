// Refusals of a query on a protected table: SQLSTATE DP002, one sentence that names the offending part, its position, and a hint
// with a form that is admitted.
#pragma once

#include "pg/errors.h"
#include "pg/planner.h"

namespace dp::guard {

// The text of the statement that is being planned, so that refusals can point into it. Restores the outer one when it goes.
class PlannedText {
 public:
  explicit PlannedText(const char* text);
  ~PlannedText();
  PlannedText(const PlannedText&) = delete;
  PlannedText& operator=(const PlannedText&) = delete;

 private:
  const char* outer_;
};

// Points the error that is being raised to a node's location (-1: unknown) in that text. A part of ereport's arguments.
int point_at(int location);

}  // namespace dp::guard

// refuse(location, errmsg(...), errhint(...)): raises DP002.
#define DP_REFUSE(location, ...) \
  ereport(ERROR, (errcode(dp::pg::kNotAdmissible), __VA_ARGS__, dp::guard::point_at(location)))
