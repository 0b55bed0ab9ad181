#include "core/noise/rounded_geometric.h"

namespace dp::noise {

Int128 RoundedGeometric::multiple(Int128 exact) const {
  const auto divisor = static_cast<Int128>(step);
  const Int128 shifted = exact + divisor / 2;
  return shifted / divisor - (shifted % divisor < 0 ? 1 : 0);
}

Int128 RoundedGeometric::release(Int128 exact, BitSource& bits) const {
  Int128 answer;
  if (__builtin_add_overflow(multiple(exact), noise.sample(bits), &answer) ||
      __builtin_mul_overflow(answer, static_cast<Int128>(step), &answer)) {
    throw std::overflow_error("answer beyond 127 bits");
  }
  return answer;
}

}  // namespace dp::noise
