#include "core/accumulate/bounds.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"

namespace dp::aggregate {
namespace {

// Whether the law only adds noise that does not depend on the count.
bool adds_noise(const mechanism::Law& law) {
  return std::visit(
      [](const auto& sampler) { return !mechanism::DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>; }, law);
}

}  // namespace

std::int64_t bounds_threshold(const mechanism::Calibration& noise, int bins) {
  if (!adds_noise(noise.law)) {
    throw Error("mechanism " + mechanism::format(noise.mechanism) +
                    " does more to a count than add noise, so no threshold tells empty bins from others",
                "For dp_bounds write geometric or gaussian(delta=1e-6), or leave the mechanism out.");
  }
  const mechanism::Within within = mechanism::within(noise.law);
  // Steps of the law that are rounded to less than t rows: halves are rounded away from zero.
  const auto below = [&noise](std::int64_t t) {
    return noise.refinement == 0 ? static_cast<double>(t - 1)
                                 : std::ldexp(static_cast<double>(t) - 0.5, static_cast<int>(noise.refinement)) - 1;
  };
  const auto rare = [&](std::int64_t t) { return bins * (1 - within(below(t))) <= kFalseAlarm; };
  // No count comes near this end. Where the tail does not fall below the limit before it, no bin passes.
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

Form with_noise(const Form& form, int coordinates, const mechanism::Calibration& noise) {
  Form noisy = form;
  noisy.refinement = static_cast<std::uint8_t>(noise.refinement);
  if (form.kind == Form::Kind::bounds) noisy.range = bounds_threshold(noise, coordinates);
  return noisy;
}

Form at_level(const Form& form, int coordinates, const mechanism::Mechanism& mechanism, mechanism::Epsilon level,
              noise::Uint128 rows) {
  Form other = form;
  if (form.kind != Form::Kind::bounds) return other;
  const auto noise = mechanism::calibrate(mechanism, level, mechanism::Changes::one(rows), mechanism::Lattice::integer);
  other.range = bounds_threshold(noise, coordinates);
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
