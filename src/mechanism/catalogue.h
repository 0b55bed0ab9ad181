// The list of all mechanisms.
#pragma once

#include <span>

#include "mechanism/mechanism.h"

namespace dp::mechanism {

extern const Family kAuto;
extern const Family kGeometric;
extern const Family kLaplace;
extern const Family kStaircase;
extern const Family kGaussian;

// In the order in which error messages name them.
std::span<const Family* const> catalogue();

}  // namespace dp::mechanism
