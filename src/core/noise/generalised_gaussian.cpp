#include "core/noise/generalised_gaussian.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/noise/discrete_laplace.h"
#include "core/noise/primitives.h"
#include "core/noise/rational_power.h"

namespace dp::noise {
namespace {

namespace mp = boost::multiprecision;

// Room for the largest product, p t Q y^p < 2^4 2^113 2^1280 2^2032 with y below 2^127, and for bernoulli's doubling.
using Wide = mp::number<mp::cpp_int_backend<4096, 4096, mp::unsigned_magnitude, mp::checked, void>>;

Wide widen(Uint128 value) {
  return Wide(static_cast<std::uint64_t>(value >> 64)) << 64 | static_cast<std::uint64_t>(value);
}

Uint128 magnitude(Int128 value) { return value < 0 ? -static_cast<Uint128>(value) : static_cast<Uint128>(value); }

// b^p = num / den, of a whole p.
struct ScalePower {
  Wide num;
  Wide den;

  explicit ScalePower(const GeneralisedGaussian& law)
      : num(Wide(mp::pow(Wide(law.mantissa), law.power.num)) << (law.exponent > 0 ? law.exponent * law.power.num : 0)),
        den(Wide(1) << (law.exponent < 0 ? -law.exponent * law.power.num : 0)) {}
};

}  // namespace

GeneralisedGaussian GeneralisedGaussian::with_scale(Power power, std::uint64_t mantissa, int exponent) {
  if (power.num < power.den || power.num > kMaxPower * power.den || power.den > kMaxDenominator)
    throw std::invalid_argument("power out of range");
  if (mantissa < 1 || mantissa >> kMantissaBits != 0) throw std::invalid_argument("mantissa out of range");
  if (exponent < -kMaxExponent || exponent > kMaxExponent) throw std::invalid_argument("exponent out of range");
  GeneralisedGaussian law{power, mantissa, exponent, 0};
  if (!power.is_whole()) {
    law.proposal_scale = dominating_scale(law);
    return law;
  }
  const ScalePower scale(law);
  Uint128 low = 0, high = Uint128{1} << (kMantissaBits + kMaxExponent);  // t = low is too small, t = high is not
  while (high - low > 1) {
    const Uint128 middle = low + (high - low) / 2;
    (Wide(power.num * mp::pow(widen(middle), power.num) * scale.den) < scale.num ? low : high) = middle;
  }
  law.proposal_scale = high;
  return law;
}

double GeneralisedGaussian::scale() const { return std::ldexp(static_cast<double>(mantissa), exponent); }

Int128 GeneralisedGaussian::sample(BitSource& bits) const {
  const DiscreteLaplace proposal{Ratio{1, proposal_scale}};
  if (!power.is_whole()) {
    for (;;) {
      const Int128 drawn = proposal.sample(bits);
      if (accepts_proposal(bits, *this, magnitude(drawn))) return drawn;
    }
  }
  // Over the denominator p t b^p, b^p = P/Q: (y/b)^p + (p-1)/p - y/t = (p t Q y^p + (p-1) t P - p P y) / (p t P).
  const unsigned p = power.num;
  const ScalePower scale(*this);
  const Wide t = widen(proposal_scale);
  const Wide denominator = p * t * scale.num;
  const Wide constant = (p - 1) * t * scale.num;
  const Wide slope = p * scale.num;
  const Wide factor = p * t * scale.den;
  for (;;) {
    const Int128 drawn = proposal.sample(bits);
    const Wide y = widen(magnitude(drawn));
    const Wide gained = factor * mp::pow(y, p) + constant;
    if (bernoulli_exp<Wide>(bits, gained - slope * y, denominator)) return drawn;
  }
}

bool GeneralisedGaussian::accepts(Uint128 distance, BitSource& bits) const {
  if (!power.is_whole()) return accepts_distance(bits, *this, distance);
  const ScalePower scale(*this);
  return bernoulli_exp<Wide>(bits, scale.den * mp::pow(widen(distance), power.num), scale.num);
}

}  // namespace dp::noise
