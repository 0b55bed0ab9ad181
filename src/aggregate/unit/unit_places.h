// Places for privacy units whose words are anywhere (narrow_table.h), in as many tables as the first bits of a word
// tell apart. Each grows by itself: to twice its size while there is much memory, then by a quarter, at last by an
// eighth, so that little of it is not used.
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
  [[gnu::always_inline]] void fetch(std::uint64_t word) const { table_of(word).fetch(word); }

  // The place of the unit of that word, all zeros at first; nullptr where there is no memory for it.
  char* place_of(std::uint64_t word) {
    char* const place = table_of(word).place_of(word);
    return place != nullptr ? place : make(word);
  }

  // Calls visit(word, place) for each unit, and for some whose places are all zeros.
  template <class Visit>
  void visit(Visit visit) const {
    for (const NarrowTable& table : tables_) {
      CHECK_FOR_INTERRUPTS();
      table.visit(visit);
    }
  }

  // Calls visit(places, units, stride) for places that lie so many bytes from each other; those of no unit are zeros.
  template <class Visit>
  void visit_places(Visit visit) const {
    for (const NarrowTable& table : tables_) {
      CHECK_FOR_INTERRUPTS();
      visit(table.places(), table.place_count(), table.stride());
    }
  }

  // Nothing is there then.
  void end() { MemoryContextDelete(context_); }

 private:
  static constexpr int kTables = 1 << NarrowTable::kTableBits;

  NarrowTable& table_of(std::uint64_t word) { return tables_[word >> (64 - NarrowTable::kTableBits)]; }
  const NarrowTable& table_of(std::uint64_t word) const { return tables_[word >> (64 - NarrowTable::kTableBits)]; }

  char* make(std::uint64_t word);

  MemoryContext context_;
  std::size_t place_bytes_;
  std::size_t memory_;
  char* first_;  // the tables as they begin
  NarrowTable tables_[kTables];
};

}  // namespace dp::aggregate
