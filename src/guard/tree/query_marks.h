// What a step of rewriting says of a subquery to the steps behind it: that it is an inner query, or is per-unit, or
// that a row finds one of its rows at most.
//
// It is one mark, with a kind and a number, and stands in Query.queryId: copies of a query keep that, as they keep no
// pointer. The subqueries of a statement have none there: forget_query_ids() (query/private_query.h) takes away what
// others (compute_query_id) have put there before anything is marked, so nobody who asks can mark one. Nobody else
// reads or writes the queryId of what is being planned (a rule of the house).
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

enum class Mark : std::uint8_t {
  none,
  inner_query,    // of that number among those of the planner call (query/private_query.h)
  per_unit,       // groups by the privacy unit, and is a table of who reads it (relations/per_unit_subquery.h)
  first_of_each,  // DISTINCT ON was LIMIT 1 (relations/first_rows.h)
  nearest,        // its rows have the next value beside them: a row finds one at most (relations/first_rows.h)
  spread,         // the numbers of a list beside a function (relations/row_lists.h)
  sets,           // the levels of GROUPING SETS, ROLLUP or CUBE, which are asked apart (rewrite/questions_apart.h)
  or_none,        // a list with a row for none of the others (relations/row_lists.h)
};

// The high half of a mark says that it is one, and the number stands below the kind.
inline constexpr uint64 kOurMarks = UINT64CONST(0x64705f72) << 32;
inline constexpr int kMarkNumberBits = 24;
inline constexpr uint64 kMarkNumber = (uint64{1} << kMarkNumberBits) - 1;

// A query has one mark: the last.
inline void mark(Query* query, Mark kind, std::uint32_t number = 0) {
  if (number > kMarkNumber) elog(ERROR, "a statement holds too many private queries");
  const uint64 id = kOurMarks | static_cast<uint64>(kind) << kMarkNumberBits | number;
  query->queryId = static_cast<decltype(query->queryId)>(kind == Mark::none ? 0 : id);
}

// Kind and number; 0 where others have numbered the query, or nobody.
inline uint64 mark_bits(const Query* query) {
  const auto id = static_cast<uint64>(query->queryId);
  return (id & ~static_cast<uint64>(PG_UINT32_MAX)) == kOurMarks ? id & PG_UINT32_MAX : 0;
}

inline Mark mark_of(const Query* query) { return static_cast<Mark>(mark_bits(query) >> kMarkNumberBits); }

// The number of a query that has a mark of that kind; 0 for others.
inline std::uint32_t number_of_mark(const Query* query, Mark kind) {
  const auto id = static_cast<uint64>(query->queryId);
  const bool is_marked = (id & ~kMarkNumber) == (kOurMarks | static_cast<uint64>(kind) << kMarkNumberBits);
  return is_marked ? static_cast<std::uint32_t>(id & kMarkNumber) : 0;
}

}  // namespace dp::guard
