#include "core/noise/discrete_gaussian.h"

#include <boost/multiprecision/cpp_int.hpp>

#include "core/noise/discrete_laplace.h"
#include "core/noise/primitives.h"

namespace dp::noise {
namespace {

namespace mp = boost::multiprecision;
using Wide = mp::number<mp::cpp_int_backend<1024, 1024, mp::unsigned_magnitude, mp::checked, void>>;

Wide widen(Uint128 value) {
  return Wide(static_cast<std::uint64_t>(value >> 64)) << 64 | static_cast<std::uint64_t>(value);
}

Uint128 narrow(const Wide& value) {
  return static_cast<Uint128>(static_cast<std::uint64_t>(Wide(value >> 64))) << 64 |
         static_cast<std::uint64_t>(Wide(value & ~std::uint64_t{0}));
}

}  // namespace

DiscreteGaussian DiscreteGaussian::with_variance(std::uint64_t mantissa, int exponent) {
  if (mantissa == 0 || exponent < -200 || exponent > 200) throw std::invalid_argument("variance out of range");
  const Wide floor_variance = exponent >= 0 ? Wide(mantissa) << exponent : Wide(mantissa) >> -exponent;
  const Wide floor_sigma = mp::sqrt(floor_variance);
  if (floor_sigma >> 120 != 0) throw std::invalid_argument("variance out of range");
  return {mantissa, exponent, narrow(floor_sigma + 1)};
}

Int128 DiscreteGaussian::sample(BitSource& bits) const {
  // sigma^2 = v/m and t: (|y| - sigma^2/t)^2 / (2 sigma^2) = (|y| m t - v)^2 / (2 v m t^2).
  const Wide v = exponent >= 0 ? Wide(mantissa) << exponent : Wide(mantissa);
  const Wide m = exponent >= 0 ? Wide(1) : Wide(1) << -exponent;
  const Wide t = widen(proposal_scale);
  const Wide mt = m * t;
  const Wide denominator = 2 * v * mt * t;
  const DiscreteLaplace proposal{Ratio{1, proposal_scale}};
  for (;;) {
    const Int128 y = proposal.sample(bits);
    const Wide reach = widen(y < 0 ? -static_cast<Uint128>(y) : static_cast<Uint128>(y)) * mt;
    const Wide gap = reach > v ? Wide(reach - v) : Wide(v - reach);
    if (bernoulli_exp<Wide>(bits, gap * gap, denominator)) return y;
  }
}

}  // namespace dp::noise
