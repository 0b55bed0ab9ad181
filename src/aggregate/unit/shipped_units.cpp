#include "aggregate/unit/shipped_units.h"

#include "aggregate/unit/shipped_records.h"

namespace dp::aggregate {

bytea* ship_units(UnitGroup* group, FileSet* files) {
  UnitStates* const states = group->states;
  if (states == nullptr) return ship_nothing();
  if (files == nullptr) elog(ERROR, "a parallel plan over privacy units was not told where its files lie");
  const UnitTable& units = states->units();
  UnitPages* const pages = states->whole_pages();
  const std::size_t page_bytes = pages != nullptr ? states->page_bytes() : 0;
  UnitWriter writer({units.record().bytes(), page_bytes, states->type(), ParallelWorkerNumber, 0}, files);
  if (pages != nullptr) {
    pages->empty_by_page([&writer, page_bytes](std::uint64_t number, const char* places) {
      char* const to = writer.place(sizeof number + page_bytes);
      std::memcpy(to, &number, sizeof number);
      std::memcpy(to + sizeof number, places, page_bytes);
      writer.wrote(to + sizeof number + page_bytes);
    });
  } else {
    const UnitFormat& format = states->format();
    const auto write = [&](const Unit& unit, const State& record) {
      writer.wrote(format.write(writer.place(format.most_bytes(unit)), unit,
                                [&](char* to) { return units.record().pack(to, record); }));
    };
    if (!states->visit_places(write)) {
      states->read_units();
      while (states->next_units()) units.visit_records(write);
    }
  }
  bytea* const value = writer.end();
  states->end();
  return value;
}

// Adds what is in a block.
static void receive_pages(UnitStates* states, const char* from, const char* end) {
  const std::size_t bytes = states->page_bytes();
  std::uint64_t number;
  for (; from < end; from += bytes) {
    if (static_cast<std::size_t>(end - from) < sizeof number + bytes) refuse_units();
    std::memcpy(&number, from, sizeof number);
    from += sizeof number;
    states->add_page(number, from);
  }
}

void receive_units(MemoryContext above, UnitGroup* group, const bytea* shipped, FileSet* files) {
  const ShippedHead head = head_of(shipped);
  if (head.record_bytes == 0) return;
  if (group->states == nullptr) UnitStates::make(above, group, head.type);
  UnitStates* const states = group->states;
  if (head.record_bytes != states->units().record().bytes() || head.type != states->type()) refuse_units();
  if (head.page_bytes != 0 && head.page_bytes != states->page_bytes()) refuse_units();
  if (head.page_bytes != 0) {
    UnitReader reader(head, shipped, files);
    const char *from, *end;
    while (reader.next(&from, &end)) receive_pages(states, from, end);
    reader.end();
  } else {
    ShippedRecords records(head, shipped, files, states->format());
    for (; records.is_there(); records.next()) states->add_record(records.entry());
    records.end();
  }
}

}  // namespace dp::aggregate
