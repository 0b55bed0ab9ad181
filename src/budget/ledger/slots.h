// A hash table in one block of memory, a backend's own or shared, that can be copied as it is: what is known of each
// table and role. Nothing in it allocates or raises an error.
#pragma once

#include <cstring>
#include <new>

#include "pg/server.h"

namespace dp::budget {

// Lies at the head of its block, and its slots behind it. A Value begins with `Oid relation` and `Oid account`; zeros
// are one of nothing.
template <class Value>
class Slots {
 public:
  // How large the block has to be for so many slots, a power of two.
  static Size bytes(uint32 slots) { return sizeof(Slots) + Size{slots} * sizeof(Value); }

  // Slots that leave room for so many values, and for as many again.
  static uint32 slots_for(uint32 values) {
    uint32 slots = 64;
    while (slots / 8 * 3 < values) slots *= 2;
    return slots;
  }

  static Slots* make(void* block, uint32 slots) {
    std::memset(block, 0, bytes(slots));
    auto* const made = new (block) Slots;
    made->slots_ = slots;
    made->count_ = 0;
    return made;
  }

  // In the current memory context.
  static Slots* make(uint32 slots) { return make(palloc_extended(bytes(slots), MCXT_ALLOC_HUGE), slots); }

  uint32 slots() const { return slots_; }
  uint32 count() const { return count_; }

  // Whether so many more can be entered. A fourth of the slots stays free, so that a search ends soon.
  bool has_room(uint32 more) const { return count_ + more <= slots_ / 4 * 3; }

  // nullptr: there is nothing of it.
  Value* find(Oid relation, Oid account) {
    Value* const value = place(relation, account);
    return OidIsValid(value->relation) ? value : nullptr;
  }

  // Where it is not there yet, there has to be room; then it is one of nothing.
  Value* enter(Oid relation, Oid account) {
    Value* const value = place(relation, account);
    if (!OidIsValid(value->relation)) {
      Assert(has_room(1));
      *value = {};
      value->relation = relation;
      value->account = account;
      ++count_;
    }
    return value;
  }

  // The same in a table of the current memory context, which gives way to a larger one where there is no room.
  static Value* enter(Slots** table, Oid relation, Oid account) {
    if (!(*table)->has_room(1)) {
      Slots* const larger = make(2 * (*table)->slots());
      larger->take(**table);
      pfree(*table);
      *table = larger;
    }
    return (*table)->enter(relation, account);
  }

  // Enters all of them. Of those that are in both, theirs count.
  void take(Slots& others) {
    others.visit([this](const Value& other) { *enter(other.relation, other.account) = other; });
  }

  template <class Visit>
  void visit(Visit visit) {
    for (uint32 i = 0; i < slots_; ++i) {
      if (OidIsValid(slot(i)->relation)) visit(*slot(i));
    }
  }

 private:
  Slots() = default;

  Value* slot(uint32 i) { return reinterpret_cast<Value*>(this + 1) + i; }

  // Where it is, or the free slot where it would be.
  Value* place(Oid relation, Oid account) {
    const uint32 mask = slots_ - 1;
    uint32 i = hash_combine(murmurhash32(relation), murmurhash32(account)) & mask;
    while (OidIsValid(slot(i)->relation) && (slot(i)->relation != relation || slot(i)->account != account))
      i = (i + 1) & mask;
    return slot(i);
  }

  uint32 slots_;
  uint32 count_;
};

}  // namespace dp::budget
