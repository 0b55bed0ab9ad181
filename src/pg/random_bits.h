// The server's random bits.
#pragma once

#include "core/noise/bit_source.h"

namespace dp::pg {

// Bits from pg_strong_random, buffered for this process alone: a buffer that was filled before a fork is thrown away.
// Drawing throws std::runtime_error where the system has no entropy; there is no weaker source to fall back to.
noise::BitSource& random_bits();

}  // namespace dp::pg
