// What the rows of one privacy unit may add to an aggregate: contribution bounding.
//
// A unit with more rows than may count is not cut down to some of them: all of its rows are used, and their state is
// limited to what `rows` rows could add up to. At the same noise that distorts less than choosing rows: a sum is cut
// only where it leaves rows * (lower .. upper), and means and moments keep the unit's own mean, at the weight of `rows`
// rows.
#pragma once

#include <algorithm>

#include "core/accumulate/state.h"

namespace dp::aggregate {

// What one row adds, in steps of the grid: 0 for rows that do not count.
struct RowSteps {
  std::int64_t low;
  std::int64_t high;
};

// The largest state that is limited.
union AnyState {
  State state;
  RegressionState largest;
};

// Whether limit_unit() knows states of that kind.
constexpr bool has_limit(Tag tag) { return tag != Tag::histogram && tag != Tag::sample && tag != Tag::points; }

// Calls visit() with a state of a kind that has_limit(), as what it is.
template <class Visit>
void with_kind(State& unit, Visit visit) {
  switch (unit.tag) {
    case Tag::count:
      return visit(static_cast<CountState&>(unit));
    case Tag::sum:
      return visit(static_cast<SumState&>(unit));
    case Tag::mean:
      return visit(static_cast<MeanState&>(unit));
    case Tag::moments:
      return visit(static_cast<MomentsState&>(unit));
    case Tag::totals:
      return visit(static_cast<TotalsState&>(unit));
    case Tag::all_moments:
      return visit(static_cast<AllMomentsState&>(unit));
    case Tag::covariance:
      return visit(static_cast<CovarianceState&>(unit));
    case Tag::regression:
      return visit(static_cast<RegressionState&>(unit));
    case Tag::histogram:
    case Tag::sample:
    case Tag::points:
      break;
  }
}

// Limits the state of one unit's rows to what `rows` >= 1 rows can add up to:
// - count: at most `rows`.
// - sum: within rows * min(low, 0) .. rows * max(high, 0).
// - mean, moments (steps from 0 to high): of n > rows rows, each coordinate of the MeanPair or MomentTriple gets the
//   share rows / n, rounded so that they stay non-negative and add up to rows * high, or to rows * high^2.
// - totals, all_moments: likewise each coordinate of the vector (vector.h), in which rows without a value are rows.
// - covariance, regression: each number of the vector (pairs.h) gets the share rows / n, rounded down.
// For states of rows within low .. high; a forged state becomes some valid one, without overflow. For kinds that
// has_limit().
void limit_unit(State& unit, std::uint32_t rows, const RowSteps& row);

// Whether two units may be taken for one: that takes something from an aggregate over such states, but a unit changes
// it by no more than if it were alone. That holds where each number is a sum of what is never negative, cut off at a
// limit that was there before: min(a + b, m) - min(b, m) is from 0 to min(a, m). It does not where numbers have both
// signs, from -m to m; nor where those of one state are cut off together, as a unit's own mean may draw the other's to
// the other end; nor where the limit is chosen by how many units have how much.
constexpr bool may_be_taken_for_one(Tag tag, const RowSteps& row, bool chooses_limit) {
  return !chooses_limit && (tag == Tag::count || (tag == Tag::sum && row.low >= 0));
}

// How many of a unit's rows count in one of its groups, if `most` may count in all. The group has `rows` of the unit's
// `all` rows, and its last one is the up_to-th of them. Over the groups of a unit, under one key, these add up to
// min(all, most); over all keys the average is most * rows/all where all > most. For 1 <= rows <= up_to <= all < 2^62
// and 1 <= most <= 2^62; 0 for other numbers.
std::int64_t share_of_rows(std::uint64_t key, std::int64_t most, std::int64_t rows, std::int64_t up_to,
                           std::int64_t all);

// How many of the first up_to of a unit's `all` rows count then: share_of_rows() is the difference of two. For
// 0 <= up_to <= all < 2^62 and 1 <= most < all.
std::int64_t counted_rows(std::uint64_t key, std::int64_t most, std::int64_t up_to, std::int64_t all);

// ---- what runs for each unit --------------------------------------------------------------------------------------

// floor(total * rows / n), for rows < n.
inline Uint128 share_of_total(Uint128 total, std::uint64_t rows, std::uint64_t n) {
  const auto part = [&](auto all) { return all / n * rows + all % n * rows / n; };
  // In 64 bits, which are several times as fast, where nothing overflows.
  return (total >> 64) == 0 && n >> 32 == 0 ? Uint128{part(static_cast<std::uint64_t>(total))} : part(total);
}

// limit_unit() of a state whose kind is known, and whose tag is not looked at.
void limit_state(MomentsState& unit, std::uint32_t rows, const RowSteps& row);
void limit_state(TotalsState& unit, std::uint32_t rows, const RowSteps& row);
void limit_state(AllMomentsState& unit, std::uint32_t rows, const RowSteps& row);
void limit_state(CovarianceState& unit, std::uint32_t rows, const RowSteps& row);
void limit_state(RegressionState& unit, std::uint32_t rows, const RowSteps& row);

inline void limit_state(CountState& unit, std::uint32_t rows, const RowSteps&) {
  unit.rows = std::min<std::uint64_t>(unit.rows, rows);
}

inline void limit_state(SumState& unit, std::uint32_t rows, const RowSteps& row) {
  const Int128 least = Int128{std::min<std::int64_t>(row.low, 0)} * rows;
  const Int128 most = Int128{std::max<std::int64_t>(row.high, 0)} * rows;
  unit.total = static_cast<Uint128>(std::clamp(static_cast<Int128>(unit.total), least, most));
}

// The pair is (total, rows * high - total).
inline void limit_state(MeanState& unit, std::uint32_t rows, const RowSteps&) {
  if (unit.rows <= rows) return;
  unit.total = share_of_total(unit.total, rows, unit.rows);
  unit.rows = rows;
}

}  // namespace dp::aggregate
