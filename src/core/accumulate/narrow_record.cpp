#include "core/accumulate/narrow_record.h"

#include <algorithm>
#include <limits>

namespace dp::aggregate {
namespace {

std::uint64_t magnitude(std::int64_t steps) {
  return steps < 0 ? -static_cast<std::uint64_t>(steps) : static_cast<std::uint64_t>(steps);
}

// NarrowRecord::add() of records that are one state.
template <class Narrow>
std::size_t add_each(Narrow kind, char* into, const char* from, std::size_t units, std::uint64_t most) {
  for (std::size_t i = 0; i < units; ++i, into += kind.kBytes, from += kind.kBytes) {
    typename Narrow::Wide wide;
    kind.widen(&wide, from, most);
    if (!kind.take(into, &wide, most)) return i;
  }
  return units;
}

// NarrowRecord::add_limited() of states that lie `stride` bytes apart.
template <class Narrow>
void add_limited_each(Narrow kind, typename Narrow::Wide* total, const char* places, std::size_t units,
                      std::size_t stride, std::uint64_t most, std::uint32_t rows, const RowSteps& row) {
  typename Narrow::Wide sum = *total;
  for (std::size_t i = 0; i < units; ++i, places += stride) {
    typename Narrow::Wide unit;
    kind.widen(&unit, places, most);
    limit_state(unit, rows, row);
    sum.merge(unit);
  }
  *total = sum;
}

}  // namespace

// Totals have room for a thousand rows and more, so that only units of many rows are kept elsewhere too.
bool NarrowRecord::find_field(Tag tag, std::uint32_t rows, const RowSteps& row, Field* field) {
  using Kind = Field::Kind;
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 20, kLarge = std::uint64_t{1} << 36,
                          kSquared = std::uint64_t{1} << 27;
  const std::uint64_t step = std::max(magnitude(row.low), magnitude(row.high));
  switch (tag) {
    case Tag::count:
      *field = {rows <= std::numeric_limits<std::uint8_t>::max()    ? Kind::rows_1
                : rows <= std::numeric_limits<std::uint16_t>::max() ? Kind::rows_2
                                                                    : Kind::rows_4,
                rows};
      return true;
    case Tag::sum: {
      const Uint128 most = static_cast<Uint128>(step) * rows;
      *field = {step <= kSmall ? Kind::total_4 : Kind::total_8, 0};
      if (step > kSmall && row.low >= 0 && most >> narrow::Capped::kBits == 0)
        *field = {Kind::capped_5, static_cast<std::uint64_t>(most)};
      return step <= kLarge;
    }
    case Tag::mean:
      *field = {Kind::mean_8, 0};
      return step <= kLarge;
    case Tag::totals:
      *field = {Kind::totals_10, step};
      return step <= kLarge;
    case Tag::moments:
      *field = {Kind::moments_16, 0};
      return step <= kSquared;
    case Tag::all_moments:
      *field = {Kind::all_moments_18, step};
      return step <= kSquared;
    case Tag::covariance:
    case Tag::regression:
    case Tag::histogram:
    case Tag::sample:
    case Tag::points:
      break;
  }
  return false;
}

NarrowRecord::NarrowRecord(const Field* fields, int count)
    : fields_(fields), count_(count), first_(count > 0 ? fields[0] : Field{}) {
  for (int i = 0; i < count; ++i) bytes_ += narrow::with_kind(fields[i].kind, [](auto kind) { return kind.kBytes; });
}

bool NarrowRecord::take_all(char* place, State* wide) const {
  auto* from = reinterpret_cast<char*>(wide);
  bool all = true;
  for (int i = 0; i < count_; ++i) all &= narrow::take_field(fields_[i], &place, &from);
  return all;
}

void NarrowRecord::widen(State* wide, const char* place) const {
  auto* to = reinterpret_cast<char*>(wide);
  for (int i = 0; i < count_; ++i) {
    narrow::with_kind(fields_[i].kind, [&](auto kind) {
      using Wide = typename decltype(kind)::Wide;
      kind.widen(static_cast<Wide*>(reinterpret_cast<State*>(to)), place, fields_[i].most);
      place += kind.kBytes;
      to += sizeof(Wide);
    });
  }
}

std::size_t NarrowRecord::add(char* into, const char* from, std::size_t units) const {
  if (count_ != 1) return 0;
  return narrow::with_kind(first_.kind, [&](auto kind) { return add_each(kind, into, from, units, first_.most); });
}

void NarrowRecord::add_limited(int number, State* total, const char* places, std::size_t units, std::size_t stride,
                               std::uint32_t rows, const RowSteps& row) const {
  for (int i = 0; i < number; ++i) places += narrow::with_kind(fields_[i].kind, [](auto kind) { return kind.kBytes; });
  narrow::with_kind(fields_[number].kind, [&](auto kind) {
    using Wide = typename decltype(kind)::Wide;
    add_limited_each(kind, static_cast<Wide*>(total), places, units, stride, fields_[number].most, rows, row);
  });
}

}  // namespace dp::aggregate
