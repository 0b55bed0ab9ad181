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

// While it lives, executions that start begin no scan of the plan's foreign tables.
class ScansLater {
 public:
  explicit ScansLater(const PlannedStmt* plan);
  ~ScansLater();
  ScansLater(const ScansLater&) = delete;
  ScansLater& operator=(const ScansLater&) = delete;

 private:
  List* tables_;  // oid
};

// start() starts an execution of the plan, which sends nothing to other servers.
template <class Start>
QueryDesc* start_with_scans_later(const PlannedStmt* plan, Start start) {
  if (!pg::reads_foreign(plan)) return start();
  return pg::entry([&] {
    const ScansLater later(plan);
    return pg::call(start);
  });
}

// After the charge: compares each foreign table with the one on its server, and begins the scans. `watched`: what
// servers say is told as above.
void begin_scans(QueryDesc* inner, bool watched);

// Raises DP002 where the scan is another one than of a protected table's rows, or of parts of them, by
// postgres_fdw.
void require_admitted_scan(const ForeignScan* scan, const PlannedStmt* plan, const InnerQuery& inner_query);

// The planner's view of a foreign table of an inner query: its rows are fetched, or the parts that its server makes of
// them (unit_limit/over_shards.h), and joined and aggregated here. `declared`: of the inner query.
void fetch_rows_or_parts(RelOptInfo* table, List* declared);

// Whether the inner query adds up parts that servers make (unit_limit/over_shards.h); then, while it lives, the planner
// groups by sorting: there are few parts, and a hash table would not be made where an execution is begun later.
class SortsParts {
 public:
  explicit SortsParts(const Query* inner);
  ~SortsParts() { enable_hashagg = hashes_; }
  SortsParts(const SortsParts&) = delete;
  SortsParts& operator=(const SortsParts&) = delete;

 private:
  bool hashes_;
};

// With which an execution of that plan is started, for these: where others compute, it is begun after the charge.
int flags_of_start(const PlannedStmt* plan, int flags);

// Which tables' rows come from which servers, for EXPLAIN; nullptr where none do.
const char* servers_text(const PlannedStmt* plan);

}  // namespace dp::guard
