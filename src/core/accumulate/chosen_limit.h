// Limits of privacy units that nobody declared: chosen privately from what the units add up to, in the pass that adds
// them up.
//
// A unit's magnitude is what its limit is compared with: its rows in all groups together, or for a sum the absolute
// totals of its groups, added up. Units are counted by their magnitudes in bins; the ends of the bins, two for each
// power of 2, are the limits that may be chosen. Each unit is in one bin, so that these counts, with discrete Laplace
// noise of rate epsilon on each, are epsilon-DP together, as any histogram. Which limit is chosen is computed from them
// alone. The totals under each of the limits are kept meanwhile (limited_totals.h); the one that is told has noise by
// the limit that was chosen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/accumulate/unit_state.h"

namespace dp::aggregate {

// The limits that may be chosen: 1, 2, 3, 4, 6, 8, 12, 16, ... of a unit of the scale.
class LimitScale {
 public:
  static constexpr int kMost = 162;                    // limits: of a row of 2^63 steps
  static constexpr std::uint32_t kMostRows = 1 << 16;  // the largest limit of rows

  // Of rows: 1 to kMostRows; 6 are usual.
  static constexpr LimitScale of_rows() { return {0, 32, 4}; }

  // Of totals of such rows: from the 65,536th of what one row can add, which is usual, to what kMostRows can. `rounded`:
  // values are rounded to steps, of which a row adds so many that the noise for a thousandth of it still hides that.
  static LimitScale of_totals(const RowSteps& row, bool rounded);

  // The same where nobody has said what a row can add, so that `row` is as wide as its type: from one step on, or
  // 2^10 of those that values are rounded to, and all are usual.
  static LimitScale of_open_totals(const RowSteps& row, bool rounded);

  int size() const { return size_; }

  // The number of a limit up to which no unit is thought to stand far above the others.
  int usual() const { return usual_; }

  // None is more usual than another: one that is found where there is nobody makes an answer of any size.
  bool all_usual() const { return usual_ == size_; }

  Uint128 limit(int number) const { return limit_in_units(number) << shift_; }

  // The number of the smallest limit that cuts nothing of that magnitude; size() where each of them does.
  int bin_of(Uint128 magnitude) const;

 private:
  constexpr LimitScale(unsigned shift, int size, int usual) : shift_(shift), size_(size), usual_(usual) {}

  static Uint128 limit_in_units(int number) {
    if (number == 0) return 1;
    return number % 2 == 1 ? Uint128{1} << (number + 1) / 2 : Uint128{3} << (number / 2 - 1);
  }

  unsigned shift_;
  int size_;
  int usual_;
};

// The limit of the scale by which noise and what is cut are about smallest together. `units`: the noisy counts of its
// size() + 1 bins, each with noise of rate `counted` (a number above 0); the answer under a limit c has noise of rate
// `answered`/c. The choice depends on nothing else. `means`: the answer is a mean or a spread. What is cut of a unit is
// its weight there, and shifts the answer only as far as units with more rows have other values: of all that is cut by
// a thousandth of the distance between the bounds, as is assumed (of the costs of the demo by less than a tenth of it).
//
// A bin that is far above what is usual, and above the others, is believed only where its count is far above the noise:
// for each two bins the limit would be twice as large. What lies above those that are believed, less in each bin than
// its noise, is thought to be what a smooth tail of their counts has there, as far as the counts do not contradict it.
// Where no bin stands out several may do so together (faint_counts.h).
//
// Where there is nobody a limit is found by noise alone. Among the usual ones that does little harm: an answer has the
// noise of a few rows. Where all limits are usual its noise may be of any size. So there the fullest of B bins has to
// be ln(B/2b) times as large as the noise, and by noise alone one of them is as large with probability
//   1 - (1 - e^-em/(1 + e^-e))^B,    e = `counted`, m the least whole number with em >= ln(B/2b),
// which is b = 1e-4 for a small e and less than twice that for any.
//
// Simulated against the best limit in hindsight, on a grid of 2 %: 1.1 to 2 times its error for Poisson, geometric,
// uniform, lognormal (sigma 0.5 to 2) and Pareto totals of 20,000 to 2,000,000 units at epsilon .1 and 1.
struct ChosenLimit {
  int number;
  double cut;  // what it leaves out, beside each unit of magnitude that counts; estimated from the noisy counts; >= 0
  bool found;  // false: the noisy counts do not tell which limit is good, and the answer may be far off
};
ChosenLimit choose_limit(const LimitScale& scale, noise::Int128View units, double counted, double answered, bool means);

// ---- what runs for each unit --------------------------------------------------------------------------------------

// What the limit of a unit with that state is compared with.
template <class S>
Uint128 magnitude_of(const S& unit) {
  return unit.rows;
}
template <>
inline Uint128 magnitude_of(const SumState& unit) {
  return static_cast<Int128>(unit.total) < 0 ? -unit.total : unit.total;
}

// Limits a state of non-zero magnitude to one of at most `most` >= 1.
template <class S>
void limit_magnitude(S& unit, Uint128 most, const RowSteps& row) {
  limit_state(unit, static_cast<std::uint32_t>(std::min<Uint128>(most, LimitScale::kMostRows)), row);
}
template <>
inline void limit_magnitude(SumState& unit, Uint128 most, const RowSteps&) {
  const auto signed_most = static_cast<Int128>(most);
  unit.total = static_cast<Uint128>(std::clamp(static_cast<Int128>(unit.total), -signed_most, signed_most));
}

// Shares a limit below `sum` among the groups of a unit, whose magnitudes add up to that: each gets about the same part
// of its own, rounded by the key so that the shares add up to the limit at most. Nothing overflows for magnitudes that
// add up to less than 2^127.
void share_limit(std::uint64_t key, Uint128 limit, Uint128 sum, const Uint128* magnitudes, std::size_t groups,
                 Uint128* shares);

}  // namespace dp::aggregate
