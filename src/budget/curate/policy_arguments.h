// What dp.protect and dp.grant_budget say of budgets and prices. An argument that is not named is as it was; what takes
// something away again is said here: -1 a limit, 0 a price.
#pragma once

#include "budget/catalog/policy_rows.h"

namespace dp::budget {

// The arguments epsilon, delta and query_epsilon, from that one on, and `before`, what holds now. Raises 22004 where
// there is nothing before and no epsilon, 22023 for what is out of range.
Limit limit_arguments(FunctionCallInfo fcinfo, int first, const char* example, const Limit* before);

// The argument accountant.
Accountant accountant_argument(FunctionCallInfo fcinfo, int number, Accountant before);

// The argument conversion_delta: of the limit's delta, which is read already; 0: a half of it. Raises 22023 where it is
// more, and where no account counts divergences.
std::int64_t conversion_argument(FunctionCallInfo fcinfo, int number, const char* example, const Limit& limit,
                                 Accountant accountant);

// Raises 22023 where divergences could not be turned into epsilon.
void require_conversion(const Limit& limit, const char* example);

// Sets the price of a private choice of groups by the arguments group_epsilon and group_delta, from that one on: both,
// where none was said before; 0: groups are not chosen; -1: nothing is said. Raises 22023 for one alone, and for a
// price beyond the budget.
void selection_arguments(FunctionCallInfo fcinfo, int first, Policy* policy);

// The argument min_query_epsilon. Raises 22023 where it is more than one query may cost.
std::int64_t least_argument(FunctionCallInfo fcinfo, int number, const Limit& limit);

// The argument max_charges.
std::int64_t charges_argument(FunctionCallInfo fcinfo, int number, const char* example, std::int64_t before);

// The argument answer_epsilon, as Policy has it: 0 for none, -1 where nothing shall be said.
std::int64_t answer_epsilon_argument(FunctionCallInfo fcinfo, int number, const char* example, std::int64_t before);

// The argument answer_mechanism, which its type has checked; "auto" is one that is said.
const char* answer_mechanism_argument(FunctionCallInfo fcinfo, int number, const char* before);

// A switch.
bool switch_argument(FunctionCallInfo fcinfo, int number, bool before);

}  // namespace dp::budget
