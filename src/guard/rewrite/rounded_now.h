// The setting dp.now_rounding: a private question holds the moment at which it is asked rounded down, to a part of a
// day of the session's time zone, so that whoever asks the same within that time asks the same.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Puts the rounded moment in the place of now(), CURRENT_TIMESTAMP, LOCALTIMESTAMP, CURRENT_TIME, LOCALTIME and
// statement_timestamp(), everywhere in a query that asks privately: in conditions, keys and lists alike, so that groups
// and rows belong together. CURRENT_DATE is that of the rounded moment anyhow.
void round_now(Query* query);

// Whether it is such a moment, as round_now() writes it.
bool is_rounded_now(Node* node);

// To what a moment is rounded down: the same for all that ask the same.
TimestampTz as_rounded_now(TimestampTz moment);

// Whether one of the expressions is another value each moment: it holds now(), and not just its day or the like.
bool follow_clock(const List* expressions);

}  // namespace dp::guard
