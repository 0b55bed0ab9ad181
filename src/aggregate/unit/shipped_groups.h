// The units of one process of a parallel plan in their groups, on their way to the leader, as those without groups are
// shipped (shipped_units.h): one record for each group of each unit, or several where putting them together would make
// them hardly fewer, of all aggregates of the node at once, with the first of these that is shipped. The leader puts
// the records among its own, so that the groups of a unit of all processes come together before its limits are shared
// among them.
#pragma once

#include "aggregate/unit/group_states.h"

namespace dp::aggregate {

// All units of the group as a value, in the current memory context; the group has no states then. `files`: see
// unit_files.h.
bytea* ship_groups(UnitGroup* group, FileSet* files);

// Adds what ship_groups() made to the states of the group, which it makes (in a memory context below `above`) where it
// has none. Raises an error where these are not units of such a group.
void receive_groups(MemoryContext above, UnitGroup* group, const bytea* shipped, FileSet* files);

}  // namespace dp::aggregate
