// Private selection of groups: which groups of GROUP BY may be shown at all, by the number of privacy units in each.
//
// Of units that are in few groups by the truncated geometric law, which is optimal for one. Source: Desfontaines, Voss,
// Gipson, Mandayam, "Differentially private partition selection" (2020), theorem 2. Of units that are in many by
// weights and Gaussian noise. Source: Gopi, Gulhane, Kulkarni, Shen, Shokouhi, Yekhanin, "Differentially Private Set
// Union" (2020, arXiv 2002.09745), theorem 5.1; Swanberg, Desfontaines, Haney, "DP-SIPS" (2023, arXiv 2301.01998).
#pragma once

#include "core/mechanism/epsilon_delta.h"
#include "core/noise/discrete_gaussian.h"
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

  // So many units are kept about every second time.
  std::uint64_t even_chance() const { return threshold() + 1; }

  // One independent draw for each group; what is drawn does not depend on `units`.
  bool keeps(noise::BitSource& bits, noise::Uint128 units) const;
};

// The rule of the smallest k with P(X = k) = (1-a) a^k / (1 + a - 2 a^{k+1}) <= delta; k >= 1 for every delta below 1.
// That bound is certified in 50-digit arithmetic. Throws dp::Error where delta is 0.
PartitionSelection partition_selection(Epsilon epsilon, Delta delta);

// A unit in s groups adds weight(s) to each, about 1/sqrt(s) of a whole one: in l2 at most a whole one, whatever s is.
// A group whose weights add up to W is kept where W + X > threshold, with X a discrete Gaussian of its own.
//
// That is (epsilon, delta)-private for one unit more or less. Proof: of the groups that are there without the unit the
// noisy weights are (epsilon, delta/2)-private, as l2 says, and which of them are kept follows from these. Each of the
// t <= kMostGroups groups that it is alone in has a weight of weight(s) <= weight(t); so that one of them is kept has a
// probability of at most t P(X > threshold - weight(t)), which is at most delta/2.
struct WeightedSelection {
  static constexpr std::int64_t kWhole = std::int64_t{1} << 20;
  static constexpr std::int64_t kMostGroups = 128;  // of one unit

  noise::DiscreteGaussian law;
  noise::Int128 threshold;

  // floor(kWhole / sqrt(groups)), for groups >= 1.
  static std::int64_t weight(std::int64_t groups);

  // As above. `weights`: not negative.
  bool keeps(noise::BitSource& bits, noise::Int128 weights) const;

  // So many units that are in no other group are kept about every second time.
  std::uint64_t even_chance() const;
};

// Both bounds are certified in 50-digit arithmetic. Throws dp::Error where delta is less than 2e-18.
WeightedSelection weighted_selection(Epsilon epsilon, Delta delta);

}  // namespace dp::mechanism
