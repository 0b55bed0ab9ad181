// The limit of an aggregate's units where nobody has declared one: chosen once all of them are known, before the first
// answer is drawn (core/accumulate/chosen_limit.h).
//
// A part of the call's epsilon pays for the choice. What is answered has the rest, so that both together are what was
// asked. Only noise that has levels is drawn to such a limit: they know by what a unit changes which one it was.
#pragma once

#include "aggregate/call/call.h"

namespace dp::aggregate {

// How much memory the groups of an answer may take, for all its aggregates together, where limits are chosen: under
// each limit there is a total of each.
inline constexpr std::int64_t kMostChosenBytes = std::int64_t{128} << 20;

// Divides the epsilon of a call whose limit is to be chosen: a quarter is for the choice. `in_one_group`: a unit has
// its rows in one group of the answer. Raises 22023 where epsilon cannot be divided, and for any other mechanism.
void divide_epsilon(Call* call, bool in_one_group);

// Raises 22023 where nothing bounds what a row adds to the call's answer: a bound is infinite, and no limit is chosen.
void require_limit(const Call& call);

// Gives those of the calls (Call*, all of one node, which has so many groups) whose limits are chosen what the choice
// needs, the calls of a family one together; in the memory of the query, before a row is read. Raises DP002 where they
// would take more than kMostChosenBytes.
void make_limit_choices(List* calls, std::uint64_t groups);

// Once all rows are read: chooses the limit, if it was not, calibrates the call by it and fills in its totals.
void choose_limit_of(const Call& call);

// What the limit that was chosen leaves out, about, beside each row, or each step of a sum, that counts. Nothing where
// it was not chosen, where none was found to be good, and for sums of both signs.
std::optional<double> cut_by_limit(const Call& call);

// Whether a limit was to be chosen, and the noisy counts did not tell a good one.
bool lacks_limit(const Call& call);

}  // namespace dp::aggregate
