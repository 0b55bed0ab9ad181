// Synchronous standbys: whether what was written here has reached them.
#pragma once

#include "pg/server.h"

namespace dp::pg {

// Waits, as a commit does, until the standbys that synchronous_standby_names asks for have the write-ahead log up to
// there on their disks; whatever the session's synchronous_commit, and also where remote_apply would wait longer.
// Returns at once where none are asked for, and on a standby. False: a cancel, a timeout or the end of the session
// stopped the wait before that was so. The cancel is consumed; `keep_canceling` puts it back.
[[nodiscard]] bool wait_for_standbys(XLogRecPtr written);

// After an error that takes the place of the cancel's: should somebody catch it, then the cancel still comes through.
void keep_canceling();

}  // namespace dp::pg
