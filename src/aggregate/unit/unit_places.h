// Places for privacy units whose words are anywhere (narrow_table.h), in one memory that is reserved as a whole, once a
// quarter of it is needed, and used from its beginning on: what is not used yet is no memory of the machine's.
//
// It is in large pages where the kernel has some: places of units are read in any order, and to find where a page of
// 4 kB lies takes as long as to read what is there.
#pragma once

#include "core/accumulate/narrow_table.h"
#include "pg/server.h"

namespace dp::aggregate {

// Lives in a memory context, without a destructor.
class UnitPlaces {
 public:
  // Whether places of that many bytes can be begun in that memory.
  static bool fit(std::size_t place_bytes, std::size_t memory);

  // For places of that many bytes, in a memory context below `above`: in not more than `memory` bytes in all, or as
  // many as are allowed later.
  UnitPlaces(MemoryContext above, std::size_t place_bytes, std::size_t memory);
  void allow(std::size_t memory) { memory_ = memory; }

  // Lets the processor fetch the unit's place.
  [[gnu::always_inline]] void fetch(std::uint64_t word) const { table_.fetch(word); }

  // The place of the unit of that word, all zeros at first; nullptr where there is no memory for it.
  char* place_of(std::uint64_t word) {
    char* const place = table_.place_of(word);
    return place != nullptr ? place : make(word);
  }

  // The slots of a section; and grows to as many as another process has, as far as there is memory. Units that come in
  // the order of their words would be a single heap at the begin of a section that is too small for all of them.
  std::uint64_t slots() const { return table_.slots(); }
  void expect(std::uint64_t slots) { grow(slots); }

  // Calls visit(word, place) for each unit, and for some whose places are all zeros.
  template <class Visit>
  void visit(Visit visit) const {
    for (std::uint64_t number = 0; number < NarrowTable::kSections; ++number) {
      CHECK_FOR_INTERRUPTS();
      table_.visit(number, visit);
    }
  }

  // Calls visit(places, units, stride) for places that lie so many bytes from each other; those of no unit are zeros.
  template <class Visit>
  void visit_places(Visit visit) const {
    visit(table_.places(), table_.place_count(), table_.stride());
  }

  // Nothing is there then.
  void end() { MemoryContextDelete(context_); }

 private:
  char* make(std::uint64_t word);
  bool grow(std::uint64_t slots);

  MemoryContext context_;
  std::size_t place_bytes_;
  std::size_t memory_;
  std::size_t reserved_;
  void* allocated_;  // in which the table's memory is
  NarrowTable table_;
};

}  // namespace dp::aggregate
