#include "pg/standbys.h"

namespace dp::pg {
namespace {

// Once the configuration was changed only PostgreSQL's own wait knows: this session reads it before its next command.
bool may_be_asked_for() {
  if (max_wal_senders == 0 || RecoveryInProgress()) return false;
  return ConfigReloadPending || (SyncRepStandbyNames != nullptr && SyncRepStandbyNames[0] != '\0');
}

bool have(XLogRecPtr written) {
  LWLockAcquire(SyncRepLock, LW_SHARED);
  const bool reached = written <= WalSndCtl->lsn[SYNC_REP_WAIT_FLUSH];
  LWLockRelease(SyncRepLock);
  return reached;
}

}  // namespace

bool wait_for_standbys(XLogRecPtr written) {
  if (XLogRecPtrIsInvalid(written) || !may_be_asked_for()) return true;
  HOLD_INTERRUPTS();
  // Which wait it is to be is known to the setting's own hook alone. An error gives the setting back with its
  // (sub)transaction.
  const int level = NewGUCNestLevel();
  if (synchronous_commit < SYNCHRONOUS_COMMIT_REMOTE_FLUSH) {
    set_config_option("synchronous_commit", "on", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
  }
  SyncRepWaitForLSN(written, false);
  AtEOXact_GUC(true, level);
  // PostgreSQL's wait returns also where it was stopped, after a warning, or where no standby is asked for any more.
  // What stops it raises these flags, which stay up while interrupts are held; another interrupt may too, and is then
  // taken for it.
  const bool may_be_stopped = InterruptPending || ProcDiePending;
  RESUME_INTERRUPTS();
  return !may_be_stopped || have(written);
}

void keep_canceling() {
  QueryCancelPending = true;
  InterruptPending = true;
}

}  // namespace dp::pg
