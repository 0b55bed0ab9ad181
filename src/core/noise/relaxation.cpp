#include "core/noise/relaxation.h"

#include "core/noise/geometric.h"

namespace dp::noise {

namespace {

void check(const RatePair& rates) {
  if (rates.den == 0) throw std::invalid_argument("rates over zero");
  if (rates.coarse == 0) throw std::invalid_argument("rate of zero");
  if (rates.coarse >= rates.fine) throw std::invalid_argument("finer level without a greater rate");
  if ((checked_add(rates.coarse, rates.fine) | rates.den) >> 126) throw std::overflow_error("rates beyond 126 bits");
}

// A point of 0..end-1, k with probability proportional to e^{-k/den}: for m <= end it lies below m with probability
// (1-e^{-m/den}) / (1-e^{-end/den}).
Uint128 cut_geometric(BitSource& bits, Uint128 den, Uint128 end) { return geometric(bits, ratio(1, den)) % end; }

// 1, 2, ... with probability (1-a) a^{j-1}, a = e^{-num/den}.
Uint128 positive_geometric(BitSource& bits, Uint128 num, Uint128 den) {
  return checked_add(1, geometric(bits, ratio(num, den)));
}

// 0 with probability (1-a_1)/(1-a_2), else positive geometric of rate_1: what added to a geometric of rate_2 makes one
// of rate_1. Its generating function is the quotient of theirs, (1-a_1)(1-a_2 z) / ((1-a_2)(1-a_1 z)).
Int128 coarsening(BitSource& bits, const RatePair& rates) {
  if (cut_geometric(bits, rates.den, rates.fine) < rates.coarse) return 0;
  return signed_magnitude(false, positive_geometric(bits, rates.coarse, rates.den));
}

}  // namespace

// Proof. Write n = |V_1|, s for the sign of V_1 (+ for 0), r = a_2/a_1, q = a_1 a_2, and k = s V_2. By Bayes' rule on
// V_1 = V_2 + W the probability of k is, over 1-a_2^2, the sum of the weights
//   A  (1-a_1^2) r^{n+1}        on k = n
//   B  (1-q)(1-r) r^k           on 0 <= k <= n
//   C  (1-r)(1-q) q^j           on k = -j, j >= 1: (1-r) q in all, and then j is positive geometric with ratio q
//   D  (1-r)(1-q) r^n q^j       on k = n+j, j >= 1: (1-r) q r^n in all, and then j is the same.
// The point of 0..2 fine-1 lies below m with probability 1-e^{-m/den}, over 1-a_2^2. So it lies
//   from coarse+fine on with q - a_2^2 = (1-r) q: branch C;
//   below, with 1-q. Independently of it, `step` is k <= n with (1-r) r^k, which is branch B, or passes n with r^{n+1};
//     then below 2 coarse with 1-a_1^2: branch A;
//     from there on with a_1^2 - q = a_1^2 (1-r), which times r^{n+1} is (1-r) q r^n: branch D, because a_1^2 r = q.
Int128 relax(BitSource& bits, const RatePair& rates, Int128 coarse_noise) {
  check(rates);
  const bool negative = coarse_noise < 0;
  const auto pattern = static_cast<Uint128>(coarse_noise);
  const Uint128 n = negative ? -pattern : pattern;
  const Uint128 both = rates.coarse + rates.fine;
  const Uint128 point = cut_geometric(bits, rates.den, 2 * rates.fine);
  if (point >= both) return signed_magnitude(!negative, positive_geometric(bits, both, rates.den));
  const Uint128 step = geometric(bits, ratio(rates.fine - rates.coarse, rates.den));
  if (step <= n) return signed_magnitude(negative, step);
  if (point < 2 * rates.coarse) return coarse_noise;
  return signed_magnitude(negative, checked_add(n, positive_geometric(bits, both, rates.den)));
}

// Proof. The discrete Laplace of rate_i is the difference of two independent geometrics of rate_i. With B and B' two
// independent coarsenings, V_2 + B - B' is then a difference of two geometrics of rate_1, so B - B' has the only law
// that W can have. In particular it is 0 with probability p0 + (1-p0)(1-a_1)/(1+a_1).
Int128 tighten(BitSource& bits, const RatePair& rates, Int128 fine_noise) {
  check(rates);
  const Int128 up = coarsening(bits, rates);
  const Int128 down = coarsening(bits, rates);
  Int128 coarse_noise;
  if (__builtin_add_overflow(fine_noise, up - down, &coarse_noise)) throw std::overflow_error("noise beyond 127 bits");
  return coarse_noise;
}

}  // namespace dp::noise
