// Charges that have found the ledger's lock taken. Who has it appends them together with its own and tells each session
// what became of its charge, so that a crowd that has come meanwhile needs the lock once and not one after the other.
//
// A charge waits in a place in shared memory. It is settled by whoever has the lock (appended, or found not to fit), or
// its own session gets the lock, withdraws it and does it by itself. So nobody depends on a certain session to go on:
//
// - An error in the session that settles leaves that one charge to its own session, which wakes as the lock is
//   released, and all others to whoever has the lock next. Rows that were there before the error have been charged,
//   as after each error in the midst of an append.
// - A session that is cancelled or terminated hears of it when its charge is settled, as after its own append: what was
//   charged remains so.
// - A crash takes all of it. A session answers when its charge is on disk, whoever has written it.
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "budget/catalog/ledger_rows.h"
#include "budget/catalog/policy_rows.h"
#include "budget/ledger/shared_totals.h"

namespace dp::budget {

// What one step appends, all of it or nothing, and what became of it.
struct Charge {
  std::span<Share> shares;
  Limit* limits;                   // limits[i] belongs to shares[i]
  std::span<LedgerRow> rows = {};  // which get their numbers
  std::int64_t release = 0;        // or kNewRelease, which is replaced
  Doubt doubt = Doubt::none;
  std::size_t first_short = 0;        // the index of the first share that does not fit, or their number
  TimestampTz before = PG_INT64_MAX;  // as in Entry
  bool late = false;                  // that moment has come

  bool fits() const { return doubt == Doubt::none && !late && first_short == shares.size(); }
};

// Most charges are for one table: an account's and the table's share, one row. Others wait for the lock itself.
class WaitingCharge {
 public:
  bool is_settled() const { return pg_atomic_read_u32(const_cast<pg_atomic_uint32*>(&settled_)) != 0; }

 private:
  friend class WaitingCharges;
  static constexpr std::size_t kMostShares = 2;

  bool holds(const Charge& charge) const;
  void put(const Charge& charge);
  Charge charge();  // as the session that settles sees it
  void keep(const Charge& charge);
  void give(Charge* charge) const;

  pg_atomic_uint32 settled_;
  XLogRecPtr written_;  // the end of its rows in the write-ahead log
  std::size_t share_count_;
  Share shares_[kMostShares];
  Limit limits_[kMostShares];
  LedgerRow row_;
  std::int64_t release_;
  Doubt doubt_;
  std::size_t first_short_;
  TimestampTz before_;
  bool late_;
  alignas(MAXIMUM_ALIGNOF) char kind_[32];
  alignas(MAXIMUM_ALIGNOF) char query_[VARHDRSZ + kQueryBytes];
};

// Those of one database, in shared memory.
class WaitingCharges {
 public:
  void init();

  // Without the lock, and without an error before it is settled or withdrawn. nullptr: it is too large, or all places
  // are taken.
  WaitingCharge* put(const Charge& charge);

  // Once it is settled: says in `charge` what became of it, and makes this session's flush wait for its rows.
  void take(WaitingCharge* waiting, Charge* charge);

  // Under the lock, where it is not settled.
  void withdraw(WaitingCharge* waiting);

  // Under the lock: settle(&charge) for each that waits now.
  template <class Settle>
  void settle_all(Settle settle) {
    for (std::uint64_t asking = pg_atomic_read_u64(&asking_); asking != 0; asking &= asking - 1) {
      const int place = std::countr_zero(asking);
      // An error of this charge must not meet the next session, too.
      pg_atomic_fetch_and_u64(&asking_, ~bit(place));
      Charge charge = places_[place].charge();
      settle(&charge);
      places_[place].keep(charge);
    }
  }

 private:
  static constexpr int kPlaces = 32;

  static std::uint64_t bit(std::ptrdiff_t place) { return std::uint64_t{1} << place; }
  std::uint64_t bit(const WaitingCharge* waiting) const { return bit(waiting - places_); }

  pg_atomic_uint64 taken_;   // a bit for each place
  pg_atomic_uint64 asking_;  // those that nobody has begun to settle
  WaitingCharge places_[kPlaces];
};

}  // namespace dp::budget
