#include "core/noise/truncated_laplace.h"

#include "core/noise/primitives.h"

namespace dp::noise {
namespace {

Uint128 magnitude(Int128 x) { return static_cast<Uint128>(x < 0 ? -x : x); }

}  // namespace

Int128 TruncatedLaplace::sample(BitSource& bits) const {
  const Uint128 reach = checked_mul(whole.rate.num, bound);
  if ((reach | bound) >> 126) throw std::overflow_error("truncated Laplace beyond 126 bits");
  const bool flat = reach <= whole.rate.den;  // so that every weight is at least e^{-1}
  for (;;) {
    if (flat) {
      const Int128 x = static_cast<Int128>(below(bits, 2 * bound + 1)) - static_cast<Int128>(bound);
      if (bernoulli_exp_unit<Uint128>(bits, whole.rate.num * magnitude(x), whole.rate.den)) return x;
    } else {
      const Int128 x = whole.sample(bits);
      if (magnitude(x) <= bound) return x;
    }
  }
}

}  // namespace dp::noise
