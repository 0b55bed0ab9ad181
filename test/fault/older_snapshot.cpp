// Design section 5, threats 13 and 79: a plan that relies on a unique index may run under a snapshot that is older than the index, and
// sees rows that were duplicates. It must notice: a unit of one row would have any number of them, and a row any number of partners.
#include "support/session.h"

using namespace dp::test;

int main() {
  Session admin, old, asker;
  admin.run("CREATE TABLE people (person int, x int); INSERT INTO people SELECT 1, 1 FROM generate_series(1, 100)");
  admin.run("CREATE TABLE events (x int); INSERT INTO events VALUES (1); SELECT dp.protect('events', 1e9)");
  admin.run("CREATE TABLE wards (ward int, name text); INSERT INTO wards SELECT 1, 'a' FROM generate_series(1, 100)");
  admin.run("SELECT dp.protect('people', 1e9, privacy_unit => 'person', max_rows_per_unit => 3)");
  old.run("BEGIN ISOLATION LEVEL REPEATABLE READ");
  const std::string snapshot = old.value("SELECT pg_export_snapshot()");

  // What the old snapshot goes on to see becomes unique for others.
  admin.run("DELETE FROM people WHERE ctid <> '(0,1)'; DELETE FROM wards WHERE ctid <> '(0,1)'");
  admin.run("CREATE UNIQUE INDEX ON people (person); CREATE UNIQUE INDEX ON wards (ward)");
  asker.run("SET plan_cache_mode = force_generic_plan; SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off");
  const std::string of_people = "SELECT dp_count('*', 1e6) FROM people";
  const std::string of_wards = "SELECT dp_count('*', 1e6) FROM events JOIN wards ON ward = x";
  asker.run("PREPARE of_people AS " + of_people + "; PREPARE of_wards AS " + of_wards);
  require_equal(asker.value("EXECUTE of_people"), "1", "people now");
  require_equal(asker.value("EXECUTE of_wards"), "1", "events with wards now");

  const auto under_old = [&](const std::string& sql) {
    asker.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '" + snapshot + "'");
    const Result result = asker.attempt(sql);
    const std::string seen = result.ok() ? result.value() : result.state();
    asker.run("ROLLBACK");
    return seen;
  };
  require_equal(under_old("SELECT count(*) FROM people"), "100", "what the old snapshot sees");
  require_equal(under_old(of_people), "3", "limited, planned under the old snapshot");
  require_equal(under_old(of_wards), "DP002", "joined, planned under the old snapshot");
  require_equal(under_old("EXECUTE of_people"), "40001", "the plan for one row of each person");
  require_equal(under_old("EXECUTE of_wards"), "40001", "the plan for one partner of each row");
  old.run("COMMIT");
  require_equal(asker.value("EXECUTE of_people"), "1", "people afterwards");
  require_equal(asker.value("EXECUTE of_wards"), "1", "events with wards afterwards");
}
