#include "aggregate/bounds.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "aggregate/release.h"
#include "mechanism/error.h"
#include "mechanism/text.h"

namespace dp::aggregate {
namespace {

// Whether the mechanism only adds to a count, and what does not depend on it.
bool adds_noise(const mechanism::Mechanism& m, mechanism::Epsilon epsilon) {
  const auto law = mechanism::calibrate(m, epsilon, mechanism::Changes::one(1), mechanism::Lattice::integer).law;
  return std::visit(
      [](const auto& sampler) { return !mechanism::DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>; }, law);
}

}  // namespace

std::int64_t bounds_threshold(const mechanism::Mechanism& m, mechanism::Epsilon epsilon, int bins,
                              noise::Uint128 rows) {
  if (!adds_noise(m, epsilon)) {
    throw Error("mechanism " + mechanism::format(m) +
                    " does more to a count than add noise, so no threshold tells empty bins from others",
                "For dp_bounds write geometric or gaussian(delta=1e-6), or leave the mechanism out.");
  }
  const auto noise = mechanism::describe(m, epsilon, static_cast<double>(rows), mechanism::Lattice::integer);
  const auto rare = [&](std::int64_t t) {
    return bins * (1 - noise.within(static_cast<double>(t - 1))) <= kFalseAlarm;
  };
  // Counts do not come near the end, so that where a tail does not fall below the limit before it, nothing passes.
  constexpr std::int64_t kEnd = std::int64_t{1} << 62;
  std::int64_t high = 1;
  while (high < kEnd && !rare(high)) high *= 2;
  for (std::int64_t low = high / 2; high - low > 1;) {
    const std::int64_t middle = low + (high - low) / 2;
    (rare(middle) ? high : low) = middle;
  }
  return high;
}

Form bounds_form(const PowerBins& bins, std::int64_t threshold) {
  return {.kind = Form::Kind::bounds, .exponent = bins.lowest, .range = threshold};
}

Form at_level(const Form& form, int coordinates, const mechanism::Mechanism& mechanism, mechanism::Epsilon level,
              noise::Uint128 rows) {
  Form other = form;
  if (form.kind == Form::Kind::bounds) other.range = bounds_threshold(mechanism, level, coordinates, rows);
  return other;
}

std::optional<Bounds> found_bounds(const Form& form, noise::Int128View noisy) {
  const auto passes = [&form](Int128 count) { return to_int64(count, form.refinement) >= form.range; };
  const Int128* const first = std::find_if(noisy.begin(), noisy.end(), passes);
  if (first == noisy.end()) return std::nullopt;
  const Int128* last = noisy.end() - 1;
  while (!passes(*last)) --last;
  const PowerBins bins{form.exponent, static_cast<int>(noisy.size / 2)};
  return Bounds{bins.lower_edge(static_cast<int>(first - noisy.begin())),
                bins.upper_edge(static_cast<int>(last - noisy.begin()))};
}

}  // namespace dp::aggregate
