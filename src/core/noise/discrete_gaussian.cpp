#include "core/noise/discrete_gaussian.h"

#include "core/noise/gaussian_sampler.h"

namespace dp::noise {

DiscreteGaussian DiscreteGaussian::with_variance(std::uint64_t mantissa, int exponent) {
  if (mantissa == 0 || exponent < -200 || exponent > 200) throw std::invalid_argument("variance out of range");
  const Wide floor_variance = exponent >= 0 ? Wide(mantissa) << exponent : Wide(mantissa) >> -exponent;
  return {mantissa, exponent, scale_of_proposal(floor_variance)};
}

Int128 DiscreteGaussian::sample(BitSource& bits) const {
  const Wide v = exponent >= 0 ? Wide(mantissa) << exponent : Wide(mantissa);
  const Wide m = exponent >= 0 ? Wide(1) : Wide(1) << -exponent;
  return sample_gaussian(bits, v, m, proposal_scale);
}

}  // namespace dp::noise
