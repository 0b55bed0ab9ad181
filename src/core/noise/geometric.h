// The geometric law on {0, 1, 2, ...}.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// k with probability exactly (1-a) a^k, a = e^{-rate}, rate = num/den > 0.
//
// Source: Canonne, Kamath, Steinke (2020), algorithm 2. U + den*V, with U on {0..den-1} of weight e^{-U/den} and V
// geometric with a = 1/e, is geometric with a = e^{-1/den}; the integer part of its num-th is geometric with a =
// e^{-num/den}. Throws std::overflow_error where the value would leave 128 bits (probability below e^{-2^20} for den <
// 2^107).
Uint128 geometric(BitSource& bits, const Ratio& rate);

}  // namespace dp::noise
