// What dp.round has a statement show: numbers rounded to what is known of them, and no group whose counts are within
// their errors.
//
//   SELECT ward, count(*), avg(cost) FROM visits GROUP BY ward
//
// is asked as
//
//   SELECT ward, dp_rounded(count(*), dp_error(count(*))), dp_rounded(avg(cost), dp_error(avg(cost))) FROM visits
//   GROUP BY ward
//   HAVING dp_internal.stands_out(count(*), dp_error(count(*)))
//
// It is made of what was released: nothing of it costs anything.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Puts that in the place of the numbers that stand in the level's select list by themselves, in place.
void round_answers(Query* level);

}  // namespace dp::guard
