// The mixture of discrete Laplaces, from its definition: a law as those of support/laws.h.
#pragma once

#include <vector>

#include "core/noise/laplace_mixture.h"
#include "support/laws.h"

namespace dp::test {

class MixtureLaw : public Symmetric<MixtureLaw> {
 public:
  explicit MixtureLaw(const noise::LaplaceMixture& law) {
    const auto real = [](noise::Uint128 value) {
      return Real(ldexp(Real(static_cast<std::uint64_t>(value >> 64)), 64) + Real(static_cast<std::uint64_t>(value)));
    };
    for (unsigned i = 0; i < law.count; ++i) {
      const auto& [weight, rate] = law.atoms[i];
      parts_.push_back({real(weight) / real(law.total), LaplaceLaw(real(rate.num) / real(rate.den))});
    }
  }

  Real mass(std::int64_t x) const {
    Real sum = 0;
    for (const auto& [weight, law] : parts_) sum += weight * law.mass(x);
    return sum;
  }

  Real upper(std::int64_t x) const {
    Real sum = 0;
    for (const auto& [weight, law] : parts_) sum += weight * law.upper(x);
    return sum;
  }

 private:
  struct Part {
    Real weight;
    LaplaceLaw law;
  };
  std::vector<Part> parts_;
};

}  // namespace dp::test
