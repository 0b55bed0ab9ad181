// A table takes the place of another one: dp.protect(..., continues => 'old').
//
// The account goes on: what was spent, who may ask, what was declared, and releases, which can be made more accurate
// from the new account. The old table has no budget afterwards.
#pragma once

#include "budget/catalog/policy_rows.h"

namespace dp::budget {

// What was said of the table that is to be continued; nothing where it is not protected any more. Nobody asks questions
// about it until the transaction ends. Raises 42501 unless the current role curates it, 55000 where it is part of the
// other one's inheritance.
std::optional<Policy> begin_continuing(Oid relation, Oid old);

// Once the new table is protected. Raises 55000 where there is nothing to continue.
void take_over(Oid relation, Oid old);

}  // namespace dp::budget
