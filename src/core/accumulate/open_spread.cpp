#include "core/accumulate/open_spread.h"

#include <algorithm>
#include <cmath>

#include "core/accumulate/ends.h"
#include "core/accumulate/gaps.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/interrupt.h"

namespace dp::aggregate {
namespace {

// The digits of ends: relative steps of 2^-7.
constexpr int kDigits = 6;

// An end at which nobody is may be anything, and the noise goes by it: once in so many answers.
constexpr double kOdds = 1e5;

// The same rows on a coarser grid, towards 0.
class FewDigits final : public SortedPoints {
 public:
  FewDigits(const SortedPoints& rows, const OpenGrid& grid)
      : rows_(rows), grid_(grid), first_(coarse(grid.first)), last_(coarse(grid.last)) {}

  std::uint64_t size() const override { return rows_.size(); }
  std::uint32_t at(std::uint64_t row) const override {
    return static_cast<std::uint32_t>(coarse(grid_.first + rows_.at(row)) - first_);
  }

  std::int64_t points() const { return last_ - first_ + 1; }

  // The end of the numbers that are at the point or beyond it, on that side.
  double end(std::int64_t point, int side) const {
    const OpenGrid numbers{kDigits, first_ + point + side, 0};
    return numbers.step(0);
  }

 private:
  std::int64_t coarse(std::int64_t number) const {
    if (number == 0) return 0;
    const std::int64_t magnitude = (std::abs(number) - 1) >> (grid_.digits - kDigits);
    return number < 0 ? -magnitude - 1 : magnitude + 1;
  }

  const SortedPoints& rows_;
  const OpenGrid& grid_;
  std::int64_t first_, last_;
};

}  // namespace

OpenSpread::OpenSpread(const SortedPoints& rows, const OpenGrid& grid, mechanism::Epsilon epsilon, Uint128 at_once,
                       noise::BitSource& bits) {
  const mechanism::Epsilon of_end{epsilon.nano / kParts}, of_moments{epsilon.nano - 2 * of_end.nano};
  const FewDigits few(rows, grid);
  const Stretch all{0, rows.size(), 0, few.points() - 1};
  const noise::Utility rank = end_rank(of_end, static_cast<std::size_t>(few.points()), at_once, kOdds);
  const auto end = [&](noise::Utility from_below) {
    return choose_by_rank(few, all, from_below, 1, 1, end_rate(of_end, at_once), bits).point;
  };
  const std::int64_t low = end(rank), high = end(static_cast<noise::Utility>(rows.size()) - rank);
  lower_ = few.end(std::min(low, high), -1);
  upper_ = few.end(std::max(low, high), 1);
  MomentsState state{};
  const double per_step = static_cast<double>(kSteps) / (upper_ - lower_);
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    if (row % 65536 == 0) noise::check_interrupt();
    const double steps = (std::clamp(grid.step(rows.at(row)), lower_, upper_) - lower_) * per_step;
    state.add(std::clamp<std::int64_t>(std::lrint(steps), 0, kSteps));
  }
  const MomentTriple exact = moment_triple(state, kSteps);
  const auto squares = static_cast<Uint128>(kSteps) * kSteps;
  const noise::DiscreteLaplace law{of_moments.per(noise::checked_mul(squares, at_once))};
  noisy_ = {exact.above + law.sample(bits), exact.mixed + law.sample(bits), exact.below + law.sample(bits)};
}

double OpenSpread::variance() const {
  const double width = upper_ - lower_;
  return variance_position(noisy_, static_cast<double>(kSteps) * kSteps) * width * width;
}

double OpenSpread::population_variance() const {
  const double width = upper_ - lower_;
  return population_position(noisy_) * width * width;
}

}  // namespace dp::aggregate
