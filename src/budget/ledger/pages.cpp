#include "budget/ledger/pages.h"

#include "budget/ledger/shared_database.h"
#include "pg/access.h"

namespace dp::budget {
namespace {

constexpr BlockNumber kAhead = 16;  // pages that are added at once, as soon as half as many are left

}  // namespace

void add_pages_when_due(Relation ledger) {
  Database& here = this_database();
  if (pg_atomic_read_u32(&here.begun_page) == InvalidBlockNumber) return;
  const BlockNumber begun = pg_atomic_exchange_u32(&here.begun_page, InvalidBlockNumber);
  if (begun == InvalidBlockNumber || RelationGetNumberOfBlocks(ledger) > begun + kAhead / 2) return;
  LockRelationForExtension(ledger, ExclusiveLock);
  for (BlockNumber i = 0; i < kAhead; ++i) pg::add_page(ledger);
  UnlockRelationForExtension(ledger, ExclusiveLock);
}

// This session has no page of its own before its first row, and after it has heard that the file was cut, by VACUUM for
// example. The shared page may be behind its end then. Where it has one, all rows that came after its own, and with
// them the last, are in the file as it is now: nobody cuts it while we have it locked.
void aim_at_last_page(Relation ledger) {
  const BlockNumber last = this_database().last_page;
  if (last == InvalidBlockNumber || last == RelationGetTargetBlock(ledger)) return;
  if (RelationGetTargetBlock(ledger) == InvalidBlockNumber && last >= RelationGetNumberOfBlocks(ledger)) return;
  RelationSetTargetBlock(ledger, last);
}

void note_last_page(Relation ledger) {
  Database& here = this_database();
  const BlockNumber page = RelationGetTargetBlock(ledger);
  if (page == here.last_page) return;
  here.last_page = page;
  pg_atomic_write_u32(&here.begun_page, page);
}

}  // namespace dp::budget
