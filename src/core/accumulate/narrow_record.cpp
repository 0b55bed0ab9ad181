#include "core/accumulate/narrow_record.h"

#include <algorithm>
#include <limits>

namespace dp::aggregate {
namespace {

std::size_t bytes_of(NarrowRecord::Field::Kind kind) {
  using Kind = NarrowRecord::Field::Kind;
  switch (kind) {
    case Kind::rows_1:
      return 1;
    case Kind::rows_2:
      return 2;
    case Kind::rows_4:
    case Kind::total_4:
      return 4;
    case Kind::total_8:
    case Kind::mean_8:
      break;
  }
  return 8;
}

std::uint64_t magnitude(std::int64_t steps) {
  return steps < 0 ? -static_cast<std::uint64_t>(steps) : static_cast<std::uint64_t>(steps);
}

}  // namespace

// Totals have room for a thousand rows and more, so that only units of many rows are kept elsewhere too.
bool NarrowRecord::find_field(Tag tag, std::uint32_t rows, const RowSteps& row, Field* field) {
  using Kind = Field::Kind;
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 20, kLarge = std::uint64_t{1} << 36;
  const std::uint64_t step = std::max(magnitude(row.low), magnitude(row.high));
  switch (tag) {
    case Tag::count:
      *field = {rows <= std::numeric_limits<std::uint8_t>::max()    ? Kind::rows_1
                : rows <= std::numeric_limits<std::uint16_t>::max() ? Kind::rows_2
                                                                    : Kind::rows_4,
                rows};
      return true;
    case Tag::sum:
      *field = {step <= kSmall ? Kind::total_4 : Kind::total_8, 0};
      return step <= kLarge;
    case Tag::mean:
      *field = {Kind::mean_8, 0};
      return step <= kLarge;
    case Tag::moments:
    case Tag::histogram:
    case Tag::sample:
      break;
  }
  return false;
}

NarrowRecord::NarrowRecord(const Field* fields, int count) : fields_(fields), count_(count) {
  for (int i = 0; i < count; ++i) bytes_ += bytes_of(fields[i].kind);
}

void NarrowRecord::widen(State* wide, const char* place) const {
  auto* to = reinterpret_cast<char*>(wide);
  for (int i = 0; i < count_; ++i) {
    using Kind = Field::Kind;
    auto* const state = reinterpret_cast<State*>(to);
    const Kind kind = fields_[i].kind;
    switch (kind) {
      case Kind::rows_1:
        static_cast<CountState*>(state)->rows = narrow::load<std::uint8_t>(place);
        break;
      case Kind::rows_2:
        static_cast<CountState*>(state)->rows = narrow::load<std::uint16_t>(place);
        break;
      case Kind::rows_4:
        static_cast<CountState*>(state)->rows = narrow::load<std::uint32_t>(place);
        break;
      case Kind::total_4:
        static_cast<SumState*>(state)->total = static_cast<Uint128>(Int128{narrow::load<std::int32_t>(place)});
        break;
      case Kind::total_8:
        static_cast<SumState*>(state)->total = static_cast<Uint128>(Int128{narrow::load<std::int64_t>(place)});
        break;
      case Kind::mean_8: {
        const auto both = narrow::load<std::uint64_t>(place);
        static_cast<MeanState*>(state)->rows = both >> kTotalBits;
        static_cast<MeanState*>(state)->total = both & ((std::uint64_t{1} << kTotalBits) - 1);
        break;
      }
    }
    place += bytes_of(kind);
    to += kind == Kind::mean_8                             ? sizeof(MeanState)
          : kind == Kind::total_4 || kind == Kind::total_8 ? sizeof(SumState)
                                                           : sizeof(CountState);
  }
}

}  // namespace dp::aggregate
