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
    enum class Kind : std::uint8_t {
      rows_1,
      rows_2,
      rows_4,
      total_4,
      total_8,
      capped_5,
      mean_8,
      moments_16,
      totals_10,
      all_moments_18
    };
    Kind kind;
    // Of kinds rows_ and capped_: more than that counts as that much. Of totals_ and all_moments_: what a row without a
    // value adds to those that are missing.
    std::uint64_t most;
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

  // Where the only state is a count: take() of one row.
  void count_row(char* place) const;

  bool is_empty(const char* place) const;

  // The wide record at `wide`, whose tags are not touched.
  void widen(State* wide, const char* place) const;

  // The same for many units, whose narrow records lie side by side, or so many bytes from each other.

  // Adds those at `from` to those at `into` up to the first unit that does not fit, or, where there are several states,
  // to none; returns how many were added.
  std::size_t add(char* into, const char* from, std::size_t units) const;

  // Calls visit() with each unit's state of that number, as a wide one, whose tag is not set; also where it has no rows.
  template <class Visit>
  void visit(int number, const char* places, std::size_t units, std::size_t stride, Visit visit) const;

  // Adds to a total, whose tag is not touched, what counts of each unit's state of that number (limit_unit).
  void add_limited(int number, State* total, const char* places, std::size_t units, std::size_t stride,
                   std::uint32_t rows, const RowSteps& row) const;

 private:
  bool take_all(char* place, State* wide) const;

  const Field* fields_;
  int count_;
  Field first_;  // fields_[0], if there is one
  std::size_t bytes_ = 0;
};

// ---- what runs for each row ---------------------------------------------------------------------------------------

namespace narrow {

using Kind = NarrowRecord::Field::Kind;

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

// For each kind: the bytes of a narrow state, that state as a wide one, whose tag is not touched, and take() of it.

// Rows and totals that are never negative are no more than `most`, for which there is room. What is cut off would be
// cut off by the limit: min(min(a, m) + b, m) is min(a + b, m).

template <class T>
struct Rows {
  using Wide = CountState;
  static constexpr std::size_t kBytes = sizeof(T);

  static void widen(CountState* wide, const char* place, std::uint64_t) { wide->rows = load<T>(place); }

  static bool take(char* place, CountState* wide, std::uint64_t most) {
    const std::uint64_t known = load<T>(place);
    store<T>(place, static_cast<T>(wide->rows < most - known ? known + wide->rows : most));
    wide->rows = 0;
    return true;
  }

  static void add_row(char* place, std::uint64_t most) {
    const T known = load<T>(place);
    store<T>(place, static_cast<T>(known + (known < most ? 1 : 0)));
  }
};

template <class T>
struct Total {
  using Wide = SumState;
  static constexpr std::size_t kBytes = sizeof(T);

  static void widen(SumState* wide, const char* place, std::uint64_t) {
    wide->total = static_cast<Uint128>(Int128{load<T>(place)});
  }

  static bool take(char* place, SumState* wide, std::uint64_t) {
    T total;
    if (static_cast<Uint128>(static_cast<Int128>(static_cast<std::int64_t>(wide->total))) != wide->total) return false;
    if (__builtin_add_overflow(load<T>(place), static_cast<std::int64_t>(wide->total), &total)) return false;
    store(place, total);
    wide->total = 0;
    return true;
  }
};

struct Capped {
  using Wide = SumState;
  static constexpr std::size_t kBytes = 5;
  static constexpr unsigned kBits = 40;

  static void widen(SumState* wide, const char* place, std::uint64_t) {
    wide->total = std::uint64_t{load<std::uint8_t>(place + 4)} << 32 | load<std::uint32_t>(place);
  }

  static bool take(char* place, SumState* wide, std::uint64_t most) {
    SumState known;
    widen(&known, place, most);
    const auto total = static_cast<std::uint64_t>(known.total);
    const std::uint64_t sum = wide->total < most - total ? total + static_cast<std::uint64_t>(wide->total) : most;
    store(place, static_cast<std::uint32_t>(sum));
    store(place + 4, static_cast<std::uint8_t>(sum >> 32));
    wide->total = 0;
    return true;
  }
};

// Rows and their total in one word: a sum carries into the other number, or out of the word, only where it does not
// fit.
struct RowsAndTotal {
  static constexpr unsigned kTotalBits = 48;  // the rows are above them
  static constexpr std::uint64_t kTotals = (std::uint64_t{1} << kTotalBits) - 1;
  static constexpr std::uint64_t kMostRows = ~std::uint64_t{0} >> kTotalBits;

  template <class S>
  static void widen(S* wide, const char* place) {
    const auto both = load<std::uint64_t>(place);
    wide->rows = both >> kTotalBits;
    wide->total = both & kTotals;
  }

  template <class S>
  static bool fits(const char* place, const S& wide) {
    const auto known = load<std::uint64_t>(place);
    return wide.rows <= kMostRows - (known >> kTotalBits) && wide.total <= kTotals - (known & kTotals);
  }

  // Of what fits.
  template <class S>
  static void take(char* place, S* wide) {
    const auto known = load<std::uint64_t>(place);
    store(place, known + (wide->rows << kTotalBits) + static_cast<std::uint64_t>(wide->total));
    wide->rows = 0;
    wide->total = 0;
  }
};

// A further number, which is never negative, of that type; `step` of it are one.
template <class T>
struct Further {
  static Uint128 widen(const char* place, std::uint64_t step) { return Uint128{load<T>(place)} * step; }

  static bool fits(const char* place, Uint128 number, std::uint64_t step) {
    if (number == 0) return true;
    if (step == 0 || number >> 64 != 0) return false;
    const auto low = static_cast<std::uint64_t>(number);
    return low % step == 0 && low / step <= static_cast<T>(~load<T>(place));
  }

  static void take(char* place, Uint128* number, std::uint64_t step) {
    if (*number == 0) return;
    store<T>(place, static_cast<T>(load<T>(place) + static_cast<std::uint64_t>(*number) / step));
    *number = 0;
  }
};

struct Mean {
  using Wide = MeanState;
  static constexpr std::size_t kBytes = 8;

  static void widen(MeanState* wide, const char* place, std::uint64_t) { RowsAndTotal::widen(wide, place); }

  static bool take(char* place, MeanState* wide, std::uint64_t) {
    if (!RowsAndTotal::fits(place, *wide)) return false;
    RowsAndTotal::take(place, wide);
    return true;
  }
};

struct Moments {
  using Wide = MomentsState;
  using Squares = Further<std::uint64_t>;
  static constexpr std::size_t kBytes = 16;

  static void widen(MomentsState* wide, const char* place, std::uint64_t) {
    RowsAndTotal::widen(wide, place);
    wide->total_squares = Squares::widen(place + 8, 1);
  }

  static bool take(char* place, MomentsState* wide, std::uint64_t) {
    if (!RowsAndTotal::fits(place, *wide) || !Squares::fits(place + 8, wide->total_squares, 1)) return false;
    RowsAndTotal::take(place, wide);
    Squares::take(place + 8, &wide->total_squares, 1);
    return true;
  }
};

struct Totals {
  using Wide = TotalsState;
  using Missing = Further<std::uint16_t>;
  static constexpr std::size_t kBytes = 10;

  static void widen(TotalsState* wide, const char* place, std::uint64_t range) {
    RowsAndTotal::widen(wide, place);
    wide->missing = Missing::widen(place + 8, range);
  }

  static bool take(char* place, TotalsState* wide, std::uint64_t range) {
    if (!RowsAndTotal::fits(place, *wide) || !Missing::fits(place + 8, wide->missing, range)) return false;
    RowsAndTotal::take(place, wide);
    Missing::take(place + 8, &wide->missing, range);
    return true;
  }
};

struct AllMoments {
  using Wide = AllMomentsState;
  using Squares = Further<std::uint64_t>;
  using Missing = Further<std::uint16_t>;
  static constexpr std::size_t kBytes = 18;

  static void widen(AllMomentsState* wide, const char* place, std::uint64_t range) {
    RowsAndTotal::widen(wide, place);
    wide->total_squares = Squares::widen(place + 8, 1);
    wide->missing = Missing::widen(place + 16, range);
  }

  static bool take(char* place, AllMomentsState* wide, std::uint64_t range) {
    if (!RowsAndTotal::fits(place, *wide) || !Squares::fits(place + 8, wide->total_squares, 1) ||
        !Missing::fits(place + 16, wide->missing, range))
      return false;
    RowsAndTotal::take(place, wide);
    Squares::take(place + 8, &wide->total_squares, 1);
    Missing::take(place + 16, &wide->missing, range);
    return true;
  }
};

// Calls visit() with that kind.
template <class Visit>
[[gnu::always_inline]] inline auto with_kind(Kind kind, Visit visit) {
  switch (kind) {
    case Kind::rows_1:
      return visit(Rows<std::uint8_t>{});
    case Kind::rows_2:
      return visit(Rows<std::uint16_t>{});
    case Kind::rows_4:
      return visit(Rows<std::uint32_t>{});
    case Kind::total_4:
      return visit(Total<std::int32_t>{});
    case Kind::total_8:
      return visit(Total<std::int64_t>{});
    case Kind::capped_5:
      return visit(Capped{});
    case Kind::moments_16:
      return visit(Moments{});
    case Kind::totals_10:
      return visit(Totals{});
    case Kind::all_moments_18:
      return visit(AllMoments{});
    case Kind::mean_8:
      break;
  }
  return visit(Mean{});
}

// take() of one field; moves both pointers behind it.
[[gnu::always_inline]] inline bool take_field(const NarrowRecord::Field& field, char** place, char** wide) {
  return with_kind(field.kind, [&](auto kind) {
    using Wide = typename decltype(kind)::Wide;
    const bool fits = kind.take(*place, static_cast<Wide*>(reinterpret_cast<State*>(*wide)), field.most);
    *place += kind.kBytes;
    *wide += sizeof(Wide);
    return fits;
  });
}

}  // namespace narrow

template <class Visit>
void NarrowRecord::visit(int number, const char* places, std::size_t units, std::size_t stride, Visit visit) const {
  for (int i = 0; i < number; ++i) places += narrow::with_kind(fields_[i].kind, [](auto kind) { return kind.kBytes; });
  narrow::with_kind(fields_[number].kind, [&](auto kind) {
    for (std::size_t i = 0; i < units; ++i, places += stride) {
      typename decltype(kind)::Wide unit;
      kind.widen(&unit, places, fields_[number].most);
      visit(unit);
    }
  });
}

inline bool NarrowRecord::take(char* place, State* wide) const {
  if (count_ != 1) return take_all(place, wide);
  auto* from = reinterpret_cast<char*>(wide);
  return narrow::take_field(first_, &place, &from);
}

inline void NarrowRecord::count_row(char* place) const {
  if (first_.kind == Field::Kind::rows_1) return narrow::Rows<std::uint8_t>::add_row(place, first_.most);
  if (first_.kind == Field::Kind::rows_2) return narrow::Rows<std::uint16_t>::add_row(place, first_.most);
  narrow::Rows<std::uint32_t>::add_row(place, first_.most);
}

inline bool NarrowRecord::is_empty(const char* place) const {
  char any = 0;
  for (std::size_t i = 0; i < bytes_; ++i) any = static_cast<char>(any | place[i]);
  return any == 0;
}

}  // namespace dp::aggregate
