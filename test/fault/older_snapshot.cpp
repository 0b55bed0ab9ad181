// A plan that relies on a unique index may run under a snapshot that is older than the index, and sees rows that were
// duplicates. It must notice: a unit of one row would have any number of them, and a row any number of partners.
#include "support/session.h"

using namespace dp::test;

int main() {
  Session admin, old, asker;
  admin.run("CREATE TABLE people (person int, x int); INSERT INTO people SELECT 1, 1 FROM generate_series(1, 100)");
  admin.run("CREATE TABLE events (x int); INSERT INTO events VALUES (1); SELECT dp.protect('events', 1e9)");
  admin.run("CREATE TABLE wards (ward int, name text); INSERT INTO wards SELECT 1, 'a' FROM generate_series(1, 100)");
  admin.run("SELECT dp.protect('people', 1e9, privacy_unit => 'person', max_rows_per_unit => 3)");
  // A partition that comes later has rows that its parent's index never saw; a column that is NOT NULL later held NULL.
  admin.run(
      "CREATE TABLE parts (person int UNIQUE) PARTITION BY LIST (person); CREATE TABLE part PARTITION OF parts FOR "
      "VALUES IN (1)");
  admin.run(
      "INSERT INTO parts VALUES (1); CREATE TABLE late (person int); INSERT INTO late SELECT 2 FROM generate_series(1, "
      "100)");
  admin.run("SELECT dp.protect('parts', 1e9, privacy_unit => 'person', max_rows_per_unit => 3)");
  // One with a unique index of its own shares people with the others.
  admin.run(
      "CREATE TABLE halves (person int UNIQUE) PARTITION BY LIST (person); CREATE TABLE half PARTITION OF halves FOR "
      "VALUES IN (1)");
  admin.run("INSERT INTO halves VALUES (1); CREATE TABLE later (person int UNIQUE); INSERT INTO later VALUES (2), (1)");
  admin.run("SELECT dp.protect('halves', 1e9, privacy_unit => 'person', max_rows_per_unit => 1)");
  admin.run(
      "CREATE TABLE guests (person int UNIQUE, x boolean); INSERT INTO guests VALUES (1, true); "
      "INSERT INTO guests SELECT NULL, true FROM generate_series(1, 100)");
  admin.run("SELECT dp.protect('guests', 1e9, privacy_unit => 'person', max_rows_per_unit => 3)");
  // Of the same key there are two orders, of two customers, until a foreign key leads to them.
  admin.run("CREATE TABLE orders (id int, customer int); INSERT INTO orders VALUES (1, 1), (1, 2)");
  admin.run("CREATE TABLE lines (of_order int); INSERT INTO lines SELECT 1 FROM generate_series(1, 4)");
  admin.run("CREATE TABLE firms (id int PRIMARY KEY, owner int); INSERT INTO firms VALUES (1, 1)");
  admin.run("CREATE TABLE shops (firm int); INSERT INTO shops VALUES (1), (2)");
  old.run("BEGIN ISOLATION LEVEL REPEATABLE READ");
  const std::string snapshot = old.value("SELECT pg_export_snapshot()");

  // What the old snapshot goes on to see becomes unique for others.
  admin.run("DELETE FROM people WHERE ctid <> '(0,1)'; DELETE FROM wards WHERE ctid <> '(0,1)'");
  admin.run("CREATE UNIQUE INDEX ON people (person); CREATE UNIQUE INDEX ON wards (ward)");
  admin.run("DELETE FROM late WHERE ctid <> '(0,1)'; ALTER TABLE parts ATTACH PARTITION late FOR VALUES IN (2)");
  admin.run("DELETE FROM later WHERE person = 1; ALTER TABLE halves ATTACH PARTITION later FOR VALUES IN (2)");
  admin.run("DELETE FROM guests WHERE person IS NULL; ALTER TABLE guests ALTER person SET NOT NULL");
  admin.run("DELETE FROM orders WHERE customer = 2; ALTER TABLE orders ADD PRIMARY KEY (id)");
  admin.run("ALTER TABLE lines ADD FOREIGN KEY (of_order) REFERENCES orders");
  admin.run("SELECT dp.protect('lines', 1e9, privacy_unit => 'of_order.customer', max_rows_per_unit => 3)");
  admin.run("DELETE FROM shops WHERE firm = 2; ALTER TABLE shops ADD FOREIGN KEY (firm) REFERENCES firms");
  admin.run("SELECT dp.protect('shops', 1e9, privacy_unit => 'firm.owner', max_rows_per_unit => 3)");
  asker.run(
      "SET plan_cache_mode = force_generic_plan; SET enable_indexscan = off; SET enable_bitmapscan = off; SET "
      "enable_indexonlyscan = off");
  const std::string of_people = "SELECT dp_count('*', 1e6) FROM people";
  const std::string of_wards = "SELECT dp_count('*', 1e6) FROM events JOIN wards ON ward = x";
  const std::string of_parts = "SELECT dp_count('*', 1e6) FROM parts",
                    of_guests = "SELECT dp_count('*', 1e6) FROM guests";
  const std::string of_halves = "SELECT dp_count('*', 1e6) FROM halves";
  asker.run("PREPARE of_people AS " + of_people + "; PREPARE of_wards AS " + of_wards);
  asker.run("PREPARE of_parts AS " + of_parts + "; PREPARE of_guests AS " + of_guests);
  asker.run("PREPARE of_halves AS " + of_halves);
  const std::string of_lines = "SELECT dp_count('*', 1e6) FROM lines",
                    of_shops = "SELECT dp_count('*', 1e6) FROM shops";
  asker.run("PREPARE of_lines AS " + of_lines + "; PREPARE of_shops AS " + of_shops);
  require_equal(asker.value("EXECUTE of_people"), "1", "people now");
  require_equal(asker.value("EXECUTE of_wards"), "1", "events with wards now");
  require_equal(asker.value("EXECUTE of_parts"), "2", "both partitions now");
  require_equal(asker.value("EXECUTE of_halves"), "2", "both halves now");
  require_equal(asker.value("EXECUTE of_guests"), "1", "those that are somebody now");

  require_equal(asker.value("EXECUTE of_lines"), "3", "lines now");
  require_equal(asker.value("EXECUTE of_shops"), "1", "shops now");

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
  require_equal(under_old("SELECT count(*) FROM parts"), "101", "what the old snapshot sees of both partitions");
  require_equal(under_old(of_parts), "4", "the later partition limited, planned under the old snapshot");
  require_equal(under_old("EXECUTE of_parts"), "40001", "the plan for one row of each person in both partitions");
  require_equal(under_old("SELECT count(*) FROM halves"), "3", "what the old snapshot sees of both halves");
  require_equal(under_old(of_halves), "2", "people in both halves, planned under the old snapshot");
  require_equal(under_old("EXECUTE of_halves"), "40001", "the plan for people in one half each");
  require_equal(under_old(of_guests), "1", "those that are nobody, planned under the old snapshot");
  require_equal(under_old("EXECUTE of_guests"), "40001", "the plan for a column without NULL");
  require_equal(under_old("SELECT count(*) FROM orders"), "2", "what the old snapshot sees of the order");
  require_equal(under_old(of_lines), "40001", "lines, planned under the old snapshot");
  require_equal(under_old("EXECUTE of_lines"), "40001", "the plan for one order of each line");
  require_equal(under_old(of_shops), "40001", "shops, planned under the old snapshot");
  require_equal(under_old("EXECUTE of_shops"), "40001", "the plan for shops that all have a firm");
  old.run("COMMIT");
  require_equal(asker.value("EXECUTE of_people"), "1", "people afterwards");
  require_equal(asker.value("EXECUTE of_wards"), "1", "events with wards afterwards");
}
