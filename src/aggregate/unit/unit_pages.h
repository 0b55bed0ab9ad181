// Places for privacy units whose numbers lie close together, as those of a sequence do: side by side in pages, so that
// a unit needs neither a hash table nor its number beside it.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::aggregate {

// Lives in a memory context, without a destructor.
class UnitPages {
 public:
  // For places of that many bytes, in not more than `memory` bytes in all, of a memory context below `above`.
  UnitPages(MemoryContext above, std::size_t place_bytes, std::size_t memory);

  // The place of that unit, all zeros at first; nullptr where there is no memory for it, or where so many rows have shown
  // that there will be none. find_place() is quicker, and finds most of those that are there; nullptr for the others.
  char* place_of(std::uint64_t unit, std::uint64_t rows);
  char* find_place(std::uint64_t unit) const {
    const std::uint64_t number = unit >> page_bits_;
    const Page& page = pages_[slot_of(number)];
    return page.number == number && page.places != nullptr ? place(page, unit) : nullptr;
  }

  // Calls visit(unit, place) for each place there is, and lets go of all of them, page by page.
  template <class Visit>
  void empty(Visit visit) {
    empty_by_page([this, visit](std::uint64_t number, const char* places) {
      const std::uint64_t first = number << page_bits_;
      for (std::uint64_t unit = 0; unit >> page_bits_ == 0; ++unit) visit(first + unit, places + unit * place_bytes_);
    });
  }

  // The same with visit(number, places) for each page: its places lie side by side.
  template <class Visit>
  void empty_by_page(Visit visit) {
    for (std::uint64_t i = 0; i < slots_; ++i) {
      const Page page = pages_[i];
      if (page.places == nullptr) continue;
      CHECK_FOR_INTERRUPTS();
      visit(page.number, page.places);
      pages_[i].places = nullptr;
      pfree(page.places);
    }
  }

  std::size_t page_bytes() const { return place_bytes_ << page_bits_; }

  // The places of the page of that number; nullptr where there is none.
  char* page_of(std::uint64_t number) { return find(number).places; }

  // Makes the page of that number with a copy of these places; false where it is there, or there is no memory for it.
  bool take_page(std::uint64_t number, const char* places);

 private:
  struct Page {
    std::uint64_t number;  // of its units all bits but the last
    char* places;          // nullptr: there is none
  };

  std::uint64_t slot_of(std::uint64_t number) const {
    constexpr std::uint64_t kGoldenRatio = 0x9e37'79b9'7f4a'7c15;
    return number * kGoldenRatio >> slot_shift_;
  }
  char* place(const Page& page, std::uint64_t unit) const {
    return page.places + (unit & ((std::uint64_t{1} << page_bits_) - 1)) * place_bytes_;
  }
  Page& find(std::uint64_t number);
  bool make(Page* free, std::uint64_t number);

  MemoryContext context_;
  std::size_t place_bytes_;
  unsigned page_bits_;  // so many bits of a unit say where it lies in its page
  unsigned slot_shift_;
  std::uint64_t slots_;  // a power of 2, at least twice as many as there may be pages
  std::uint64_t pages_left_;
  std::uint64_t trial_;  // so many are left when it is asked whether they will do
  Page* pages_;          // a page that finds its slot taken is in the next free one
};

}  // namespace dp::aggregate
