#include "budget/ledger/totals.h"

#include <cstring>
#include <limits>

namespace dp::budget {
namespace {

void add(std::int64_t* sum, std::int64_t more) {
  if (__builtin_add_overflow(*sum, more, sum)) *sum = std::numeric_limits<std::int64_t>::max();
}

}  // namespace

void add(Amount* sum, const Amount& more) {
  add(&sum->epsilon, more.epsilon);
  add(&sum->delta, more.delta);
}

void turn(Total* total, bool closed, std::int64_t seq) {
  if (seq < total->turned) return;
  total->closed = closed;
  total->turned = seq;
}

uint32 Totals::slots_for(uint32 accounts) {
  uint32 slots = 64;
  while (slots / 8 * 3 < accounts) slots *= 2;
  return slots;
}

Totals* Totals::make(void* block, uint32 slots) {
  std::memset(block, 0, bytes(slots));
  auto* const totals = new (block) Totals;
  totals->slots_ = slots;
  totals->count_ = 0;
  return totals;
}

Total* Totals::place(Oid relation, Oid account) {
  const uint32 mask = slots_ - 1;
  uint32 i = hash_combine(murmurhash32(relation), murmurhash32(account)) & mask;
  while (OidIsValid(slot(i)->relation) && (slot(i)->relation != relation || slot(i)->account != account))
    i = (i + 1) & mask;
  return slot(i);
}

Total* Totals::find(Oid relation, Oid account) {
  Total* const total = place(relation, account);
  return OidIsValid(total->relation) ? total : nullptr;
}

Total* Totals::enter(Oid relation, Oid account) {
  Total* const total = place(relation, account);
  if (!OidIsValid(total->relation)) {
    Assert(has_room(1));
    *total = {relation, account, {}, 0, 0, false};
    ++count_;
  }
  return total;
}

void Totals::take(Totals& others) {
  others.visit([this](const Total& other) { *enter(other.relation, other.account) = other; });
}

}  // namespace dp::budget
