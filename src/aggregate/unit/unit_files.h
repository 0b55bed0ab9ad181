// What the processes of a parallel plan share: files in which they hand over privacy units that are too many for one
// value, and a key for the words of units.
//
// Files belong to the leader: where they lie travels to the workers as a parameter of the plan, and they are deleted
// with the memory in which that was made, also where the query or a worker failed.
#pragma once

#include "core/accumulate/unit_key.h"
#include "pg/planner.h"

namespace dp::aggregate {

struct UnitFiles {
  FileSet files;
  UnitKey key;
};

// Makes a parameter say where such files lie; none is there yet. Its value lives in the current memory context, whose
// end deletes the files. The key is drawn.
void send_unit_files(ParamExternData* parameter);

// The same in this process; nullptr where no parameter says it.
UnitFiles* sent_unit_files(ParamListInfo parameters);

}  // namespace dp::aggregate
