#include "core/accumulate/unit_state.h"

namespace dp::aggregate {
namespace {

// The triple is (squares, 2 (high total - squares), rows high^2 - 2 high total + squares). With t = floor(total rows /
// n), which is at most rows * high, and s = min(floor(squares rows / n), high t): the second is non-negative as s <=
// high t. The third is, where s is the floor, as 2 high t <= rows high^2 + squares rows / n, whose left side is whole;
// and where s = high t, as t <= rows high.
template <class S>
void share_squares(S& unit, std::uint32_t rows, const RowSteps& row) {
  unit.total = share_of_total(unit.total, rows, unit.rows);
  unit.total_squares =
      std::min(share_of_total(unit.total_squares, rows, unit.rows), static_cast<Uint128>(row.high) * unit.total);
}

// The numbers of n rows are never negative and add up to what n rows add; their shares to no more than `rows` rows add.
template <class S>
void share_pairs(S& unit, std::uint32_t rows) {
  if (unit.rows <= rows) return;
  for (Uint128& number : unit.numbers) number = share_of_total(number, rows, unit.rows);
  unit.missing = share_of_total(unit.missing, rows, unit.rows);
  unit.rows = rows;
}

}  // namespace

void limit_state(MomentsState& unit, std::uint32_t rows, const RowSteps& row) {
  if (unit.rows <= rows) return;
  share_squares(unit, rows, row);
  unit.rows = rows;
}

// The coordinates are (total, rows high - total - missing, missing): two floors add up to rows * high at most.
void limit_state(TotalsState& unit, std::uint32_t rows, const RowSteps&) {
  if (unit.rows <= rows) return;
  unit.total = share_of_total(unit.total, rows, unit.rows);
  unit.missing = share_of_total(unit.missing, rows, unit.rows);
  unit.rows = rows;
}

// The triple has rows high - missing in the place of rows high, and the fourth is high missing. What is said above
// holds with the floor of the share of `missing`, by which the third only grows.
void limit_state(AllMomentsState& unit, std::uint32_t rows, const RowSteps& row) {
  if (unit.rows <= rows) return;
  share_squares(unit, rows, row);
  unit.missing = share_of_total(unit.missing, rows, unit.rows);
  unit.rows = rows;
}

void limit_state(CovarianceState& unit, std::uint32_t rows, const RowSteps&) { share_pairs(unit, rows); }
void limit_state(RegressionState& unit, std::uint32_t rows, const RowSteps&) { share_pairs(unit, rows); }

void limit_unit(State& unit, std::uint32_t rows, const RowSteps& row) {
  with_kind(unit, [&](auto& known) { limit_state(known, rows, row); });
}

// Systematic sampling: row i counts where the whole part of (i most + r)/all grows, with r from 0 to all - 1 by the
// key. At row 0 that is 0, at row `all` it is `most`, and it never grows by more than one.
std::int64_t counted_rows(std::uint64_t key, std::int64_t most, std::int64_t up_to, std::int64_t all) {
  const auto n = static_cast<std::uint64_t>(all), factor = static_cast<std::uint64_t>(most);
  const auto rows = static_cast<std::uint64_t>(up_to), start = key % n;
  // In 64 bits, which are several times as fast, where nothing overflows.
  if (((n | factor) >> 31) == 0) return static_cast<std::int64_t>((rows * factor + start) / n);
  return static_cast<std::int64_t>((static_cast<Uint128>(rows) * factor + start) / n);
}

std::int64_t share_of_rows(std::uint64_t key, std::int64_t most, std::int64_t rows, std::int64_t up_to,
                           std::int64_t all) {
  if (rows < 1 || up_to < rows || all < up_to || most < 1) return 0;
  if (all <= most) return rows;
  return counted_rows(key, most, up_to, all) - counted_rows(key, most, up_to - rows, all);
}

}  // namespace dp::aggregate
