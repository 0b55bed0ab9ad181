// What losses are in divergences, and what divergences may be: computed once in a session for each, because 50 digits
// take longer than a charge may.
#pragma once

#include "core/accounting/loss.h"
#include "core/accounting/renyi_filter.h"

namespace dp::budget {

Divergences known_divergences(const Losses& losses);

// rough_divergences()
const Divergences& known_rough_divergences(std::int64_t epsilon);

// For that part of delta.
const Conversion& known_conversion(std::int64_t delta);

}  // namespace dp::budget
