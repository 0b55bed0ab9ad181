// The limits of a privacy unit that may be chosen where nobody declared one, and what a unit has left under one.
//
// A unit's magnitude is what its limit is compared with: its rows in all groups together, or for a sum the absolute
// totals of its groups, added up.
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

// One of a scale that was chosen by noisy counts.
struct ChosenLimit {
  int number;
  double cut;  // what it leaves out, beside each unit of magnitude that counts; estimated from the noisy counts; >= 0
  bool found;  // false: the noisy counts do not tell which limit is good, and the answer may be far off
};
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
