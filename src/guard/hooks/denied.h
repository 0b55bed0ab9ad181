// No plan for the denied: a role that may not read a protected table is refused before its statement is planned.
//
// PostgreSQL plans first and checks permissions when the plan starts. A plan is made from statistics, and it shows: in
// debug_print_plan, in the choice between generic and custom plans, in what functions of the asker's see while they are
// folded.
#pragma once

#include "pg/permissions.h"

namespace dp::guard {

// Raises PostgreSQL's own "permission denied" (42501) where the query, at any depth, names a protected table, or one
// with a protected table above or below it, that the role whose permissions hold may not use in this way. The inner
// queries of private queries must have been replaced before. Private aggregates over a table without a budget are
// refused as well (42501), and those with OVER (DP002).
void refuse_denied(Query* query);

// The hint that "permission denied" gets where one of these tables (pg::Permissions), whose permissions do not suffice,
// is protected, in the execution of that plan (nullptr: none yet); nullptr otherwise.
const char* hint_of_denied(List* tables, const PlannedStmt* plan);

}  // namespace dp::guard
