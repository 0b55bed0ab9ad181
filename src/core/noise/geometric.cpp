#include "core/noise/geometric.h"

#include "core/noise/primitives.h"

namespace dp::noise {

Uint128 geometric(BitSource& bits, const Ratio& rate) {
  Uint128 rest;
  do {
    rest = below(bits, rate.den);
  } while (!bernoulli_exp_unit(bits, rest, rate.den));
  Uint128 whole = 0;
  while (bernoulli_exp_unit<std::uint64_t>(bits, 1, 1)) ++whole;
  return checked_add(rest, checked_mul(rate.den, whole)) / rate.num;
}

}  // namespace dp::noise
