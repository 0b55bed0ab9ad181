// A released integer with its noise, in refined steps.
#pragma once

#include "core/noise/integers.h"

namespace dp::budget {

struct Draw {
  noise::Int128 noisy;  // the exact integer + noise
  noise::Int128 noise;
};

}  // namespace dp::budget
