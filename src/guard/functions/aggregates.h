// What is known of PostgreSQL's aggregates and window functions: one row for each, found by OID. One that somebody made
// under the same name is none of them.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

// Those that the guard calls, or looks for by themselves.
inline constexpr Oid kCountOfRows = F_COUNT_;
inline constexpr Oid kCountOfValues = F_COUNT_ANY;
inline constexpr Oid kSumOfInt4 = F_SUM_INT4;
inline constexpr Oid kSumOfInt8 = F_SUM_INT8;
inline constexpr Oid kSumOfNumeric = F_SUM_NUMERIC;
inline constexpr Oid kSumOfFloat8 = F_SUM_FLOAT8;
inline constexpr Oid kLeastInt8 = F_MIN_INT8;
inline constexpr Oid kRowNumber = F_ROW_NUMBER;
inline constexpr Oid kDenseRank = F_DENSE_RANK_;
inline constexpr Oid kFirstValue = F_FIRST_VALUE;
inline constexpr Oid kLead = F_LEAD_ANYELEMENT;
inline constexpr Oid kMode = F_MODE;
inline constexpr Oid kDiscretePercentile = F_PERCENTILE_DISC_FLOAT8_ANYELEMENT;

// How an aggregate fares over the rows of one person (admission/total_aggregates.h).
enum class Below : std::uint8_t {
  unknown,
  sees_no_more,  // than whole numbers and truths, or no value
  adds_up,       // and overflows beyond the range of its type
  compares       // in the order of its type
};

struct AggregateFacts {
  Oid function = InvalidOid;
  const char* private_form = nullptr;  // that answers for it: dp_sum
  Below below = Below::unknown;
  bool of_pairs = false;  // of two columns
  bool of_truths = false;
};

// nullptr for one of which nothing is known.
const AggregateFacts* aggregate_facts_of(Oid function);

// Whether there are several of that name that have a private form.
bool is_name_of_private_forms(const char* name);

// count(*), count(x).
inline bool is_plain_count(Oid function) { return function == kCountOfRows || function == kCountOfValues; }

// Whether what it gives depends on the order in which it takes values: sums and averages of float4 and float8.
bool adds_floats(Oid function);

enum class Window : std::uint8_t {
  unknown,
  row_number,
  rank,
  dense_rank,
  percent_rank,
  cume_dist,
  ntile,
  lag,
  lead,
  first_value,
  last_value,
  nth_value
};

struct WindowFacts {
  Oid function = InvalidOid;
  Window window = Window::unknown;
  bool of_peers = false;  // the same for rows that ORDER BY does not tell apart
};

Window kind_of_window(Oid function);
const WindowFacts* window_facts_of(Oid function);

}  // namespace dp::guard
