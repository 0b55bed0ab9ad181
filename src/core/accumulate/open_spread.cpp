#include "core/accumulate/open_spread.h"

#include <algorithm>
#include <cmath>

#include "core/noise/discrete_laplace.h"
#include "core/noise/interrupt.h"

namespace dp::aggregate {
namespace {

// How many times the scale of its noise a number has to be. e^-14 / 2 of the noise is larger.
constexpr double kStandsOut = 14, kIsThere = 3;

// Parts of the greatest magnitude. A range that was found well reaches so far; and one that is no wider is narrow: then
// values may all be alike.
constexpr double kFar = 1.0 / 8, kNarrow = 1.0 / 8;

bool shows_rows(const FoundRange& range, const MomentTriple& noisy, double scale) {
  const double rows = static_cast<double>(noisy.above + noisy.mixed + noisy.below);
  const bool far = std::fmax(-range.lower, range.upper) >= kFar * range.greatest;
  const bool narrow = range.upper - range.lower <= kNarrow * range.greatest;
  return far && static_cast<double>(noisy.mixed) > kStandsOut * scale &&
         (narrow || population_position(noisy) * rows > kIsThere * scale);
}

}  // namespace

OpenSpread::OpenSpread(const SortedPoints& rows, const OpenGrid& grid, mechanism::Epsilon epsilon, Uint128 at_once,
                       noise::BitSource& bits)
    : range_(find_range(rows, grid, {epsilon.nano / kParts}, at_once, bits)) {
  MomentsState state{};
  const double per_step = static_cast<double>(kSteps) / (range_.upper - range_.lower);
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    if (row % 65536 == 0) noise::check_interrupt();
    const double steps = (std::clamp(grid.step(rows.at(row)), range_.lower, range_.upper) - range_.lower) * per_step;
    state.add(std::clamp<std::int64_t>(std::lrint(steps), 0, kSteps));
  }
  const MomentTriple exact = moment_triple(state, kSteps);
  const mechanism::Epsilon of_moments{epsilon.nano - epsilon.nano / kParts};
  const auto squares = static_cast<Uint128>(kSteps) * kSteps;
  const noise::DiscreteLaplace law{of_moments.per(noise::checked_mul(squares, at_once))};
  noisy_ = {exact.above + law.sample(bits), exact.mixed + law.sample(bits), exact.below + law.sample(bits)};
  const double scale = static_cast<double>(law.rate.den) / static_cast<double>(law.rate.num);
  found_ = shows_rows(range_, noisy_, scale);
}

double OpenSpread::variance() const {
  const double width = range_.upper - range_.lower;
  return variance_position(noisy_, static_cast<double>(kSteps) * kSteps) * width * width;
}

double OpenSpread::population_variance() const {
  const double width = range_.upper - range_.lower;
  return population_position(noisy_) * width * width;
}

}  // namespace dp::aggregate
