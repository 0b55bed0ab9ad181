// The list of all mechanisms.
#pragma once

#include <span>

#include "core/mechanism/mechanism.h"

namespace dp::mechanism {

extern const Family kAuto;
extern const Family kGeometric;
extern const Family kLaplace;
extern const Family kStaircase;
extern const Family kRoundedGeometric;
extern const Family kGaussian;
extern const Family kGg;
extern const Family kTruncatedGg;
extern const Family kBitGg;
extern const Family kR2dp;
extern const Family kExponential;
extern const Family kPermuteAndFlip;

// What `auto` is where releases are kept: the law of least noise whose answers can be made more accurate later (see
// core/noise/relaxation.h). Any other mechanism stays what it is.
Mechanism relaxable(const Mechanism& mechanism, Lattice lattice);

// What `auto` is for those changes where accounts count Rényi divergences: Gaussian noise where it is less than half of
// Laplace noise at the same epsilon, as of many numbers that change together. Any other mechanism stays what it is.
Mechanism of_divergences(const Mechanism& mechanism, const Changes& changes);

// Whether several numbers that change together are released at the whole epsilon, by a norm of their joint change, and
// not each at a part of it.
bool is_joint(const Family& family);

// Gaussian noise without a delta: its epsilon says how large Rényi divergences are, and its loss has no bound. It is
// for accounts that count divergences.
bool is_without_delta(const Mechanism& mechanism);

// In the order in which error messages name them.
std::span<const Family* const> catalogue();

}  // namespace dp::mechanism
