#include "core/noise/gaussian_path.h"

#include "core/noise/discrete_laplace.h"
#include "core/noise/gaussian_sampler.h"
#include "core/noise/primitives.h"

namespace dp::noise {
namespace {

Uint128 square(std::uint64_t epsilon) { return static_cast<Uint128>(epsilon) * epsilon; }

// change^2 over 10^-18: over the square of an epsilon it is the variance at that level.
Wide variance_at_one(Uint128 change) { return widen(change) * widen(change) * widen(square(GaussianLevel::kPerUnit)); }

// Over the square of `fine` the variance of a step to the finer level, over `fine` times `coarse` what the coarser one
// has more. Both are squares of epsilons.
Wide spread(Uint128 change, Uint128 coarse, Uint128 fine) { return variance_at_one(change) * widen(fine - coarse); }

void check(Uint128 change, std::uint64_t epsilon) {
  if (change == 0 || change >> 100 != 0) throw std::invalid_argument("change out of range");
  if (epsilon == 0 || epsilon >> 50 != 0) throw std::invalid_argument("epsilon out of range");
}

Int128 added(Int128 a, Int128 b) {
  Int128 sum;
  if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("noise beyond 127 bits");
  return sum;
}

}  // namespace

GaussianLevel GaussianLevel::with(Uint128 change, std::uint64_t epsilon) {
  check(change, epsilon);
  return {change, epsilon, scale_of_proposal(variance_at_one(change) / widen(square(epsilon)))};
}

double GaussianLevel::sigma() const {
  return static_cast<double>(change) / (static_cast<double>(epsilon) / static_cast<double>(kPerUnit));
}

Int128 GaussianLevel::sample(BitSource& bits) const {
  return sample_gaussian(bits, variance_at_one(change), widen(square(epsilon)), proposal_scale);
}

bool GaussianStep::is_possible(Uint128 change, std::uint64_t coarse, std::uint64_t fine) {
  check(change, coarse);
  check(change, fine);
  const Uint128 most = square(fine);
  return coarse < fine && spread(change, square(coarse), most) >= 4 * widen(most) * widen(most);
}

GaussianStep::GaussianStep(Uint128 change, std::uint64_t coarse, std::uint64_t fine)
    : change_(change), coarse_(square(coarse)), fine_(square(fine)) {
  if (!is_possible(change, coarse, fine)) throw std::invalid_argument("step of a Gaussian path that is too small");
  const Wide n = spread(change_, coarse_, fine_), q = widen(fine_);
  relax_scale_ = scale_of_proposal(n / (q * q));
  tighten_scale_ = scale_of_proposal(n / (q * widen(coarse_)));
}

// With c the integer nearest to the centre p/q and t the scale, c + y is proposed, y discrete Laplace of 1/t, and z is
// accepted with probability exp(-g), g = (z - p/q)^2/(2s) - |y|/t + 1/(2t) + s/(2t^2). So z has the law asked for. And
// g >= 0: for y != 0 because |z - p/q| >= |y| - 1/2, so that g >= (|y| - 1/2 - s/t)^2/(2s); for y = 0 it is clear. With
// q = fine and s = n/q^2 all of it stands over 2 n q^2 t^2.
Int128 GaussianStep::relax(BitSource& bits, Int128 coarse_noise) const {
  const Wide p = widen(coarse_) * magnitude(coarse_noise), q = widen(fine_), n = spread(change_, coarse_, fine_);
  const Uint128 nearest = narrow((2 * p + q) / (2 * q));  // of the magnitude: the sign comes back at the end
  const Wide t = widen(relax_scale_), nqqt = n * q * q * t;
  const Wide denominator = 2 * nqqt * t, constant = nqqt + n * n;
  const DiscreteLaplace proposal{Ratio{1, relax_scale_}};
  for (;;) {
    const Int128 y = proposal.sample(bits);
    const Int128 z = added(signed_magnitude(false, nearest), y);
    const Wide zq = magnitude(z) * q;
    const Wide gap = q * t * (z < 0 ? Wide(zq + p) : distance(zq, p));
    const Wide g = gap * gap + constant - 2 * nqqt * magnitude(y);
    if (bernoulli_exp<Wide>(bits, g, denominator)) return coarse_noise < 0 ? -z : z;
  }
}

Int128 GaussianStep::tighten(BitSource& bits, Int128 fine_noise) const {
  const Wide n = spread(change_, coarse_, fine_), m = widen(fine_) * widen(coarse_);
  return added(fine_noise, sample_gaussian(bits, n, m, tighten_scale_));
}

}  // namespace dp::noise
