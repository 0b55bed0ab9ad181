// Counts or sums of groups that have an order, released so that their running totals are off by little.
//
// Whoever adds up groups that were answered one by one adds up their noise. Here all groups of one order are one vector
// x, and noise is added to C x of a factorisation of its prefix sums (prefix_sums.h); what is said of a group is the
// difference of two running totals. Several orders beside each other (months of each ward) have a factorisation each.
//
// How many groups there are, and their order, is public. A privacy unit may change several of them: the l1 of what it
// changes of all groups of all orders together is `l1` (mechanism/sensitivity.h). C is linear, so that what it changes
// of the integers is a sum of columns of C, each times the change of one group. By the triangle inequality its norm is,
// in l1 and in l2 as in the largest change, at most that of the longest column times the sum of these absolute changes,
// which is l1. That is the whole proof; what follows is made of the noisy integers. It holds also of integers from
// numbers that were cut to a range beforehand, because cutting makes no change larger. A shorter order has no longer
// columns: a root's depend on how many groups come after, a tree's on its levels.
//
// A unit in several groups pays for that: groups of their own are orthogonal to each other, where neighbouring columns
// of a root are nearly parallel. So both are compared (guard/release/group_curves.h).
//
// Source: Li, Miklau, Hay, McGregor, Rastogi, "The matrix mechanism: optimizing linear counting queries under
// differential privacy" (2015): that noise for the longest column of C is enough; the factorisations are those of
// prefix_sums.h.
#pragma once

#include <vector>

#include "core/accumulate/prefix_sums.h"
#include "core/mechanism/mechanism.h"
#include "core/noise/bit_source.h"

namespace dp::aggregate {

// What a privacy unit changes of the integers, where the longest order has these prefix sums and the unit changes the
// numbers of all groups by `of_groups`.
mechanism::Changes changes_of_ordered(const PrefixSums& longest, const mechanism::Changes& of_groups);

// The running totals of one order, in steps, from the exact numbers of its groups: with fresh noise.
std::vector<long double> noisy_totals(const PrefixSums& sums, noise::Int128View exact,
                                      const mechanism::Calibration& calibration, noise::BitSource& bits);

// The variance of the noise of each integer, where a step, and a step of a root's integers, is one.
double variance_of_integer(const PrefixSums& sums, const mechanism::Calibration& calibration);

}  // namespace dp::aggregate
