// What is charged must not be forgotten: neither by a crash, nor by a failover to a synchronous standby.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// The words of the error DP006, where the wait for the standbys was stopped.
struct Told {
  const char* done;  // "charged": it stands here, as an error does not undo it
  const char* hint;
};

// When it returns, the write-ahead log up to there is on this server's disk and on those of its synchronous standbys
// (on a standby: on its own). DP006 where the wait for them was stopped: then nothing may be shown that rests on it.
void make_durable(XLogRecPtr written, const Told& told);

// Around writes of frozen rows, which are in force at once and no part of the transaction, so that its commit need not
// wait for them.
class FrozenWrites {
 public:
  FrozenWrites() : before_(XactLastRecEnd) {}

  // make_durable() for all that was written until now.
  void flush(const Told& told) const;

  // A crash may take these rows.
  void need_no_flush() const;

 private:
  XLogRecPtr before_;
};

}  // namespace dp::budget
