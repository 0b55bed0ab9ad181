#include "core/noise/laplace_mixture.h"

#include "core/noise/discrete_laplace.h"
#include "core/noise/primitives.h"

namespace dp::noise {

namespace {

// Atom i with probability exactly weight_i/total. Proof: given that none before it was taken, it is taken with
// probability weight_i over what is left of the total; the last one takes all that is left.
const LaplaceMixture::Atom& choose(BitSource& bits, const LaplaceMixture& law) {
  Uint128 left = law.total;
  for (unsigned i = 0; i + 1 < law.count; ++i) {
    if (bernoulli(bits, law.atoms[i].weight, left)) return law.atoms[i];
    left -= law.atoms[i].weight;
  }
  return law.atoms[law.count - 1];
}

}  // namespace

Int128 LaplaceMixture::sample(BitSource& bits) const { return DiscreteLaplace{choose(bits, *this).rate}.sample(bits); }

}  // namespace dp::noise
