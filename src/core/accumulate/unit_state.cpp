#include "core/accumulate/unit_state.h"

#include <algorithm>

namespace dp::aggregate {
namespace {

// floor(total * rows / n), for rows < n.
Uint128 share(Uint128 total, std::uint64_t rows, std::uint64_t n) {
  const auto part = [&](auto all) { return all / n * rows + all % n * rows / n; };
  // In 64 bits, which are several times as fast, where nothing overflows.
  return (total >> 64) == 0 && n >> 32 == 0 ? Uint128{part(static_cast<std::uint64_t>(total))} : part(total);
}

void limit(CountState& unit, std::uint32_t rows) { unit.rows = std::min<std::uint64_t>(unit.rows, rows); }

void limit(SumState& unit, std::uint32_t rows, const RowSteps& row) {
  const Int128 least = Int128{std::min<std::int64_t>(row.low, 0)} * rows;
  const Int128 most = Int128{std::max<std::int64_t>(row.high, 0)} * rows;
  unit.total = static_cast<Uint128>(std::clamp(static_cast<Int128>(unit.total), least, most));
}

// The pair is (total, rows * high - total).
void limit(MeanState& unit, std::uint32_t rows) {
  if (unit.rows <= rows) return;
  unit.total = share(unit.total, rows, unit.rows);
  unit.rows = rows;
}

// The triple is (squares, 2 (high total - squares), rows high^2 - 2 high total + squares). With t = floor(total rows /
// n), which is at most rows * high, and s = min(floor(squares rows / n), high t): the second is non-negative as s <=
// high t. The third is, where s is the floor, as 2 high t <= rows high^2 + squares rows / n, whose left side is whole;
// and where s = high t, as t <= rows high.
void limit(MomentsState& unit, std::uint32_t rows, const RowSteps& row) {
  if (unit.rows <= rows) return;
  unit.total = share(unit.total, rows, unit.rows);
  unit.total_squares =
      std::min(share(unit.total_squares, rows, unit.rows), static_cast<Uint128>(row.high) * unit.total);
  unit.rows = rows;
}

}  // namespace

void limit_unit(State& unit, std::uint32_t rows, const RowSteps& row) {
  switch (unit.tag) {
    case Tag::count:
      return limit(static_cast<CountState&>(unit), rows);
    case Tag::sum:
      return limit(static_cast<SumState&>(unit), rows, row);
    case Tag::mean:
      return limit(static_cast<MeanState&>(unit), rows);
    case Tag::moments:
      return limit(static_cast<MomentsState&>(unit), rows, row);
    case Tag::histogram:
    case Tag::sample:
      return;
  }
}

// Systematic sampling: row i counts where the whole part of (i most + r)/all grows, with r from 0 to all - 1 by the
// key. At row 0 that is 0, at row `all` it is `most`, and it never grows by more than one.
std::int64_t share_of_rows(std::uint64_t key, std::int64_t most, std::int64_t rows, std::int64_t up_to,
                           std::int64_t all) {
  if (rows < 1 || up_to < rows || all < up_to || most < 1) return 0;
  if (all <= most) return rows;
  const auto start = static_cast<Int128>(key % static_cast<std::uint64_t>(all));
  const auto wholes = [&](std::int64_t row) { return (Int128{row} * most + start) / all; };
  return static_cast<std::int64_t>(wholes(up_to) - wholes(up_to - rows));
}

}  // namespace dp::aggregate
