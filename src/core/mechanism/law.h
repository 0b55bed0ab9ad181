// The laws on the integers that are sampled, as plain data.
#pragma once

#include <stdexcept>
#include <type_traits>
#include <variant>

#include "core/noise/discrete_gaussian.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/gaussian_path.h"
#include "core/noise/generalised_gaussian.h"
#include "core/noise/laplace_mixture.h"
#include "core/noise/range_noise.h"
#include "core/noise/rounded_geometric.h"
#include "core/noise/staircase.h"

namespace dp::mechanism {

using Law = std::variant<noise::DiscreteLaplace, noise::Staircase, noise::RoundedGeometric, noise::DiscreteGaussian,
                         noise::LaplaceMixture, noise::GeneralisedGaussian, noise::TruncatedGeneralisedGaussian,
                         noise::BoundaryInflatedGaussian, noise::GaussianLevel>;

// A law lives in PostgreSQL's memory contexts, where no destructor runs.
static_assert(std::is_trivially_copyable_v<Law> && std::is_trivially_destructible_v<Law>);

// Whether the law depends on the exact answer, so that it is not an addend: then it has release() in place of sample().
template <class Sampler>
concept DependsOnAnswer = requires(const Sampler& sampler, noise::BitSource& bits) {
  sampler.release(noise::Int128{}, bits);
};

// One draw. Vectors draw once per coordinate. Throws std::logic_error for a law that depends on the exact answer.
inline noise::Int128 sample(const Law& law, noise::BitSource& bits) {
  return std::visit(
      [&](const auto& sampler) -> noise::Int128 {
        if constexpr (DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>) {
          throw std::logic_error("law is not an addend");
        } else {
          return sampler.sample(bits);
        }
      },
      law);
}

// The noisy integer in place of the exact one; the ends of the 128-bit range where it would leave that.
inline noise::Int128 release(const Law& law, noise::Int128 exact, noise::BitSource& bits) {
  return std::visit(
      [&](const auto& sampler) -> noise::Int128 {
        if constexpr (DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>) {
          return sampler.release(exact, bits);
        } else {
          noise::Int128 noisy;
          if (!__builtin_add_overflow(exact, sampler.sample(bits), &noisy)) return noisy;
          return exact > 0 ? noise::kInt128Max : -noise::kInt128Max;
        }
      },
      law);
}

}  // namespace dp::mechanism
