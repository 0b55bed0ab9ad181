// Privacy units: whose the rows of a protected table are.
#pragma once

#include "budget/policy/accounts.h"

namespace dp::budget {

// What one unit may contribute at most: rows, groups, and the rows of all its groups together.
inline constexpr std::int32_t kMostOfUnit = 1'000'000;

// The arguments privacy_unit, max_rows_per_unit, max_groups_per_unit and max_rows_per_group, from that one on, and
// `limits`. What is not named is as `before`, but a limit of one kind replaces those of the other; -1 takes a limit
// away, limits => 'auto' all of them, and an empty privacy_unit the unit. Another unit begins without limits: how much
// of it counts is then chosen for each answer (aggregate/call/limit_choice.h). Raises 22023 for what does not fit
// together, 42703 for a column that is not there, and what is wrong with a path (unit_path.h).
UnitPolicy unit_arguments(FunctionCallInfo fcinfo, int first, int limits, Oid relation, const UnitPolicy& before);

// Adds the arguments rows_kept and rows_kept_by, from that one on, to a unit's policy: what is not named is as
// `before`. Raises 22023 and 42703 as above.
void add_kept_arguments(FunctionCallInfo fcinfo, int first, Oid relation, const UnitPolicy& before, UnitPolicy* unit);

// Adds the argument max_blocks_per_unit to the unit's policy, of a table whose partitions have a budget each; -1 takes
// it away. Raises 22023 where there is no unit, or no such budgets, and 0A000 where divergences are counted: those of
// several partitions have no one order at which they are within their budgets.
void add_blocks_argument(FunctionCallInfo fcinfo, int number, bool blocks, Accountant accountant, UnitPolicy* unit);

// The column of a table, or of one below it, by which rows are kept of its units; 0 where they are chosen at random.
// Raises DP002 where it is not there any more, or has no order.
AttrNumber kept_column(const UnitPolicy& unit, Oid table);

// The column of a unit without steps in a protected table, or in one below it. Raises DP002 where it is not there any
// more.
AttrNumber unit_column(const UnitPolicy& unit, Oid table);

}  // namespace dp::budget
