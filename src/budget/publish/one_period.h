// Whether each row counts in one period of a publication: then what all its totals tell of a row is what one period
// tells (core/accumulate/stream_sums.h).
//
// It does where the query reads a protected table once, by its name, and only rows with column >= dp.period_start() and
// column < dp.period_end(), where no UPDATE changes the column. Periods follow each other, by universal time, and
// nothing in the query can change that: it reads no other table and calls no function of anybody's.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// The protected table. Raises DP002 where that is not so.
Oid require_one_period(const char* query);

}  // namespace dp::budget
