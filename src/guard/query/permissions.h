// The fence: how a role without privileges gets through, and what else it may not see.
//
// An inner query is checked as the owner of its protected tables where the asking role has an account: at each start of an
// execution, on that execution's own list of tables. The plan, which may be cached, never holds the permission, and no table outside
// an inner query gets it: there a role without SELECT is refused before anything is planned (denied.h).
#pragma once

#include "guard/rewrite/rewrite.h"
#include "pg/uncounted.h"

namespace dp::guard {

// Whose permissions hold for a table in the execution of that plan: the view's owner where a view names it (`subject`), otherwise
// the role that asks.
Oid asking_role(Oid subject, const PlannedStmt* plan);

// While it lives, that plan is started as if the role asked, its permissions included; for finding out what the role may ask. Other
// plans that its start may run (of functions that prune partitions) are the current user's.
class AskedAs {
 public:
  AskedAs(const PlannedStmt* plan, Oid role);
  ~AskedAs();
  AskedAs(const AskedAs&) = delete;
  AskedAs& operator=(const AskedAs&) = delete;

 private:
  const PlannedStmt* outer_plan_;
  Oid outer_role_;
};

// Whether the role has a way to the table's rows beside private queries; a role that has not is fenced.
bool is_fenced(Oid table, Oid role);

// Whether somebody who looks on is fenced: the one whose permissions hold, or who asks through a view or a function of another.
bool is_watched(Oid table, Oid role);

// The inner plan with the permissions of this execution: its own list of tables, in which a fenced role with an account reads
// the protected ones as their owner. `outer` is the plan of the statement.
PlannedStmt* with_permissions(const PlannedStmt* inner, const Core& core, const PlannedStmt* outer);

// The outer plan as it is to be started: a copy that is checked as the role that AskedAs names, or the plan itself.
PlannedStmt* as_asked(PlannedStmt* plan);

// Raises DP002 where the execution would show a fenced role more than answers: measures of it (EXPLAIN ANALYZE, BUFFERS), or which
// rows it read (SERIALIZABLE). From here to the end of the transaction what is logged is kept from the client.
void begin_fenced(const EState* estate, int flags);

// While a fenced inner query is planned or runs, no message leaves for the client: it would tell of plans and rows. Nor does
// anything count what it reads.
class Silence {
 public:
  explicit Silence(bool silent);
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int messages_;
  pg::Uncounted uncounted_;
};

// After an error nobody is silent any more: what PostgreSQL then logs of a fenced statement (sizes of temporary files) is kept from
// the client until the transaction is over. Called once, from shared_preload_libraries.
void install_fence();

// The hint that "permission denied" gets for a role that has an account on one of these tables (RangeTblEntry) whose permissions do
// not suffice, in the execution of that plan (nullptr: none yet); nullptr otherwise.
const char* hint_of_denied(List* tables, const PlannedStmt* plan);

}  // namespace dp::guard
