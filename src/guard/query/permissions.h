// Whose permissions hold: how a role without SELECT gets answers of a private query, and nothing else.
//
// An inner query is checked as the owner of its protected tables where the asking role has an account: at each start of
// an execution, on that execution's own list of tables. The plan, which may be cached, never holds the permission, and
// no table outside an inner query gets it: there a role without SELECT is refused before anything is planned
// (denied.h).
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// Whose permissions hold for a table in the execution of that plan: the view's owner where a view names it (`subject`),
// otherwise the role that asks.
Oid asking_role(Oid subject, const PlannedStmt* plan);

// While it lives, that plan is started as if the role asked, its permissions included; for finding out what the role
// may ask. Other plans that its start may run (of functions that prune partitions) are the current user's.
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

// Whether that plan is started as if a role asked that is not the current one.
bool is_asked_as_another(const PlannedStmt* plan);

// While it lives, that query is planned for that role (InvalidOid: the current one). Other statements, of functions
// that planning calls, are planned for the current one.
class PlannedFor {
 public:
  PlannedFor(const Query* query, Oid role);
  ~PlannedFor();
  PlannedFor(const PlannedFor&) = delete;
  PlannedFor& operator=(const PlannedFor&) = delete;

 private:
  const Query* outer_query_;
  const Query* outer_now_;
  Oid outer_;
};

// Says which query is being planned from now on, and returns which one was.
const Query* set_planned(const Query* query);

// Whose permissions hold for a table while a query is planned; `subject` as above.
Oid planning_role(Oid subject);

// Whether the role lacks SELECT on the table, so that private queries are its only way to the rows.
bool lacks_select(Oid table, Oid role);

// Whether somebody who sees messages or plans lacks SELECT: the role whose permissions hold, or one that asks through a
// view or function of another.
bool is_watched(Oid table, Oid role);

// The inner plan with the permissions of this execution: its own list of tables, in which a role without SELECT that
// has an account reads the protected ones as their owner. `outer` is the plan of the statement.
PlannedStmt* with_permissions(const PlannedStmt* inner, const InnerQuery& inner_query, const PlannedStmt* outer);

// The outer plan as it is to be started: a copy that is checked as the role that AskedAs names, or the plan itself.
PlannedStmt* as_asked(PlannedStmt* plan);

}  // namespace dp::guard
