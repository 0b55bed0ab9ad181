// The seam for the planner's statistics of columns.
#pragma once

#include "pg/planner.h"

extern "C" {
#include "utils/selfuncs.h"
}
