// Mechanisms that choose one of several candidates instead of adding noise: those of dp_mode, dp_quantile and
// dp_median.
#pragma once

#include <span>

#include "core/mechanism/mechanism.h"
#include "core/noise/selection.h"

namespace dp::mechanism {

enum class Selection : std::uint8_t { exponential, permute_and_flip };

// The way of choosing that the mechanism names; `automatic` for auto. Throws dp::Error for a mechanism that adds noise.
Selection selection(const Mechanism& mechanism, Selection automatic);

// The place of the chosen candidate; core/noise/selection.h says what a choice at that rate per unit of utility loses.
std::size_t select(Selection selection, std::span<const noise::Utility> utilities, const noise::Ratio& rate,
                   noise::BitSource& bits);

}  // namespace dp::mechanism
