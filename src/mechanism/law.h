// The laws on the integers that are sampled, as plain data.
#pragma once

#include <type_traits>
#include <variant>

#include "noise/discrete_gaussian.h"
#include "noise/discrete_laplace.h"
#include "noise/staircase.h"

namespace dp::mechanism {

using Law = std::variant<noise::DiscreteLaplace, noise::Staircase, noise::DiscreteGaussian>;

// A law lives in PostgreSQL's memory contexts, where no destructor runs.
static_assert(std::is_trivially_copyable_v<Law> && std::is_trivially_destructible_v<Law>);

// One draw. Vectors draw once per coordinate.
inline noise::Int128 sample(const Law& law, noise::BitSource& bits) {
  return std::visit([&](const auto& sampler) { return sampler.sample(bits); }, law);
}

}  // namespace dp::mechanism
