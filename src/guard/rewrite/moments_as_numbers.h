// Quantiles of dates and timestamps: dp_quantile answers of numbers.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether values of that type are taken as numbers: dates as days, timestamps with or without time zone as seconds.
bool is_moment(Oid type);

// The moment as a number: int4 or float8.
Expr* as_number(Expr* moment);

// The same of a moment that is known.
double number_of(Datum moment, Oid type);

// An answer that is a float8 as a moment of that type: of a day the nearest one.
Node* as_moment(Node* number, Oid type);

}  // namespace dp::guard
