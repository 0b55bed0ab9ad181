// Private selection of groups: which groups of GROUP BY may be shown at all, by the number of privacy units in each.
//
// Of units that are in few groups by the truncated geometric law, which is optimal for one. Source: Desfontaines,
// Voss, Gipson, Mandayam, "Differentially private partition selection" (2020), theorem 2. Of units that are in many by
// weights, as in Gopi, Gulhane, Kulkarni, Shen, Shokouhi, Yekhanin, "Differentially Private Set Union" (2020, arXiv
// 2002.09745), and a curve of chances that is made for what is seen, one bit of each group.
#pragma once

#include <array>

#include "core/mechanism/epsilon_delta.h"
#include "core/noise/truncated_laplace.h"

namespace dp::mechanism {

// A group of n units is kept where n + X > k, with X on -k .. k of P(x) proportional to a^{|x|}, a = e^{-epsilon}, and
// k the bound of that noise. So a group without units is never kept, and one of more than 2k units always is.
//
// One unit more or less in one group costs (epsilon, P(X = k)). Proof: let p(n) = P(n + X > k) = P(X > k - n), so that
// p(n+1) = P(X = k) + the sum of P(y - 1) over the y of p(n). Where y >= 1, P(y - 1) = e^epsilon P(y), otherwise less;
// so p(n+1) <= e^epsilon p(n) + P(X = k), with equality for n <= k. For "not kept" the same holds, as 1 - p(n) =
// p(2k+1 - n).
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

// A unit in s groups adds weight(s) to each. A group whose weights add up to W is kept with the chance p(W), a curve
// that rises from p(0) = 0, drawn for each group by itself.
//
// Let E(q, p) = q^A p^(1-A) + (1-q)^A (1-p)^(1-A), which is e^((A-1) D) of the Renyi divergence D of order A between
// the two answers "kept" and "not kept". It is certified for each s, each W and w = weight(s), that one of these
// holds:
//   p(W + w) <= d/s, or 1 - p(W) <= d/s; or E(p(W + w), p(W)) and E(p(W), p(W + w)) are both at most e^(k/s),
// where k = (A-1) epsilon + ln delta + ln(A-1) - A ln(1 - 1/A) and d = delta (1 - e^(-l)), l = k - (A-1)
// delta/(1-delta).
//
// That is (epsilon, delta)-private for one unit more or less. Proof: of its s groups let xs be of the first kind, ys
// of the second, the others of the third. All that is seen of these has with and without the unit a divergence of at
// most (1-x-y) k / (A-1) both ways, so by proposition 12 of Canonne, Kamath, Steinke (2020) a delta of at most delta
// e^(-(x+y) k) at epsilon, and at epsilon less c of at most e^((A-1) c) times that. With the unit, some group of the
// first kind is kept with a probability of at most x d; but for that, what is seen of them is likelier without it. And
// what is seen of those of the second kind is at most 1/(1-d)^y times likelier with the unit: c = y d/(1-d). So
// outcomes with the unit have a delta of at most x d + delta e^(-(x+y) l) beside those without, which is convex in x
// and y and so greatest at (0, 0), where it is delta, or (1, 0), where it is delta again. The other way round it is
// the same with the kinds exchanged.
//
// The curve is linear between points. As E is convex in both together, it is at most what it is at the ends of a
// stretch on which p(W) and p(W + w) are linear; and there it is bounded by integers that are rounded up. p is drawn
// exactly.
//
// Gaussian noise on weights of 1/sqrt(s) and a threshold are such a rule as well. It is certified for more than is
// seen, though, noisy numbers in place of single bits: this curve takes 1.2 times fewer units in 16 groups, 1.4 in 64.
struct WeightedSelection {
  static constexpr std::int64_t kWhole = std::int64_t{1} << 20;
  static constexpr std::int64_t kMostGroups = 128;  // of one unit
  static constexpr noise::Uint128 kCertain = noise::Uint128{1} << 126;

  // About kWhole / groups^(2/5), for 1 <= groups <= kMostGroups: of the next greater number that is certified.
  static std::int64_t weight(std::int64_t groups);

  // The curve up to its middle, where the chance is a half; from there on it is the same turned round, until it ends
  // in certainty. Weights below the first point, of which there are none but 0, have the first chance.
  struct Point {
    std::int64_t weights;
    noise::Uint128 chance;  // of kCertain
  };
  static constexpr int kMostPoints = 640;

  int points;
  std::array<Point, kMostPoints> point;

  std::int64_t middle() const { return point[static_cast<std::size_t>(points - 1)].weights; }
  std::int64_t first_certain() const { return 2 * middle() - point[0].weights + kWhole; }

  // As above. `weights`: not negative.
  bool keeps(noise::BitSource& bits, noise::Int128 weights) const;

  // So many units that are in no other group are kept about every second time.
  std::uint64_t even_chance() const { return static_cast<std::uint64_t>((middle() + kWhole - 1) / kWhole); }
};

// Of units that are in `most` groups at most. The last few are kept: it takes some milliseconds. Throws dp::Error
// where delta is 0.
WeightedSelection weighted_selection(Epsilon epsilon, Delta delta, std::int64_t most);

}  // namespace dp::mechanism
