// The fence: how a role without privileges gets through, and what else it may not see.
//
// The range-table entry of a core's table carries a mark: a required privilege that nobody has and no other code knows.
// Without this library, or past it, the check fails. At each start of an execution, marked entries lose the mark on a
// copy of the plan, and are checked as the table's owner where the asking role has an account; the plan itself, which
// may be cached, never holds the permission, and no other entry of the same table gets it.
#pragma once

#include "guard/split.h"

namespace dp::guard {

// Whose permissions hold for a table in the execution of that plan: the view's owner where a view names it (`subject`), otherwise
// the role that asks.
Oid asking_role(Oid subject, const PlannedStmt* plan);

// The next plan that is started is started as if that role asked, its permissions included; for finding out what it may ask.
// It holds for that plan alone: statements that its start may run (functions that prune partitions) are the current user's.
void ask_next_as(Oid role);

// Marks the entry of a core's table.
void mark_admitted(RangeTblEntry* table);

// Whether the role has a way to the table's rows beside private queries; a role that has not is fenced.
bool is_fenced(Oid table, Oid role);

// Whether somebody who looks on is fenced: the one whose permissions hold, or who asks through a view or a function of another.
bool is_watched(Oid table, Oid role);

// What an execution is, as far as the fence is concerned.
struct Passage {
  PlannedStmt* plan;  // to be executed: a copy with permissions, or the plan itself
  bool fenced;        // somebody fenced looks on
};

// What is reported of it beside its answers: pages that the planner read, or rows, pages and times of the run. A fenced role must
// see none of them.
enum class Measures { nothing, planning, running };

// Decides over a plan at the start of its execution, in the memory that the plan is to live in. Raises DP002 for what is refused to
// fenced roles.
Passage pass(PlannedStmt* plan, Measures measures);

// While a fenced statement is planned or executed, messages below NOTICE stay on the server: they tell of plans and rows.
class Silence {
 public:
  explicit Silence(bool silent);
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int outer_;
};

// After an error nobody is silent any more: what PostgreSQL then logs of a fenced statement (sizes of temporary files) is kept from
// the client until the transaction is over. Called once, from shared_preload_libraries.
void install_fence();

// Refuses what would show a fenced role more than answers, before its statement is planned.
void check_session(bool fenced);

// The hint that "permission denied" gets for a role that has an account on one of the statement's tables; nullptr otherwise.
const char* hint_of_denied(const PlannedStmt* plan);

}  // namespace dp::guard
