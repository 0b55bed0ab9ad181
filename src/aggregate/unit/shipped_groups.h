// The units of one process of a parallel plan in their groups, on their way to the leader, as those without groups are
// shipped (shipped_units.h): one record for each group of each unit, or several where putting them together would make
// them hardly fewer, of all aggregates of the node at once, with the first of these that is shipped. The leader puts
// the records among its own, so that the groups of a unit of all processes come together before its limits are shared
// among them.
#pragma once

#include "aggregate/unit/group_states.h"
#include "aggregate/unit/unit_stream.h"

namespace dp::aggregate {

// All units of the group as a value, in the current memory context; the group has no states then. `files`: see
// unit_files.h.
bytea* ship_groups(UnitGroup* group, FileSet* files);

// Adds what ship_groups() made to the states of the group, which it makes (in a memory context below `above`) where it
// has none. `place_of`: which group of this process a number of a worker's is, below 0 where it is none; the leader's
// numbers are its groups. Raises an error where these are not units of such a group.
template <class PlaceOf>
void receive_groups(MemoryContext above, UnitGroup* group, const bytea* shipped, FileSet* files, PlaceOf place_of) {
  const ShippedHead head = head_of(shipped);
  if (head.record_bytes == 0) return;
  if (group->group_states == nullptr) GroupStates::make(above, group, head.type);
  GroupStates* const states = group->group_states;
  if (head.record_bytes != states->record_bytes() || head.type != states->type()) refuse_units();
  const bool of_worker = head.process >= 0;
  UnitReader reader(head, shipped, files);
  const char *from, *end;
  while (reader.next(&from, &end)) {
    while (from < end) {
      const UnitEntry entry = states->records().entry_at(from);
      if (entry.bytes > static_cast<std::size_t>(end - from)) refuse_units();
      states->add_shipped(entry, [&](std::uint64_t number) {
        return of_worker ? place_of(number) : static_cast<std::int64_t>(number);
      });
      from += entry.bytes;
    }
  }
  reader.end();
}

}  // namespace dp::aggregate
