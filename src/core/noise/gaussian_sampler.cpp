#include "core/noise/gaussian_sampler.h"

#include "core/noise/discrete_laplace.h"
#include "core/noise/primitives.h"

namespace dp::noise {

Uint128 scale_of_proposal(const Wide& variance) {
  const Wide floor_sigma = boost::multiprecision::sqrt(variance);
  if (floor_sigma >> 120 != 0) throw std::invalid_argument("variance out of range");
  return narrow(floor_sigma + 1);
}

// (|y| - sigma^2/t)^2 / (2 sigma^2) = (|y| m t - v)^2 / (2 v m t^2)
Int128 sample_gaussian(BitSource& bits, const Wide& v, const Wide& m, Uint128 scale) {
  const Wide t = widen(scale);
  const Wide mt = m * t;
  const Wide denominator = 2 * v * mt * t;
  const DiscreteLaplace proposal{Ratio{1, scale}};
  for (;;) {
    const Int128 y = proposal.sample(bits);
    const Wide gap = distance(magnitude(y) * mt, v);
    if (bernoulli_exp<Wide>(bits, gap * gap, denominator)) return y;
  }
}

}  // namespace dp::noise
