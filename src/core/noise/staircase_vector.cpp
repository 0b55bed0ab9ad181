#include "core/noise/staircase_vector.h"

#include "core/noise/discrete_laplace.h"
#include "core/noise/primitives.h"

namespace dp::noise {

void StaircaseVector::sample(BitSource& bits, Int128* noise) const {
  if (step == 0 || step > width || coordinates < 2 || coordinates > kMaxCoordinates)
    throw std::invalid_argument("step or coordinates out of range");
  const Ratio rate = ratio(epsilon.num, checked_mul(epsilon.den, width));
  if (rate.num > (Uint128{1} << 125) / width) throw std::invalid_argument("width out of range");
  const DiscreteLaplace proposal{rate};
  for (;;) {
    Uint128 norm = 0;
    for (unsigned i = 0; i < coordinates; ++i) {
      noise[i] = proposal.sample(bits);
      norm = checked_add(norm, static_cast<Uint128>(noise[i] < 0 ? -noise[i] : noise[i]));
    }
    // width N - (norm - step + 1), from 0 to width - 1 but where the norm is below the first step.
    const Uint128 missing = norm < step ? step - 1 - norm : width - 1 - (norm - step) % width;
    if (bernoulli_exp(bits, checked_mul(rate.num, missing), rate.den)) return;
  }
}

}  // namespace dp::noise
