// Limits of privacy units that nobody declared: chosen privately from what the units add up to, in the pass that adds
// them up.
//
// Units are counted by their magnitudes (limit_scale.h) in bins; the ends of the bins, two for each power of 2, are the
// limits that may be chosen. Each unit is in one bin, so that these counts, with discrete Laplace noise of rate epsilon
// on each, are epsilon-DP together, as any histogram. Which limit is chosen is computed from them alone. The totals
// under each of the limits are kept meanwhile (limited_totals.h); the one that is told has noise by the limit that was
// chosen.
#pragma once

#include "core/accumulate/limit_scale.h"

namespace dp::aggregate {

// The limit of the scale by which noise and what is cut are about smallest together. `units`: the noisy counts of its
// size() + 1 bins, each with noise of rate `counted` (a number above 0); the answer under a limit c has noise of rate
// `answered`/c. The choice depends on nothing else. `means`: the answer is a mean or a spread. What is cut of a unit is
// its weight there, and shifts the answer only as far as units with more rows have other values: of all that is cut by
// a thousandth of the distance between the bounds, as is assumed (of the costs of the demo by less than a tenth of it).
//
// A bin that is far above what is usual, and above the others, is believed only where its count is far above the noise:
// for each two bins the limit would be twice as large. What lies above those that are believed, less in each bin than
// its noise, is thought to be what a smooth tail of their counts has there, as far as the counts do not contradict it.
// Where no bin stands out several may do so together (faint_counts.h).
//
// Where there is nobody a limit is found by noise alone. Among the usual ones that does little harm: an answer has the
// noise of a few rows. Where all limits are usual its noise may be of any size. So there the fullest of B bins has to
// be ln(B/2b) times as large as the noise, and by noise alone one of them is as large with probability
//   1 - (1 - e^-em/(1 + e^-e))^B,    e = `counted`, m the least whole number with em >= ln(B/2b),
// which is b = 1e-4 for a small e and less than twice that for any.
//
// Simulated against the best limit in hindsight, on a grid of 2 %: 1.1 to 2 times its error for Poisson, geometric,
// uniform, lognormal (sigma 0.5 to 2) and Pareto totals of 20,000 to 2,000,000 units at epsilon .1 and 1.
ChosenLimit choose_limit(const LimitScale& scale, noise::Int128View units, double counted, double answered, bool means);

}  // namespace dp::aggregate
