#include "budget/ledger/waiting_charges.h"

#include <cstring>

namespace dp::budget {
namespace {

Size bytes_of(Datum text) { return text == 0 ? 0 : VARSIZE_ANY(DatumGetPointer(text)); }

Datum copy_of(Datum text, char* to) {
  if (text == 0) return 0;
  std::memcpy(to, DatumGetPointer(text), bytes_of(text));
  return PointerGetDatum(to);
}

}  // namespace

bool WaitingCharge::holds(const Charge& charge) const {
  return charge.rows.size() == 1 && charge.shares.size() <= kMostShares &&
         bytes_of(charge.rows[0].kind) <= sizeof kind_ && bytes_of(charge.rows[0].query) <= sizeof query_;
}

void WaitingCharge::put(const Charge& charge) {
  pg_atomic_write_u32(&settled_, 0);
  written_ = InvalidXLogRecPtr;
  share_count_ = charge.shares.size();
  std::copy(charge.shares.begin(), charge.shares.end(), shares_);
  std::copy_n(charge.limits, share_count_, limits_);
  row_ = charge.rows[0];
  copy_of(row_.kind, kind_);
  copy_of(row_.query, query_);
  release_ = charge.release;
  before_ = charge.before;
}

// The texts are elsewhere in each session's memory.
Charge WaitingCharge::charge() {
  row_.kind = PointerGetDatum(kind_);
  if (row_.query != 0) row_.query = PointerGetDatum(query_);
  Charge waiting = {{shares_, share_count_}, limits_, {&row_, 1}, release_};
  waiting.before = before_;
  return waiting;
}

void WaitingCharge::keep(const Charge& charge) {
  release_ = charge.release;
  doubt_ = charge.doubt;
  first_short_ = charge.first_short;
  late_ = charge.late;
  if (charge.fits()) written_ = XactLastRecEnd;
  pg_write_barrier();
  pg_atomic_write_u32(&settled_, 1);
}

void WaitingCharge::give(Charge* charge) const {
  pg_read_barrier();
  std::copy_n(shares_, share_count_, charge->shares.begin());
  charge->rows[0].seq = row_.seq;
  charge->rows[0].release = row_.release;
  charge->release = release_;
  charge->doubt = doubt_;
  charge->first_short = first_short_;
  charge->late = late_;
  XactLastRecEnd = std::max(XactLastRecEnd, written_);
}

void WaitingCharges::init() {
  pg_atomic_init_u64(&taken_, 0);
  pg_atomic_init_u64(&asking_, 0);
  for (WaitingCharge& place : places_) pg_atomic_init_u32(&place.settled_, 0);
}

WaitingCharge* WaitingCharges::put(const Charge& charge) {
  if (!places_[0].holds(charge)) return nullptr;
  std::uint64_t taken = pg_atomic_read_u64(&taken_);
  int place;
  do {
    place = std::countr_one(taken);
    if (place >= kPlaces) return nullptr;
  } while (!pg_atomic_compare_exchange_u64(&taken_, &taken, taken | bit(place)));
  places_[place].put(charge);
  pg_atomic_fetch_or_u64(&asking_, bit(place));
  return &places_[place];
}

void WaitingCharges::take(WaitingCharge* waiting, Charge* charge) {
  waiting->give(charge);
  pg_atomic_fetch_and_u64(&taken_, ~bit(waiting));
}

void WaitingCharges::withdraw(WaitingCharge* waiting) {
  pg_atomic_fetch_and_u64(&asking_, ~bit(waiting));
  pg_atomic_fetch_and_u64(&taken_, ~bit(waiting));
}

}  // namespace dp::budget
