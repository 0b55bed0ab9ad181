// What other servers say when they fail: it stands in this server's log, and who asks is told which server it was, in
// one of a few sentences.
#pragma once

#include "pg/errors.h"
#include "pg/server.h"

namespace dp::guard {

enum class Failed { unreachable, ended, differs, extension, refuses };

// DP008. `charged`: that stays so; else nothing was.
[[noreturn]] void tell_failure(Oid table, Failed how, bool charged = true);

void log_failure(Oid table, const ErrorData& error);

// Of this session's own: a cancel, a time limit, the end of the session.
bool is_own_interrupt(const ErrorData& error);

bool is_connection(int sqlstate);
bool is_end_by_server(int sqlstate);

}  // namespace dp::guard
