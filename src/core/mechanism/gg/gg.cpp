// gg(p=..., delta=...): generalised Gaussian noise, of probability proportional to e^{-(|x|/b)^p}, at the smallest b
// that is certified for the integer law that is sampled.
//
// Source: Liu, "Generalized Gaussian Mechanism for Differential Privacy" (2019); its corollary 9 is a bound, here the
// tails are exact. definition=probabilistic (the paper's): the loss exceeds epsilon with probability delta at most,
// which implies (epsilon, delta)-differential privacy; definition=approximate is that itself and needs less noise. The
// proofs stand in generalised_gaussian_delta.h. For p > 2 the loss is worst off the axes, so m coordinates that change
// at once each get epsilon/m, delta/m and their own sensitivity; basic composition, or the union bound, gives epsilon
// and delta.
#include <string>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/gg/generalised_gaussian_delta.h"
#include "core/mechanism/gg/power_keys.h"
#include "core/mechanism/gg/power_shape.h"
#include "core/mechanism/split_epsilon.h"

namespace dp::mechanism {
namespace {

constexpr std::string_view kDefinitions[] = {"probabilistic", "approximate"};
constexpr Key kKeys[] = {
    {"p", Key::Type::number}, {"delta", Key::Type::delta}, {"definition", Key::Type::choice, kDefinitions}};

noise::Power power(const Mechanism& m) { return required_power(m, 0); }

Definition definition(const Mechanism& m) {
  return std::get<Choice>(m.values[2]).index == 0 ? Definition::probabilistic : Definition::approximate;
}

void check(const Mechanism& m) { power(m); }

Calibration calibrate_gg(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice) {
  const Shares share = share_of(epsilon, delta_of(m), changes.coordinates);
  return {m, certified_scale(definition(m), power(m), changes.linf, share.epsilon, share.delta), 0};
}

Description describe_gg(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  if (lattice == Lattice::integer) {
    const auto changes = Changes::one(static_cast<noise::Uint128>(sensitivity));
    const auto law = std::get<noise::GeneralisedGaussian>(calibrate_gg(m, epsilon, changes, lattice).law);
    const PowerShape shape = integer_power_shape(law.power, law.scale());
    return {m, shape.loss, shape.within, shape.phi};
  }
  const double b = continuous_scale(definition(m), power(m), epsilon, delta_of(m)) * sensitivity;
  const PowerShape shape = continuous_power_shape(power(m), b);
  return {m, shape.loss, shape.within, shape.phi};
}

}  // namespace

Loss loss(const noise::GeneralisedGaussian& law) { return integer_power_shape(law.power, law.scale()).loss; }

Within within(const noise::GeneralisedGaussian& law) { return integer_power_shape(law.power, law.scale()).within; }

const Family kGg{"gg", "gg(p=3, delta=1e-6)", kKeys, check, calibrate_gg, describe_gg};

}  // namespace dp::mechanism
