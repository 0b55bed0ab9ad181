// The core's exact integers and ratios as numbers of 50 digits.
#pragma once

#include "core/noise/integers.h"
#include "core/number/real.h"

namespace dp::test {

inline Real real(noise::Uint128 value) { return Real(value); }
inline Real real(const noise::Ratio& ratio) { return real(ratio.num) / real(ratio.den); }

}  // namespace dp::test
