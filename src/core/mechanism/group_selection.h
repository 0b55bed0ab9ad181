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
// A group whose weights add up to W is kept where W + X > threshold, with X a discrete Gaussian of its own. A group of
// s that has that unit alone has a weight of weight(s), and is kept with a probability of at most p(s).
//
// That is (epsilon, delta)-private for one unit more or less. Proof: of its s groups let u have it alone, and let g(x)
// be the delta of the noisy weights of groups that change by the root of x in l2. What is kept follows from these: for
// a set E of outcomes of the groups that are there without the unit, P(E) <= e^epsilon P'(E) + g(x) and vice versa, x
// = 1 - u/s. With the unit, one of the u is kept with a probability of P <= u p(s). Hence outcomes with it have a delta
// of at most g(x) + P beside those without. For the other way, let epsilon' = epsilon + ln(1 - P): its delta is that of
// the noisy weights at epsilon', by which g(x) grows at most by (1 - e^{epsilon' - epsilon}) / e^{epsilon' - epsilon}
// = P/(1 - P) times the probability of their best set E, which is at most 1/2 as the loss of that law has the median
// mu^2/2 <= epsilon'. So it is at most g(x) + P as well, where P <= 1/2.
//
// Both parts need not have a half of delta each. Where g(1) <= delta, s p(s) <= delta and g(x) <= x g(1), together they
// are at most (1 - u/s) delta + u/s delta = delta. For Gaussian noise g(x) = Phi(mu/2 - epsilon/mu) - e^epsilon
// Phi(-mu/2 - epsilon/mu), mu = sqrt(x)/sigma, has the derivative phi(epsilon/mu - mu/2) by mu (Balle, Wang, 2018), so
// that h = mu g' - 2 g, which is 0 at first, has phi(...) (epsilon^2/mu^2 - mu^2/4 - 1). It grows for mu^2 + mu^4/4 <=
// epsilon^2, and then g/mu^2 grows, too: g(x)/x <= g(1). Where 1/sigma is above that, or delta above 0.01, each part
// has a half.
//
// The noise here is on the integers, and a whole weight is 2^20 of them. Let Y be Gaussian of variance sigma^2 - 16,
// and X given Y a discrete Gaussian centred at Y of variance 16: X has then just the discrete law of variance sigma^2,
// up to factors 1 +- 2 e^{-32 pi^2} by Poisson summation, and a unit's whole number is added to Y as well. So delta is
// that of Y but for e^epsilon 10^-130, which the certificate's margin covers for epsilon <= 50. Above that, delta is
// that of independent discrete Gaussians, a bound by Renyi divergences.
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

// All bounds are certified in 50-digit arithmetic. Throws dp::Error where delta is less than 2e-18.
WeightedSelection weighted_selection(Epsilon epsilon, Delta delta);

}  // namespace dp::mechanism
