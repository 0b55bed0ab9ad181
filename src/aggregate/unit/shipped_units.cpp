#include "aggregate/unit/shipped_units.h"

#include "aggregate/unit/shipped_records.h"

namespace dp::aggregate {

// The number of a page or the word of a unit, and what it has.
static void write_places(UnitWriter* writer, std::uint64_t number, const char* places, std::size_t bytes) {
  char* const to = writer->place(sizeof number + bytes);
  std::memcpy(to, &number, sizeof number);
  std::memcpy(to + sizeof number, places, bytes);
  writer->wrote(to + sizeof number + bytes);
}

bytea* ship_units(UnitGroup* group, FileSet* files) {
  UnitStates* const states = group->states;
  if (states == nullptr) return ship_nothing();
  if (files == nullptr) elog(ERROR, "a parallel plan over privacy units was not told where its files lie");
  const UnitTable& units = states->units();
  UnitPages* const pages = states->whole_pages();
  UnitPlaces* const places = pages != nullptr ? nullptr : states->places_apart();
  const std::size_t page_bytes = pages != nullptr ? states->page_bytes() : 0;
  const std::size_t place_bytes = places != nullptr ? states->place_bytes() : 0;
  const std::uint64_t slots = places != nullptr ? places->slots() : 0;
  UnitWriter writer({units.record().bytes(), page_bytes, place_bytes, slots, states->type(), ParallelWorkerNumber, 0},
                    files);
  if (pages != nullptr) {
    pages->empty_by_page(
        [&](std::uint64_t number, const char* page) { write_places(&writer, number, page, page_bytes); });
  } else {
    if (places != nullptr) {
      states->visit_places(
          *places, [&](std::uint64_t word, const char* place) { write_places(&writer, word, place, place_bytes); });
      writer.end_part();
    }
    const UnitFormat& format = states->format();
    states->read_others();
    while (states->next_units()) {
      units.visit_records([&](const Unit& unit, const State& record) {
        writer.wrote(format.write(writer.place(format.most_bytes(unit)), unit,
                                  [&](char* to) { return units.record().pack(to, record); }));
      });
    }
  }
  bytea* const value = writer.end();
  states->end();
  return value;
}

// Calls add(number, places) for what write_places() wrote into a block.
template <class Add>
static void receive_places(const char* from, const char* end, std::size_t bytes, Add add) {
  std::uint64_t number;
  for (; from < end; from += bytes) {
    if (static_cast<std::size_t>(end - from) < sizeof number + bytes) refuse_units();
    std::memcpy(&number, from, sizeof number);
    from += sizeof number;
    add(number, from);
  }
}

void receive_units(MemoryContext above, UnitGroup* group, const bytea* shipped, FileSet* files) {
  const ShippedHead head = head_of(shipped);
  if (head.record_bytes == 0) return;
  if (group->states == nullptr) UnitStates::make(above, group, head.type);
  UnitStates* const states = group->states;
  if (head.record_bytes != states->units().record().bytes() || head.type != states->type()) refuse_units();
  if (head.page_bytes != 0 && head.page_bytes != states->page_bytes()) refuse_units();
  if (head.place_bytes != 0 && head.place_bytes != states->place_bytes()) refuse_units();
  UnitReader reader(head, shipped, files);
  const char *from, *end;
  if (head.page_bytes != 0) {
    while (reader.next(&from, &end)) {
      receive_places(from, end, head.page_bytes,
                     [states](std::uint64_t number, const char* page) { states->add_page(number, page); });
    }
    return reader.end();
  }
  if (head.place_bytes != 0) {
    states->expect_places(head.slots);
    while (reader.next(&from, &end)) {
      receive_places(from, end, head.place_bytes,
                     [states](std::uint64_t word, const char* place) { states->add_place(word, place); });
    }
  }
  ShippedRecords records(reader, states->format());
  for (; records.is_there(); records.next()) states->add_record(records.entry());
  records.end();
}

}  // namespace dp::aggregate
