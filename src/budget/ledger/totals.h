// What each account has spent: a hash table in one block of memory, a backend's own or shared, that can be copied as it
// is. Nothing in it allocates or raises an error.
#pragma once

#include "core/accounting/amount.h"
#include "pg/server.h"

namespace dp::budget {

// What is known of one account (InvalidOid: of the table as a whole).
struct Total {
  Oid relation;  // InvalidOid: the slot is free
  Oid account;
  Amount spent;
  std::int64_t charges;  // how many
  std::int64_t turned;   // the ledger row that closed or opened it last; 0: none
  bool closed;           // nothing is answered until a curator opens it again
};

// A sum beyond 63 bits stays at their end: then nothing fits any more.
void add(Amount* sum, const Amount& more);

// A row of that number closed the account, or opened it. Of such rows the last one counts, wherever it lies.
void turn(Total* total, bool closed, std::int64_t seq);

// Lies at the head of its block, and its slots behind it.
class Totals {
 public:
  // How large the block has to be for so many slots, a power of two.
  static Size bytes(uint32 slots) { return sizeof(Totals) + Size{slots} * sizeof(Total); }

  // Slots that leave room for so many accounts, and for as many again.
  static uint32 slots_for(uint32 accounts);

  static Totals* make(void* block, uint32 slots);

  uint32 slots() const { return slots_; }
  uint32 count() const { return count_; }

  // Whether so many more can be entered. A fourth of the slots stays free, so that a search ends soon.
  bool has_room(uint32 more) const { return count_ + more <= slots_ / 4 * 3; }

  // nullptr: it has spent nothing.
  Total* find(Oid relation, Oid account);

  // Where it is not there yet, there has to be room; then it has spent nothing.
  Total* enter(Oid relation, Oid account);

  // Enters all of them. Of accounts that are in both, theirs count.
  void take(Totals& others);

  template <class Visit>
  void visit(Visit visit) {
    for (uint32 i = 0; i < slots_; ++i) {
      if (OidIsValid(slot(i)->relation)) visit(*slot(i));
    }
  }

 private:
  Totals() = default;

  Total* slot(uint32 i) { return reinterpret_cast<Total*>(this + 1) + i; }

  // Where it is, or the free slot where it would be.
  Total* place(Oid relation, Oid account);

  uint32 slots_;
  uint32 count_;
};

}  // namespace dp::budget
