#include "core/noise/generalised_gaussian.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/noise/discrete_laplace.h"
#include "core/noise/primitives.h"

namespace dp::noise {
namespace {

namespace mp = boost::multiprecision;

// Room for the largest product, p t Q y^p < 2^4 2^113 2^1280 2^2032 with y below 2^127, and for bernoulli's doubling.
using Wide = mp::number<mp::cpp_int_backend<4096, 4096, mp::unsigned_magnitude, mp::checked, void>>;

Wide widen(Uint128 value) {
  return Wide(static_cast<std::uint64_t>(value >> 64)) << 64 | static_cast<std::uint64_t>(value);
}

Uint128 magnitude(Int128 value) { return value < 0 ? -static_cast<Uint128>(value) : static_cast<Uint128>(value); }

// b^p = num / den.
struct Power {
  Wide num;
  Wide den;

  explicit Power(const GeneralisedGaussian& law)
      : num(Wide(mp::pow(Wide(law.mantissa), law.power)) << (law.exponent > 0 ? law.exponent * law.power : 0)),
        den(Wide(1) << (law.exponent < 0 ? -law.exponent * law.power : 0)) {}
};

}  // namespace

GeneralisedGaussian GeneralisedGaussian::with_scale(unsigned power, std::uint64_t mantissa, int exponent) {
  if (power < 1 || power > kMaxPower) throw std::invalid_argument("power out of range");
  if (mantissa < 1 || mantissa >> kMantissaBits != 0) throw std::invalid_argument("mantissa out of range");
  if (exponent < -kMaxExponent || exponent > kMaxExponent) throw std::invalid_argument("exponent out of range");
  GeneralisedGaussian law{power, mantissa, exponent, 0};
  const Power scale(law);
  Uint128 low = 0, high = Uint128{1} << (kMantissaBits + kMaxExponent);  // t = low is too small, t = high is not
  while (high - low > 1) {
    const Uint128 middle = low + (high - low) / 2;
    (Wide(power * mp::pow(widen(middle), power) * scale.den) < scale.num ? low : high) = middle;
  }
  law.proposal_scale = high;
  return law;
}

double GeneralisedGaussian::scale() const { return std::ldexp(static_cast<double>(mantissa), exponent); }

Int128 GeneralisedGaussian::sample(BitSource& bits) const {
  // Over the denominator p t b^p, b^p = P/Q: (y/b)^p + (p-1)/p - y/t = (p t Q y^p + (p-1) t P - p P y) / (p t P).
  const Power scale(*this);
  const Wide t = widen(proposal_scale);
  const Wide denominator = power * t * scale.num;
  const Wide constant = (power - 1) * t * scale.num;
  const Wide slope = power * scale.num;
  const Wide factor = power * t * scale.den;
  const DiscreteLaplace proposal{Ratio{1, proposal_scale}};
  for (;;) {
    const Int128 drawn = proposal.sample(bits);
    const Wide y = widen(magnitude(drawn));
    const Wide gained = factor * mp::pow(y, power) + constant;
    if (bernoulli_exp<Wide>(bits, gained - slope * y, denominator)) return drawn;
  }
}

bool GeneralisedGaussian::accepts(Uint128 distance, BitSource& bits) const {
  const Power scale(*this);
  return bernoulli_exp<Wide>(bits, scale.den * mp::pow(widen(distance), power), scale.num);
}

}  // namespace dp::noise
