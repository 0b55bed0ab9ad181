// CTEs that nobody reads. The planner passes over those that only select, whatever is in them.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Takes them out, so that nothing in them is rewritten, refused or shown.
void leave_out_unread_ctes(Query* statement);

}  // namespace dp::guard
