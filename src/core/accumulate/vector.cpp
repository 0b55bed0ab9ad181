#include "core/accumulate/vector.h"

#include <limits>

namespace dp::aggregate {
namespace {

Int128 added(Int128 a, Int128 b) {
  Int128 sum;
  if (__builtin_add_overflow(a, b, &sum)) return a > 0 ? noise::kInt128Max : -noise::kInt128Max;
  return sum;
}

}  // namespace

ExactTotals exact_totals(const TotalsState& state, std::int64_t range) {
  const Uint128 all = static_cast<Uint128>(state.rows) * static_cast<Uint128>(range);
  return {{static_cast<Int128>(state.total), static_cast<Int128>(all - state.missing - state.total)},
          static_cast<Int128>(state.missing)};
}

ExactMoments exact_moments(const AllMomentsState& state, std::int64_t range) {
  const auto r = static_cast<Uint128>(range);
  const Uint128 above = state.total_squares;
  const Uint128 mixed = 2 * (r * state.total - above);
  const Uint128 missing = r * state.missing;
  const Uint128 below = state.rows * r * r - missing - above - mixed;
  return {{static_cast<Int128>(above), static_cast<Int128>(mixed), static_cast<Int128>(below)},
          static_cast<Int128>(missing)};
}

Int128 NoisyVector::sum(std::size_t numbers) const {
  Int128 sum = 0;
  for (std::size_t i = 0; i < numbers; ++i) sum = added(sum, noisy_[i]);
  return sum;
}

// X, or 2 X (X + Y), where X + Y is the range.
Int128 NoisyVector::above() const { return is_squared() ? added(added(noisy_[0], noisy_[0]), noisy_[1]) : noisy_[0]; }

Uint128 NoisyVector::step() const {
  const Uint128 step = is_squared() ? 2 * static_cast<Uint128>(form_.range) : 1;
  return step << form_.refinement;
}

Uint128 NoisyVector::row() const {
  const auto range = static_cast<Uint128>(form_.range);
  return (is_squared() ? range * range : range) << form_.refinement;
}

MeanPair NoisyVector::pair() const {
  if (!is_squared()) return {noisy_[0], noisy_[1]};
  return {added(noisy_[0], noisy_[1] / 2), added(noisy_[2], noisy_[1] / 2)};
}

std::int64_t NoisyVector::whole_rows(Int128 of_rows) const {
  if (of_rows <= 0) return 0;
  const Uint128 rows = (static_cast<Uint128>(of_rows) + row() / 2) / row();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return rows > static_cast<Uint128>(kMost) ? kMost : static_cast<std::int64_t>(rows);
}

}  // namespace dp::aggregate
