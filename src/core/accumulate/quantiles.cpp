#include "core/accumulate/quantiles.h"

#include <algorithm>
#include <bit>

#include "core/mechanism/error.h"
#include "core/noise/interrupt.h"

namespace dp::aggregate {
namespace {

using noise::Utility;

// Some consecutive points and the rows at them that are still to be parted, with the fractions of all rows between
// which they lie.
struct Counts {
  std::int64_t first;
  std::vector<std::uint64_t> counts;
  Fraction low;
  Fraction high;
};

// So many candidates at most, and parts of a cell.
constexpr std::size_t kMostCandidates = 32'000, kMostParts = 256;

std::size_t parts_of_cells(std::size_t cells) {
  return std::clamp<std::size_t>(kMostCandidates / cells, 1, kMostParts);
}

// In 1/parts of those of quantile.h.
std::vector<Utility> utilities_of_parts(std::span<const std::uint64_t> counts, Fraction fraction, std::size_t parts) {
  const auto scale = static_cast<Utility>(parts), one = static_cast<Utility>(Fraction::kPerUnit);
  Utility rows = 0;
  for (const std::uint64_t count : counts) rows += count;
  const Utility rank = ((rows - 1) * fraction.nano + one / 2) * scale;
  std::vector<Utility> utilities;
  utilities.reserve(counts.size() * parts);
  Utility through = 0;
  for (const std::uint64_t count : counts) {
    for (std::size_t part = 0; part < parts; ++part) {
      const Utility before = through;
      through += static_cast<Utility>(count) * one;
      utilities.push_back(-std::max({Utility{0}, before - rank, rank - through}));
    }
  }
  return utilities;
}

class Quantiles {
 public:
  Quantiles(std::span<const Fraction> fractions, mechanism::Epsilon round, noise::Uint128 rows, const Choose& choose)
      : fractions_(fractions), round_(round), rows_(rows), choose_(choose), points_(fractions.size()) {}

  // Those from `from` to before `to`, which lie in the stretch.
  void find(std::size_t from, std::size_t to, const Counts& rows) {
    if (from == to) return;
    noise::check_interrupt();
    const std::size_t middle = from + (to - from) / 2;
    const Fraction fraction = fraction_within(fractions_[middle], rows.low, rows.high);
    const std::size_t parts = to - from == 1 ? 1 : parts_of_cells(rows.counts.size());
    const auto rate =
        round_.per(noise::checked_mul(noise::checked_mul(fraction.range(), rows_), static_cast<noise::Uint128>(parts)));
    const std::size_t chosen = choose_(utilities_of_parts(rows.counts, fraction, parts), rate);
    const auto cell = static_cast<std::ptrdiff_t>(chosen / parts);
    points_[middle] = rows.first + cell;
    if (to - from == 1) return;
    const auto at = rows.counts.begin() + cell;
    Counts below{rows.first, {rows.counts.begin(), at + 1}, rows.low, fractions_[middle]};
    below.counts.back() =
        static_cast<std::uint64_t>(static_cast<noise::Uint128>(*at) * (2 * (chosen % parts) + 1) / (2 * parts));
    Counts above{points_[middle], {at, rows.counts.end()}, fractions_[middle], rows.high};
    above.counts.front() -= below.counts.back();
    find(from, middle, below);
    find(middle + 1, to, above);
  }

  std::vector<std::int64_t> points() && { return std::move(points_); }

 private:
  std::span<const Fraction> fractions_;
  mechanism::Epsilon round_;
  noise::Uint128 rows_;
  const Choose& choose_;
  std::vector<std::int64_t> points_;
};

}  // namespace

Fraction fraction_within(Fraction fraction, Fraction low, Fraction high) {
  const std::uint64_t width = high.nano - low.nano, from = fraction.nano - low.nano;
  return {static_cast<std::uint32_t>((from * Fraction::kPerUnit + width / 2) / width)};
}

int rounds_of_quantiles(std::size_t fractions) { return static_cast<int>(std::bit_width(fractions)); }

mechanism::Epsilon epsilon_of_round(mechanism::Epsilon epsilon, std::size_t fractions) {
  const mechanism::Epsilon round{epsilon.nano / static_cast<std::uint64_t>(rounds_of_quantiles(fractions))};
  if (round.nano > 0) return round;
  throw Error("epsilon " + mechanism::decimal(epsilon.value()) + " is too small for " + std::to_string(fractions) +
                  " quantiles",
              "Ask at a larger epsilon, or for fewer quantiles.");
}

std::vector<std::int64_t> quantile_points(std::span<const std::uint64_t> counts, std::span<const Fraction> fractions,
                                          mechanism::Epsilon epsilon, noise::Uint128 rows, const Choose& choose) {
  Quantiles quantiles(fractions, epsilon_of_round(epsilon, fractions.size()), rows, choose);
  quantiles.find(0, fractions.size(), {0, {counts.begin(), counts.end()}, {0}, {Fraction::kPerUnit}});
  return std::move(quantiles).points();
}

}  // namespace dp::aggregate
