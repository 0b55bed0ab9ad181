// Mechanisms that choose one of several candidates instead of adding noise: those of dp_mode, dp_quantile and
// dp_median.
#pragma once

#include <span>

#include "core/mechanism/mechanism.h"
#include "core/noise/selection.h"

namespace dp::mechanism {

// Throws dp::Error for a mechanism that adds noise.
void require_choice(const Mechanism& mechanism);

// What `auto` is where accounts count Rényi divergences: exponential costs a quarter there of what permute_and_flip
// does at the same epsilon, whose error is at most twice as small. Any other mechanism stays what it is.
Mechanism choice_of_divergences(const Mechanism& mechanism);

// The place of the chosen candidate; core/noise/selection.h says what a choice at that rate per unit of utility loses.
// By permute_and_flip, which is never worse at one epsilon, where the mechanism is auto.
std::size_t choose(const Mechanism& mechanism, std::span<const noise::Utility> utilities, const noise::Ratio& rate,
                   noise::BitSource& bits);

}  // namespace dp::mechanism
