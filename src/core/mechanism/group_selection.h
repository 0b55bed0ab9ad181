// Private selection of groups: which groups of GROUP BY may be shown at all, by the number of privacy units in each.
//
// Source: Desfontaines, Voss, Gipson, Mandayam, "Differentially private partition selection" (2020), theorem 2.
#pragma once

#include "core/mechanism/epsilon_delta.h"
#include "core/noise/truncated_laplace.h"

namespace dp::mechanism {

// A group of n units is kept where n + X > k, with X on -k .. k of P(x) proportional to a^{|x|}, a = e^{-epsilon}, and
// k the bound of that noise. So a group without units is never kept, and one of more than 2k units always is.
//
// One unit more or less in one group costs (epsilon, P(X = k)). Proof: let p(n) = P(n + X > k) = P(X > k - n), so that
// p(n+1) = P(X = k) + the sum of P(y - 1) over the y of p(n). Where y >= 1, P(y - 1) = e^epsilon P(y), otherwise less;
// so p(n+1) <= e^epsilon p(n) + P(X = k), with equality for n <= k. For "not kept" the same holds, as 1 - p(n) = p(2k+1
// - n).
//
// No (epsilon, P(X = k))-private rule keeps a group of any size with a greater probability: the paper's theorem 1.
struct PartitionSelection {
  noise::TruncatedLaplace law;

  std::uint64_t threshold() const { return static_cast<std::uint64_t>(law.bound); }

  // One independent draw for each group; what is drawn does not depend on `units`.
  bool keeps(noise::BitSource& bits, noise::Uint128 units) const;
};

// The rule of the smallest k with P(X = k) = (1-a) a^k / (1 + a - 2 a^{k+1}) <= delta; k >= 1 for every delta below 1.
// That bound is certified in 50-digit arithmetic. Throws dp::Error where delta is 0.
PartitionSelection partition_selection(Epsilon epsilon, Delta delta);

}  // namespace dp::mechanism
