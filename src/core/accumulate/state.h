// Transition states: what an aggregate remembers of its rows.
//
// Plain integers of fixed size (a histogram's size is fixed by its buckets): no rounding, no dependence on the order of
// rows or on how workers share them, and no overflow for fewer than 2^62 rows. A state starts with its tag, so that a
// pointer to something else, or bytes that did not come from a state, is found out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/noise/integers.h"

namespace dp::aggregate {

using noise::Int128;
using noise::Uint128;

enum class Tag : std::uint64_t {
  count = 0x7067'5f64'705f'0001,
  sum = 0x7067'5f64'705f'0002,
  mean = 0x7067'5f64'705f'0003,
  moments = 0x7067'5f64'705f'0004,
  histogram = 0x7067'5f64'705f'0005,
  sample = 0x7067'5f64'705f'0006,  // sample.h
  totals = 0x7067'5f64'705f'0007,
  all_moments = 0x7067'5f64'705f'0008,
  covariance = 0x7067'5f64'705f'0009,
  regression = 0x7067'5f64'705f'000a,
  points = 0x7067'5f64'705f'000b,  // points.h
};

struct State {
  Tag tag;
};

// Unsigned members wrap where a forged state overflows them: wrong, as its forger asked, but defined.
struct CountState : State {
  static constexpr Tag kTag = Tag::count;
  std::uint64_t rows;

  void add() { ++rows; }
  void merge(const CountState& other) { rows += other.rows; }
};

struct SumState : State {
  static constexpr Tag kTag = Tag::sum;
  Uint128 total;  // two's complement

  void add(std::int64_t steps) { total += static_cast<Int128>(steps); }
  void merge(const SumState& other) { total += other.total; }
};

struct MeanState : State {
  static constexpr Tag kTag = Tag::mean;
  std::uint64_t rows;
  Uint128 total;  // of steps above the lower bound

  void add(std::int64_t steps) {
    ++rows;
    total += static_cast<Uint128>(steps);
  }
  void merge(const MeanState& other) {
    rows += other.rows;
    total += other.total;
  }
};

struct MomentsState : State {
  static constexpr Tag kTag = Tag::moments;
  std::uint64_t rows;
  Uint128 total;          // of steps above the lower bound
  Uint128 total_squares;  // of their squares; steps are at most 2^32

  void add(std::int64_t steps) {
    ++rows;
    total += static_cast<Uint128>(steps);
    total_squares += static_cast<Uint128>(steps) * static_cast<Uint128>(steps);
  }
  void merge(const MomentsState& other) {
    rows += other.rows;
    total += other.total;
    total_squares += other.total_squares;
  }
};

// As MeanState and MomentsState, of rows whose value may be missing (NULL): these are counted among the rows, too.
struct TotalsState : State {
  static constexpr Tag kTag = Tag::totals;
  std::uint64_t rows;
  Uint128 total;    // of steps above the lower bound
  Uint128 missing;  // the steps between the bounds, for each row without a value

  void add(std::int64_t steps) {
    ++rows;
    total += static_cast<Uint128>(steps);
  }
  void add_missing(std::int64_t range) {
    ++rows;
    missing += static_cast<Uint128>(range);
  }
  void merge(const TotalsState& other) {
    rows += other.rows;
    total += other.total;
    missing += other.missing;
  }
};

struct AllMomentsState : State {
  static constexpr Tag kTag = Tag::all_moments;
  std::uint64_t rows;
  Uint128 total;
  Uint128 total_squares;
  Uint128 missing;  // as above

  void add(std::int64_t steps) {
    ++rows;
    total += static_cast<Uint128>(steps);
    total_squares += static_cast<Uint128>(steps) * static_cast<Uint128>(steps);
  }
  void add_missing(std::int64_t range) {
    ++rows;
    missing += static_cast<Uint128>(range);
  }
  void merge(const AllMomentsState& other) {
    rows += other.rows;
    total += other.total;
    total_squares += other.total_squares;
    missing += other.missing;
  }
};

// Pairs of y and x in steps above their lower bounds, of which there are at most 2^16 (pairs.h).
struct CovarianceState : State {
  static constexpr Tag kTag = Tag::covariance;
  std::uint64_t rows;
  Uint128 missing;  // what a row adds to the numbers together, for each row in which either has no value
  Uint128 numbers[4];

  void add(std::int64_t y, std::int64_t x, std::int64_t y_range, std::int64_t x_range) {
    ++rows;
    const std::uint64_t of_y[] = {static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(y_range - y)};
    const std::uint64_t of_x[] = {static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(x_range - x)};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) numbers[2 * i + j] += of_y[i] * of_x[j];
  }
  void add_missing(std::int64_t y_range, std::int64_t x_range) {
    ++rows;
    missing += static_cast<Uint128>(y_range) * static_cast<Uint128>(x_range);
  }
  void merge(const CovarianceState& other) {
    rows += other.rows;
    missing += other.missing;
    for (int i = 0; i < 4; ++i) numbers[i] += other.numbers[i];
  }
};

struct RegressionState : State {
  static constexpr Tag kTag = Tag::regression;
  std::uint64_t rows;
  Uint128 missing;  // as above
  Uint128 numbers[9];

  void add(std::int64_t y, std::int64_t x, std::int64_t y_range, std::int64_t x_range) {
    ++rows;
    const auto a = static_cast<std::uint64_t>(y), b = static_cast<std::uint64_t>(y_range - y);
    const auto c = static_cast<std::uint64_t>(x), d = static_cast<std::uint64_t>(x_range - x);
    const std::uint64_t of_y[] = {a * a, 2 * a * b, b * b}, of_x[] = {c * c, 2 * c * d, d * d};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) numbers[3 * i + j] += static_cast<Uint128>(of_y[i]) * of_x[j];
  }
  void add_missing(std::int64_t y_range, std::int64_t x_range) {
    const auto once = static_cast<Uint128>(y_range) * static_cast<Uint128>(x_range);
    ++rows;
    missing += once * once;
  }
  void merge(const RegressionState& other) {
    rows += other.rows;
    missing += other.missing;
    for (int i = 0; i < 9; ++i) numbers[i] += other.numbers[i];
  }
};

// `size` counters follow the struct in memory.
struct HistogramState : State {
  static constexpr Tag kTag = Tag::histogram;
  std::uint64_t size;

  std::uint64_t* counts() { return reinterpret_cast<std::uint64_t*>(this + 1); }
  const std::uint64_t* counts() const { return reinterpret_cast<const std::uint64_t*>(this + 1); }
  static constexpr std::size_t bytes(std::uint64_t size) {
    return sizeof(HistogramState) + size * sizeof(std::uint64_t);
  }
};

inline constexpr std::uint64_t kMaxBuckets = 100'000;

// The bytes that a state occupies; 0 where its tag or size is none of ours.
std::size_t state_bytes(const State& state);

// Whether `bytes` bytes at `data` (8-byte aligned) are exactly one state.
bool is_state(const void* data, std::size_t bytes);

// Adds `from` into `into`. False, and nothing changed, where they are not states of the same kind and size, or samples
// or points, which may need more room.
bool merge_states(State& into, const State& from);

}  // namespace dp::aggregate
