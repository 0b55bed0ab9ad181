// Who may touch stored releases at the same time: locks of the same kind as advisory locks, in classes that users
// cannot reach.
#pragma once

#include "pg/server.h"

namespace dp::budget {

class ReleaseLock {
 public:
  // One at a time on the paths of a release, from reading their levels to the new ones being durable.
  static ReleaseLock of_paths(std::int64_t release) { return {0xD9, release, ExclusiveLock}; }

  // A release is read in many steps, and none may be forgotten between two of them. Held for one call, never until a
  // transaction's end: whoever asks must not make curators wait.
  static ReleaseLock against_forgetting() { return {0xDA, 0, ShareLock}; }

  // Until the end of the transaction.
  static void for_forgetting() { ReleaseLock(0xDA, 0, ExclusiveLock); }

  // Not a destructor: an error leaves it to the abort of the transaction.
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
