#include "aggregate/unit/shipped_groups.h"

#include "aggregate/unit/shipped_records.h"

namespace dp::aggregate {

bytea* ship_groups(UnitGroup* group, FileSet* files) {
  GroupStates* const states = group->group_states;
  if (states == nullptr) return ship_nothing();
  if (files == nullptr) elog(ERROR, "a parallel plan over privacy units was not told where its files lie");
  const UnitFormat& format = states->format();
  UnitWriter writer({states->record_bytes(), 0, 0, 0, states->type(), ParallelWorkerNumber, 0}, files);
  states->ship([&](const Unit& unit, auto pack) {
    writer.wrote(format.write(writer.place(format.most_bytes(unit)), unit, pack));
  });
  return writer.end();
}

void receive_groups(MemoryContext above, UnitGroup* group, const bytea* shipped, FileSet* files) {
  const ShippedHead head = head_of(shipped);
  if (head.record_bytes == 0) return;
  if (group->group_states == nullptr) GroupStates::make(above, group, head.type);
  GroupStates* const states = group->group_states;
  if (head.record_bytes != states->record_bytes() || head.type != states->type()) refuse_units();
  if (head.in_file != 0) return states->add_file(head, shipped, files);
  ShippedRecords records(head, shipped, files, states->format());
  for (; records.is_there(); records.next()) states->add_record(records.entry());
  records.end();
}

}  // namespace dp::aggregate
