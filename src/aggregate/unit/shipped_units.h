// The units of one process of a parallel plan, on their way to the leader.
//
// Each process keeps the states of the units whose rows it reads (unit_states.h), on its own disk where they are many.
// When it has read all, it adds up its own rows of each unit, so that it ships one record of each unit, or its
// place, alone or in a page, of all aggregates of the node at once, with the first of these that is shipped; the others
// ship nothing. The leader adds these to its own as it adds rows: what a unit has in several processes is
// added up before it is limited, so that limits hold over all of them. Sums are integers, and samples keep the rows of
// the least random numbers, so the answer does not depend on which process read which row.
//
// A value has a length that depends on the units, and PostgreSQL refuses those above 1 GB: an error would tell of rows.
// So at most as much as the memory for hash tables, or 16 MB, is in the value, of which there are several copies on its
// way; where there is more all is in a file of the leader's (unit_stream.h). Limits, settings and noise are the
// leader's alone: nothing of them is in what is shipped.
#pragma once

#include "aggregate/unit/unit_states.h"

namespace dp::aggregate {

// All units of the group as a value, in the current memory context; the group has no states then. `files`: see
// unit_files.h.
bytea* ship_units(UnitGroup* group, FileSet* files);

// Adds what ship_units() made, in this process or another one, to the states of the group, which it makes (in a memory
// context below `above`) where it has none. Raises an error where these are not units of such a group.
void receive_units(MemoryContext above, UnitGroup* group, const bytea* shipped, FileSet* files);

}  // namespace dp::aggregate
