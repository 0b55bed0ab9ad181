// Locks on stored releases. They are advisory locks, in classes that SQL functions cannot reach.
#pragma once

#include "pg/server.h"

namespace dp::budget {

class ReleaseLock {
 public:
  // Held by whoever changes the paths of a release, from reading the levels until the new ones are durable.
  static ReleaseLock of_paths(std::int64_t release) { return {0xD9, release, ExclusiveLock}; }

  // Held while a release is read, which takes many steps, so that it is not forgotten between two of them. Released at
  // the end of the call and not of the transaction: whoever reads must not make curators wait.
  static ReleaseLock against_forgetting() { return {0xDA, 0, ShareLock}; }

  // Held until the end of the transaction.
  static void for_forgetting() { ReleaseLock(0xDA, 0, ExclusiveLock); }

  // Not a destructor, because errors jump over it; after one the abort of the transaction releases the lock.
  void release() { LockRelease(&tag_, mode_, false); }

 private:
  ReleaseLock(uint16 lock_class, std::int64_t number, LOCKMODE mode) : mode_(mode) {
    SET_LOCKTAG_ADVISORY(tag_, MyDatabaseId, static_cast<uint32>(number >> 32), static_cast<uint32>(number),
                         lock_class);
    LockAcquire(&tag_, mode, false, false);
  }

  LOCKTAG tag_;
  LOCKMODE mode_;
};

}  // namespace dp::budget
