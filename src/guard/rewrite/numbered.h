// Values that the planner must not merge.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Changes the aggregate so that the planner finds it equal to none with another number, whatever it comes to know of
// parameters. `written`: the same without the values that are known while planning.
void keep_apart(Aggref* aggregate, const Aggref* written, int number);

}  // namespace dp::guard
