// Dates and timestamps as numbers: quantiles and ends of them are answers of numbers, between the ends declared of a
// column, else in the years 1900 to 2100.
#pragma once

#include "guard/relations/from_clause.h"
#include "guard/rewrite/private_calls.h"

namespace dp::guard {

// The moment as a number, int4 or float8: dates as days, timestamps with or without time zone as seconds.
Expr* as_number(Expr* moment);

// The same of a moment that is known.
double number_of(Datum moment, Oid type);

// The timestamp as a day, int4: the one at whose midnight (UTC) it is, or whose midnight is the next after it, or the
// last before it. Days before 1900 and after 2100, and infinities, are those at the ends.
Expr* as_day(Expr* moment, bool next);

// An answer in such days as a timestamp.
Node* as_midnight(Node* day, Oid type);

// The days of 1900-01-01 and 2101-01-01.
inline constexpr int kFirstDay = -25567, kLastDay = 47847;

// An answer that is a float8 as a moment of that type: of a day the nearest one.
Node* as_moment(Node* number, Oid type);

// Of an ordinary quantile of moments: `value` as the level has it, `over` the same over the tables.
Node* quantile_of_moments(const Aggref* call, Expr* value, Node* over, const Sources& sources,
                          const AnswerDefaults& defaults);

// Of min or max of dates and timestamps, by dp_min or dp_max of days.
Node* end_of_moments(const Aggref* call, const char* name, Expr* value, Node* over, const Sources& sources,
                     const AnswerDefaults& defaults);

}  // namespace dp::guard
