// Files in which the processes of a parallel plan hand over privacy units that are too many for one value.
//
// They belong to the leader: where they lie travels to the workers as a parameter of the plan, and they are deleted
// with the memory in which that was made, also where the query or a worker failed.
#pragma once

#include "pg/planner.h"

namespace dp::aggregate {

// Makes a parameter say where such files lie; none is there yet. Its value lives in the current memory context, whose
// end deletes the files.
void send_unit_files(ParamExternData* parameter);

// Where they lie, in this process; nullptr where no parameter says it.
FileSet* sent_unit_files(ParamListInfo parameters);

}  // namespace dp::aggregate
