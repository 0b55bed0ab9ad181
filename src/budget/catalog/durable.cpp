#include "budget/catalog/durable.h"

#include "pg/errors.h"
#include "pg/standbys.h"

namespace dp::budget {

void make_durable(XLogRecPtr written, const Told& told) {
  XLogFlush(written);
  if (pg::wait_for_standbys(written)) return;
  if (ProcDiePending) CHECK_FOR_INTERRUPTS();  // the session is being terminated
  pg::keep_canceling();
  ereport(ERROR, (errcode(pg::kNotOnStandby), errmsg("%s, but may not be on a standby", told.done),
                  errdetail("The wait for a synchronous standby was stopped."), errhint("%s", told.hint)));
}

void FrozenWrites::flush(const Told& told) const {
  make_durable(XactLastRecEnd, told);
  need_no_flush();
}

void FrozenWrites::need_no_flush() const {
  if (XLogRecPtrIsInvalid(before_)) XactLastRecEnd = InvalidXLogRecPtr;
}

}  // namespace dp::budget
