// Rows below the noise are rows that PostgreSQL can make, whichever plan it finds.
//
// A row of more than 1664 columns, or of more than 1 GB, is an error when the first one is made: for a sort, a hash
// table, a group, on the way from a worker. Whether one is made would tell whether a person is there. So both are
// looked at before anything is planned, for the widest and the longest rows that any plan of the inner query could
// make: which plan that is depends on statistics, and a refusal must not.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// The most columns of a row; and of a row of answers, which is kept with its number and the noisy integers behind it
// (release/answer_store).
inline constexpr int kMostColumns = MaxTupleAttributeNumber;
inline constexpr int kBehindAnswers = 2;

// The most bytes that the values in a row can have together that are made below the noise; those that are read stay
// where they are stored. A quarter of what PostgreSQL can have in one.
inline constexpr std::int64_t kMostRowBytes = std::int64_t{256} << 20;

// Raises DP002: the rows of a query with so many different aggregates need so many columns.
[[noreturn]] void refuse_columns(int aggregates, int columns);

// Raises DP002 where rows of a plan of the inner query, which is ready to be planned, could have too many columns or
// bytes.
void require_possible_rows(Query* inner, const InnerQuery& inner_query);

}  // namespace dp::guard
