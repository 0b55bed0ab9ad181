#include "guard/groups/key_cells.h"

#include <algorithm>
#include <cmath>

#include "guard/functions/moment_fields.h"
#include "guard/groups/key_steps.h"
#include "guard/groups/moment_cells.h"
#include "guard/groups/values_from_quals.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Datum from_whole(Oid type, std::int64_t value) {
  if (type == INT2OID) return Int16GetDatum(static_cast<int16>(value));
  return type == INT4OID || type == DATEOID ? Int32GetDatum(static_cast<int32>(value)) : Int64GetDatum(value);
}

Datum from_real(Oid type, double value) {
  if (type == FLOAT4OID) return Float4GetDatum(static_cast<float4>(value));
  if (type == FLOAT8OID) return Float8GetDatum(value);
  return DirectFunctionCall1(float8_numeric, Float8GetDatum(value));
}

// Whether seconds that are calculated with and rounded, up or to the nearest, tell each microsecond from the one
// before, as floating-point numbers, too: within 2^32 seconds from 1970.
bool are_told_apart(const List* moments, Datum lower, Datum upper) {
  constexpr Timestamp kEpoch = -std::int64_t{POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE} * USECS_PER_DAY;
  constexpr Timestamp kFurthest = (std::int64_t{1} << 32) * USECS_PER_SEC;
  if (DatumGetTimestamp(lower) > kEpoch - kFurthest && DatumGetTimestamp(upper) < kEpoch + kFurthest) return true;
  ListCell* cell;
  foreach (cell, moments) {
    const MomentCells own = MomentCells::of(static_cast<List*>(lfirst(cell)));
    if (own.closed && own.blurred) return false;
  }
  return true;
}

// Whether the cells can be told apart and counted. A double has 53 bits, and becomes a numeric of 15 digits: up to here
// the middle of a cell stays inside, also when it is divided again.
bool countable(const Cells& cells) {
  if (!is_finite(cells.type, cells.lower) || !is_finite(cells.type, cells.upper)) return false;
  if (cells.exact) return true;
  if (is_timestamp(cells.type)) return are_told_apart(cells.moments, cells.lower, cells.upper);
  if (!std::isfinite(cells.step) || cells.step <= 0) return false;
  const double most_steps = cells.type == NUMERICOID ? 1e13 : std::ldexp(1, 50);
  return std::fabs(as_real(cells.type, cells.lower)) / cells.step < most_steps &&
         std::fabs(as_real(cells.type, cells.upper)) / cells.step < most_steps;
}

// ---- conditions -----------------------------------------------------------------------------------------------------

// Cuts the range to what comparisons of the column with constants of its type let through.
void narrow(Cells* cells, const Var* column, List* conditions) {
  const TypeCacheEntry* const type = lookup_type_cache(cells->type, TYPECACHE_CMP_PROC_FINFO);
  const auto is_less = [type](Datum one, Datum other) {
    return DatumGetInt32(FunctionCall2Coll(const_cast<FmgrInfo*>(&type->cmp_proc_finfo), InvalidOid, one, other)) < 0;
  };
  const auto [lower, upper] = ends_from_quals(reinterpret_cast<Node*>(const_cast<Var*>(column)), conditions);
  if (lower && is_less(cells->lower, *lower)) cells->lower = *lower;
  if (upper && is_less(*upper, cells->upper)) cells->upper = *upper;
}

// ---- points ---------------------------------------------------------------------------------------------------------

// The points, as many as were counted before: a mistake in that is an error and no write beyond the end.
class Points {
 public:
  explicit Points(const Cells& cells)
      : type_(cells.type),
        most_(cells.most()),
        values_(static_cast<Datum*>(palloc_extended(sizeof(Datum) * static_cast<Size>(most_ + 1), MCXT_ALLOC_HUGE))) {}

  std::int64_t most() const { return most_; }
  void add(Datum value) {
    CHECK_FOR_INTERRUPTS();
    if (size_ >= most_) elog(ERROR, "a range has more points than were counted");
    values_[size_++] = value;
  }

  budget::Domain domain() const { return {type_, static_cast<int>(size_), values_}; }

 private:
  Oid type_;
  std::int64_t most_;
  Datum* values_;
  std::int64_t size_ = 0;
};

std::int64_t whole_number(double number) {
  return number < static_cast<double>(kUncounted) ? static_cast<std::int64_t>(std::max(number, 0.0)) : kUncounted;
}

}  // namespace

std::int64_t Cells::most() const {
  if (exact) {
    std::int64_t last;
    if (__builtin_sub_overflow(as_whole(type, upper), as_whole(type, lower), &last)) return kUncounted;
    return last < kUncounted ? std::max<std::int64_t>(last + 1, 0) : kUncounted;
  }
  if (is_timestamp(type)) {
    const Timestamp first = DatumGetTimestamp(lower), last = DatumGetTimestamp(upper);
    const double about = about_moments(moments, first, last);
    if (about > kMostMoments) return whole_number(about);
    const auto found = moments_of_cells(moments, first, last, kMostMoments);
    return found ? found->size : kMostMoments + 1;
  }
  return whole_number(std::max((as_real(type, upper) - as_real(type, lower)) / step, 0.0) * 2 + 4);
}

budget::Domain Cells::points() const {
  if (is_timestamp(type)) return moment_points();
  Points points(*this);
  if (exact) {
    for (std::int64_t i = 0; i < points.most(); ++i) points.add(from_whole(type, as_whole(type, lower) + i));
    return points.domain();
  }
  const double end = as_real(type, upper);
  if (as_real(type, lower) <= end) points.add(lower);
  // Of each cell the beginning and the middle. What rounds up has another value at the beginning, and 3 * 0.1 / 0.1
  // may be rounded into the cell before; every cell has its middle, or an end of the range.
  const double half = step / 2;
  for (double i = std::floor(as_real(type, lower) / half) + 1; i * half <= end; ++i)
    points.add(from_real(type, i * half));
  if (as_real(type, lower) < end) points.add(upper);
  return points.domain();
}

// Another session's zone may have more of them than were counted, by some days on which its clocks were changed.
budget::Domain Cells::moment_points() const {
  const auto found = moments_of_cells(moments, DatumGetTimestamp(lower), DatumGetTimestamp(upper), 2 * kMostMoments);
  if (!found) elog(ERROR, "a range has more moments than were counted");
  auto* const values =
      static_cast<Datum*>(palloc_extended(sizeof(Datum) * static_cast<Size>(found->size + 1), MCXT_ALLOC_HUGE));
  std::transform(found->values, found->values + found->size, values,
                 [](Timestamp moment) { return TimestampGetDatum(moment); });
  return {type, static_cast<int>(found->size), values};
}

List* Cells::as_list() const {
  int16 length;
  bool by_value;
  get_typlenbyval(type, &length, &by_value);
  const auto end = [&](Datum value) {
    return makeConst(type, -1, InvalidOid, length, datumCopy(value, by_value, length), false, by_value);
  };
  Const* const width = pg::float8_constant(step);
  return list_make5(end(lower), end(upper), makeBoolConst(exact, false), width, moments);
}

Cells Cells::of(const List* list) {
  const auto value = [list](int i) { return castNode(Const, list_nth(list, i))->constvalue; };
  return {
      castNode(Const, linitial(list))->consttype, value(0), value(1), DatumGetBool(value(2)), DatumGetFloat8(value(3)),
      static_cast<List*>(list_nth(list, 4))};
}

std::optional<Cells> cells_of(Node* key, const Var* column, const budget::ColumnRange& range, List* conditions) {
  Cells cells{range.type, range.lower, range.upper, is_discrete(range.type), 1, NIL};
  narrow(&cells, column, conditions);
  if (!countable(cells)) return std::nullopt;
  if (cells.exact) return cells;
  const auto steps = steps_of_key(key, column);
  if (!steps) return std::nullopt;
  cells.step = steps->step;
  cells.moments = steps->moments;
  return countable(cells) ? std::optional(cells) : std::nullopt;
}

}  // namespace dp::guard
