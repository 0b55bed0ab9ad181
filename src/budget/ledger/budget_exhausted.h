// DP001: what an account is short of, said so that the next query fits.
#pragma once

#include "budget/ledger/shared_totals.h"
#include "budget/policy/accounts.h"

namespace dp::budget {

// Whether what is asked, beside what is spent, stays within the account's limits.
bool fits(const Share& share, const Limit& limit);

// Whether one statement may ask so much.
bool fits_statement(const Share& share, const Limit& limit);

// What was asked, what is left and whose account is short. For a share that does not fit.
[[noreturn]] void refuse(const Share& share, const Limit& limit);

}  // namespace dp::budget
