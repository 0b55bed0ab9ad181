#include "core/noise/rational_power.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/noise/enclosed.h"
#include "core/noise/primitives.h"

namespace dp::noise {
namespace {

namespace mp = boost::multiprecision;

Integer widen(Uint128 value) {
  return Integer(static_cast<std::uint64_t>(value >> 64)) << 64 | static_cast<std::uint64_t>(value);
}

// Of whole numbers a and b > 0, rounded down.
Integer floored(const Integer& a, const Integer& b) {
  Integer quotient, rest;
  mp::divide_qr(a, b, quotient, rest);
  return rest < 0 ? Integer(quotient - 1) : quotient;
}

// The greatest whole r with r^degree <= n, by Newton's method from above, where it falls until it is there.
Integer root_below(const Integer& n, unsigned degree) {
  if (n < 2) return n;
  if (degree == 2) return mp::sqrt(n);
  Integer root = Integer(1) << (mp::msb(n) / degree + 1);
  for (;;) {
    const Integer next = ((degree - 1) * root + n / mp::pow(root, degree - 1)) / degree;
    if (next >= root) return root;
    root = next;
  }
}

// Both in parts of 2^-precision.
Enclosure product(const Enclosure& a, const Enclosure& b, unsigned precision) {
  return {Integer(a.low * b.low) >> precision, (Integer(a.high * b.high) >> precision) + 1};
}

// (y/b)^p: one root after the other, by the prime factors of the denominator, then the numerator's power.
Enclosure power_of(const GeneralisedGaussian& law, Uint128 y, unsigned precision) {
  if (y == 0) return {0, 0};
  const int shift = static_cast<int>(precision) - law.exponent;
  const Integer scaled = shift >= 0 ? Integer(widen(y) << shift) : widen(y);
  const Integer divisor = shift >= 0 ? Integer(law.mantissa) : Integer(Integer(law.mantissa) << -shift);
  Enclosure base{scaled / divisor, scaled / divisor + 1};
  unsigned left = law.power.den;
  for (unsigned prime = 2; left > 1; ++prime) {
    for (; left % prime == 0; left /= prime) {
      base = {root_below(Integer(base.low << precision * (prime - 1)), prime),
              root_below(Integer(base.high << precision * (prime - 1)), prime) + 1};
    }
  }
  const Integer one = Integer(1) << precision;
  Enclosure result{one, one};
  for (unsigned exponent = law.power.num; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = product(result, base, precision);
    if (exponent > 1) base = product(base, base, precision);
  }
  return result;
}

// True with probability exactly e^{-x}, 0 <= x <= 1: bernoulli_exp_unit of primitives.h.
template <class Enclose>
bool bernoulli_exp_enclosed_unit(BitSource& bits, Enclose enclose) {
  std::uint64_t k = 1;
  while (bernoulli_enclosed(bits, enclose) && bernoulli<std::uint64_t>(bits, 1, k)) ++k;
  return k % 2 == 1;
}

// True with probability exactly e^{-x}, x >= 0. Whole units m that x has for certain are drawn one by one; what remains
// is below 5/4, where the enclosure from which m is read is no wider than 1/4, and is drawn in two halves.
template <class Enclose>
bool bernoulli_exp_enclosed(BitSource& bits, Enclose enclose) {
  unsigned precision = kFirstPrecision;
  Enclosure x = enclose(precision);
  while (x.high - x.low > Integer(1) << (precision - 2)) x = enclose(precision *= 2);
  const Integer units = x.low >> precision;
  for (Integer k = 0; k < units; ++k) {
    if (!bernoulli_exp_unit<std::uint64_t>(bits, 1, 1)) return false;
  }
  const auto half = [&](unsigned finer) -> Enclosure {
    const Enclosure whole = enclose(finer);
    const Integer less = units << finer;
    return {whole.low > less ? Integer(whole.low - less) >> 1 : Integer(0), Integer(whole.high - less + 1) >> 1};
  };
  return bernoulli_exp_enclosed_unit(bits, half) && bernoulli_exp_enclosed_unit(bits, half);
}

}  // namespace

bool accepts_distance(BitSource& bits, const GeneralisedGaussian& law, Uint128 y) {
  return bernoulli_exp_enclosed(bits, [&](unsigned precision) { return power_of(law, y, precision); });
}

bool accepts_proposal(BitSource& bits, const GeneralisedGaussian& law, Uint128 y) {
  const Integer n = law.power.num, d = law.power.den;
  const Integer t = widen(law.proposal_scale);
  const Integer rest = Integer(n - d) * t - n * widen(y);  // of 1 - 1/p - y/t, over n t
  return bernoulli_exp_enclosed(bits, [&](unsigned precision) -> Enclosure {
    const Enclosure power = power_of(law, y, precision);
    const Integer known = floored(Integer(rest << precision), Integer(n * t));
    const Integer low = power.low + known;
    return {low > 0 ? low : Integer(0), power.high + known + 1};
  });
}

Uint128 dominating_scale(const GeneralisedGaussian& law) {
  constexpr unsigned kPrecision = 256;
  // A guess; the loop decides.
  const double guess = law.scale() * std::pow(law.power.value(), -1 / law.power.value());
  Uint128 t = static_cast<Uint128>(guess * (1 + 0x1p-40)) + 1;
  const Integer wanted = Integer(law.power.den) << kPrecision;
  while (law.power.num * power_of(law, t, kPrecision).low < wanted) t += 1 + (t >> 40);
  return t;
}

}  // namespace dp::noise
