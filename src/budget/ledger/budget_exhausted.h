// DP001: what an account is short of, said so that the next query fits. 22023: what costs less than a charge has to.
#pragma once

#include <span>

#include "budget/ledger/shared_totals.h"
#include "budget/policy/accounts.h"

namespace dp::budget {

// Whether one statement may ask so much, each of its charges is large enough, and the account may be charged so often.
bool fits_rules(const Share& share, const Limit& limit);

// What was asked, what is left and whose account is short: that of the share of that number, which does not fit. The
// hint has what a curator has to call so that none of the shares is short.
[[noreturn]] void refuse(std::span<const Share> shares, std::span<const Limit> limits, std::size_t which);

}  // namespace dp::budget
