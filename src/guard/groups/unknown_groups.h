// Keys whose values are not public: what is said to whoever groups by one.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// Raises DP002 where values of the key's type can be equal and yet look different (intervals, json): a group that is
// not public would show the form that some row has. `written`: the key; `runs`: the inner query's column, of which the
// type may have one form where the key's has many (the small letters of a citext).
void require_one_form(const GroupKey& key, Node* written, const TargetEntry* runs);

// Whether each group of the key is of one privacy unit, so that no private choice ever shows one: the key is the unit,
// a step of the path to it, or a column that is unique.
bool is_of_one_person(const GroupKey& key);

// Raises DP002: so it is, and the answer would have no group at all. `expression`: the key, as it was written.
[[noreturn]] void refuse_groups_of_one(const InnerQuery& inner_query, const GroupKey& key, Node* expression);

// Raises DP002: the key's values are not public and the policy has nothing for choosing groups. `expression`: the key
// over `tables` (RangeTblEntry), as it was written; nullptr where it is not at hand.
[[noreturn]] void refuse_unknown_groups(const InnerQuery& inner_query, const GroupKey& key, Node* expression,
                                        List* tables);

}  // namespace dp::guard
