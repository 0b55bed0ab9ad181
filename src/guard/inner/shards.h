// Inner queries that read rows of other servers, by postgres_fdw.
//
// Nothing is sent to another server before the charge. What goes wrong there is told in one of two ways. A server that
// cannot be reached, ends the question itself, or has another table than is declared here: that is no matter of rows,
// so it is an error that names the server, with the same words each time; the charge is kept and the account stays
// open. Anything else that it says while rows are read goes to the circuit breaker. Neither way does its own text reach
// a role without SELECT: it stands in this server's log.
#pragma once

#include "guard/query/private_query.h"
#include "pg/errors.h"
#include "pg/foreign.h"

namespace dp::guard {

// While it lives, executions that start begin no scan of the plan's foreign tables. What another server is to compute
// is shown to them as a scan of its table, which is known by that table's record not to begin.
class ScansLater {
 public:
  explicit ScansLater(const PlannedStmt* plan);
  ~ScansLater();
  ScansLater(const ScansLater&) = delete;
  ScansLater& operator=(const ScansLater&) = delete;

  // The scans of an execution that has started are what they were.
  static void show_again(QueryDesc* started);

 private:
  List* tables_;    // oid
  List* computed_;  // ForeignScan
};

// start() starts an execution of the plan, which sends nothing to other servers.
template <class Start>
QueryDesc* start_with_scans_later(const PlannedStmt* plan, Start start) {
  if (!pg::reads_foreign(plan)) return start();
  return pg::entry([&] {
    const ScansLater later(plan);
    QueryDesc* const started = pg::call(start);
    ScansLater::show_again(started);
    return started;
  });
}

// After the charge: compares each foreign table with the one on its server, and begins the scans. `watched`: what
// servers say is told as above.
void begin_scans(QueryDesc* inner, bool watched);

// Raises DP002 where the scan is another one, by postgres_fdw, than of a protected table's rows, of what lies beside
// these on their server (shard_paths.h), or of parts of them.
void require_admitted_scan(const ForeignScan* scan, const PlannedStmt* plan, const InnerQuery& inner_query);

// Where the rows of the plan's tables are read, for EXPLAIN, where some are on other servers: for each server a text
// of the tables of which it makes parts, and one of those whose rows it sends. Nothing of it depends on rows: where a
// server can make parts it is asked for them.
struct ServersRead {
  List* parts = NIL;
  List* rows = NIL;
};
ServersRead servers_read(const PlannedStmt* plan);

}  // namespace dp::guard
