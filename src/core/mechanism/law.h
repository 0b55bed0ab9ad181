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
#include "core/noise/staircase_vector.h"

namespace dp::mechanism {

using Law = std::variant<noise::DiscreteLaplace, noise::Staircase, noise::RoundedGeometric, noise::DiscreteGaussian,
                         noise::LaplaceMixture, noise::GeneralisedGaussian, noise::TruncatedGeneralisedGaussian,
                         noise::BoundaryInflatedGaussian, noise::GaussianLevel, noise::StaircaseVector>;

// A law lives in PostgreSQL's memory contexts, where no destructor runs.
static_assert(std::is_trivially_copyable_v<Law> && std::is_trivially_destructible_v<Law>);

// Whether the law depends on the exact answer, so that it is not an addend: then it has release() in place of sample().
template <class Sampler>
concept DependsOnAnswer = requires(const Sampler& sampler, noise::BitSource& bits) {
  sampler.release(noise::Int128{}, bits);
};

// Whether the law is that of all coordinates of a vector, which are drawn at once.
template <class Sampler>
concept IsOfVectors = requires(const Sampler& sampler, noise::BitSource& bits, noise::Int128* noise) {
  sampler.sample(bits, noise);
};

// One draw. Vectors draw once per coordinate, but of a law of vectors. Throws std::logic_error for such a law, and for
// one that depends on the exact answer.
inline noise::Int128 sample(const Law& law, noise::BitSource& bits) {
  return std::visit(
      [&](const auto& sampler) -> noise::Int128 {
        if constexpr (DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>) {
          throw std::logic_error("law is not an addend");
        } else if constexpr (IsOfVectors<std::remove_cvref_t<decltype(sampler)>>) {
          throw std::logic_error("law is of a vector");
        } else {
          return sampler.sample(bits);
        }
      },
      law);
}

// exact + noise; the ends of the 128-bit range where it would leave that.
inline noise::Int128 with_addend(noise::Int128 exact, noise::Int128 noise) {
  noise::Int128 noisy;
  if (!__builtin_add_overflow(exact, noise, &noisy)) return noisy;
  return exact > 0 ? noise::kInt128Max : -noise::kInt128Max;
}

// The noisy integer in place of the exact one; the ends of the 128-bit range where it would leave that.
inline noise::Int128 release(const Law& law, noise::Int128 exact, noise::BitSource& bits) {
  return std::visit(
      [&](const auto& sampler) -> noise::Int128 {
        if constexpr (DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>) {
          return sampler.release(exact, bits);
        } else if constexpr (IsOfVectors<std::remove_cvref_t<decltype(sampler)>>) {
          throw std::logic_error("law is of a vector");
        } else {
          return with_addend(exact, sampler.sample(bits));
        }
      },
      law);
}

// The same of all numbers that are released together; `noisy` may be where `exact` is. Throws std::logic_error where a
// law of vectors is of another size.
inline void release_all(const Law& law, noise::Int128View exact, noise::BitSource& bits, noise::Int128* noisy) {
  const auto* const vector = std::get_if<noise::StaircaseVector>(&law);
  if (vector == nullptr) {
    for (std::size_t i = 0; i < exact.size; ++i) noisy[i] = release(law, exact[i], bits);
    return;
  }
  if (exact.size != vector->coordinates) throw std::logic_error("law is of a vector of another size");
  noise::Int128 noise[noise::StaircaseVector::kMaxCoordinates];
  vector->sample(bits, noise);
  for (std::size_t i = 0; i < exact.size; ++i) noisy[i] = with_addend(exact[i], noise[i]);
}

}  // namespace dp::mechanism
