#include "core/noise/staircase.h"

#include "core/noise/geometric.h"
#include "core/noise/primitives.h"

namespace dp::noise {

namespace {

// True with probability a*rest / (step + a*rest), rest = width - step, a = e^{-epsilon}: the part of a stair beyond its
// step.
//
// With a fair coin the step is proposed and taken, or the rest is proposed and taken with probability a*rest/step; else
// again. Where rest > step, a*rest/step is the product of (2/e)^k, e^{-(epsilon-k)} and rest/(2^k step), k the number
// of doublings that bring step up to rest. Where epsilon < k, a is not small, and a uniform position is as good a
// proposal.
bool beyond_step(BitSource& bits, const Ratio& epsilon, Uint128 width, Uint128 step) {
  const Uint128 rest = width - step;
  Uint128 doubled = step;
  Uint128 doublings = 0;
  for (; doubled < rest; doubled *= 2) ++doublings;
  if (checked_mul(doublings, epsilon.den) > epsilon.num) {
    for (;;) {
      if (below(bits, width) < step) return false;
      if (bernoulli_exp(bits, epsilon.num, epsilon.den)) return true;
    }
  }
  const Uint128 remaining = epsilon.num - doublings * epsilon.den;
  for (;;) {
    if (bits.bit()) return false;
    bool taken = bernoulli(bits, rest, doubled);
    for (Uint128 k = 0; taken && k < doublings; ++k) taken = bernoulli_two_over_e(bits);
    if (taken && bernoulli_exp(bits, remaining, epsilon.den)) return true;
  }
}

}  // namespace

Int128 Staircase::sample(BitSource& bits) const {
  if (step == 0 || step > width || width > Uint128{1} << 126) throw std::invalid_argument("step or width out of range");
  for (;;) {
    const bool negative = bits.bit();
    const Uint128 stair = geometric(bits, epsilon);
    const bool beyond = beyond_step(bits, epsilon, width, step);
    const Uint128 position = beyond ? step + below(bits, width - step) : below(bits, step);
    const Uint128 magnitude = checked_add(checked_mul(stair, width), position);
    if (negative && magnitude == 0) continue;
    return signed_magnitude(negative, magnitude);
  }
}

}  // namespace dp::noise
