// Who reads the ledger as a whole, or changes which rows stand in it, does so alone.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// One session reads the ledger for all of its database. A lock of the same kind as advisory locks, in a class that
// users cannot reach: who waits for it can be cancelled.
class ReadingLock {
 public:
  explicit ReadingLock(bool wait = true) {
    SET_LOCKTAG_ADVISORY(tag_, MyDatabaseId, 0, 0, 0xDB);
    held_ = LockAcquire(&tag_, ExclusiveLock, false, !wait) != LOCKACQUIRE_NOT_AVAIL;
  }

  bool held() const { return held_; }

  // Not a destructor: an error leaves it to the abort of the transaction. Who does not call it keeps the lock until its
  // transaction has ended, for everybody to see.
  void release() { LockRelease(&tag_, ExclusiveLock, false); }

 private:
  LOCKTAG tag_;
  bool held_;
};

}  // namespace dp::budget
