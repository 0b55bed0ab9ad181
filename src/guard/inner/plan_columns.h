// The columns of a finished plan are columns of what its nodes read.
//
// The executor compares a column's type with that of the row when the first row gets to it, and raises an error where
// they differ; a row that is too wide is an error when it is made. Neither comes of what somebody asks, only of a
// fault in the rewriting or the planning, and then the rows would decide whether there is an error. So both are found
// before the charge, as a fault of ours: XX000, nothing is charged, no account is closed, and what it was stands in the
// server's log alone.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

struct PlanOfQuery {
  const PlannedStmt* plan;
  const InnerQuery* inner_query;
};

// Of the row that the node makes: how many there are.
void check_row(const Plan* node);

// Each column in the expression of the node, or in a list of these: it is one, and of that type, of the table that the
// node scans (there with its modifier and collation, and not dropped), of the public rows that it scans, or of the rows
// of the nodes below it.
void check_columns(Node* expression, const Plan* node, const PlanOfQuery& of);

// The same for an expression over the row that the node has just made.
void check_own_columns(Node* expression, const Plan* node);

}  // namespace dp::guard
