#include "aggregate/unit/shipped_groups.h"

namespace dp::aggregate {

bytea* ship_groups(UnitGroup* group, FileSet* files) {
  GroupStates* const states = group->group_states;
  if (states == nullptr) return ship_nothing();
  if (files == nullptr) elog(ERROR, "a parallel plan over privacy units was not told where its files lie");
  const UnitSpill& records = states->records();
  UnitWriter writer({states->record_bytes(), 0, states->type(), ParallelWorkerNumber, 0}, files);
  states->ship([&](const Unit& unit,
                   auto pack) { writer.wrote(records.write(writer.place(records.most_bytes(unit)), unit, pack)); },
               [&](const UnitEntry& entry) {
                 char* const to = writer.place(entry.bytes);
                 std::memcpy(to, entry.begin, entry.bytes);
                 writer.wrote(to + entry.bytes);
               });
  return writer.end();
}

}  // namespace dp::aggregate
