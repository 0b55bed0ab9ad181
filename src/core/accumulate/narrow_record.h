// The states of one privacy unit in as few bytes as most units need, for tables that should fit the processor's cache.
//
// A unit has few rows, so its numbers are small. What does not fit stays in the wide record that was to be added, which
// is then kept elsewhere: what counts of a unit is the sum of both. A unit of no rows is all zeros.
#pragma once

#include <cstring>

#include "core/accumulate/unit_record.h"

namespace dp::aggregate {

class NarrowRecord {
 public:
  // How a state is kept.
  struct Field {
    enum class Kind : std::uint8_t { rows_1, rows_2, rows_4, total_4, total_8, mean_8 };
    Kind kind;
    std::uint32_t most;  // of kinds rows_: more rows than these count as that many
  };

  // How a state of that kind is kept, of whose unit `rows` rows may count (limit_unit), each of steps as in `row`;
  // false where that needs a wide one.
  static bool find_field(Tag tag, std::uint32_t rows, const RowSteps& row, Field* field);

  // One state for each of these fields, which must live as long as this.
  NarrowRecord(const Field* fields, int count);

  std::size_t bytes() const { return bytes_; }

  // Moves what fits from a wide record, whose tags are not touched, to the narrow one at `place`. False where something
  // is left: the states that did not fit are as they were, the others of no rows.
  bool take(char* place, State* wide) const;

  bool is_empty(const char* place) const;

  // The wide record at `wide`, whose tags are not touched.
  void widen(State* wide, const char* place) const;

 private:
  static constexpr unsigned kTotalBits = 48;  // of a mean; its rows are above them

  const Field* fields_;
  int count_;
  std::size_t bytes_ = 0;
};

// ---- what runs for each row ---------------------------------------------------------------------------------------

namespace narrow {

template <class T>
T load(const char* place) {
  T number;
  std::memcpy(&number, place, sizeof number);
  return number;
}

template <class T>
void store(char* place, T number) {
  std::memcpy(place, &number, sizeof number);
}

// No more than `most`, which T can hold. What is cut off would be cut off by the limit: min(min(a, m) + b, m) is
// min(a + b, m).
template <class T>
bool take_rows(char* place, CountState* wide, std::uint32_t most) {
  const std::uint64_t known = load<T>(place);
  store<T>(place, static_cast<T>(wide->rows < most - known ? known + wide->rows : most));
  wide->rows = 0;
  return true;
}

template <class T>
bool take_total(char* place, SumState* wide) {
  T total;
  if (static_cast<Uint128>(static_cast<Int128>(static_cast<std::int64_t>(wide->total))) != wide->total) return false;
  if (__builtin_add_overflow(load<T>(place), static_cast<std::int64_t>(wide->total), &total)) return false;
  store(place, total);
  wide->total = 0;
  return true;
}

}  // namespace narrow

inline bool NarrowRecord::take(char* place, State* wide) const {
  bool all = true;
  auto* from = reinterpret_cast<char*>(wide);
  for (int i = 0; i < count_; ++i) {
    auto* const state = reinterpret_cast<State*>(from);
    const Field& field = fields_[i];
    switch (field.kind) {
      case Field::Kind::rows_1:
        narrow::take_rows<std::uint8_t>(place, static_cast<CountState*>(state), field.most);
        place += 1, from += sizeof(CountState);
        break;
      case Field::Kind::rows_2:
        narrow::take_rows<std::uint16_t>(place, static_cast<CountState*>(state), field.most);
        place += 2, from += sizeof(CountState);
        break;
      case Field::Kind::rows_4:
        narrow::take_rows<std::uint32_t>(place, static_cast<CountState*>(state), field.most);
        place += 4, from += sizeof(CountState);
        break;
      case Field::Kind::total_4:
        all &= narrow::take_total<std::int32_t>(place, static_cast<SumState*>(state));
        place += 4, from += sizeof(SumState);
        break;
      case Field::Kind::total_8:
        all &= narrow::take_total<std::int64_t>(place, static_cast<SumState*>(state));
        place += 8, from += sizeof(SumState);
        break;
      case Field::Kind::mean_8: {
        // Both numbers in one word: a sum carries into the other number, or out of the word, only where it does not fit.
        auto& mean = *static_cast<MeanState*>(state);
        const auto known = narrow::load<std::uint64_t>(place);
        constexpr std::uint64_t kTotals = (std::uint64_t{1} << kTotalBits) - 1;
        constexpr std::uint64_t kMostRows = ~std::uint64_t{0} >> kTotalBits;
        const bool fits = mean.rows <= kMostRows - (known >> kTotalBits) && mean.total <= kTotals - (known & kTotals);
        if (fits) {
          narrow::store(place, known + (mean.rows << kTotalBits) + static_cast<std::uint64_t>(mean.total));
          mean.rows = 0;
          mean.total = 0;
        }
        all &= fits;
        place += 8, from += sizeof(MeanState);
        break;
      }
    }
  }
  return all;
}

inline bool NarrowRecord::is_empty(const char* place) const {
  char any = 0;
  for (std::size_t i = 0; i < bytes_; ++i) any = static_cast<char>(any | place[i]);
  return any == 0;
}

}  // namespace dp::aggregate
