// What dp.forget_releases has said to be forgotten stays so, whatever the setting and however soon the server dies; and
// what was not yet committed is there as a whole, at the levels at which it was shown.
#include "support/server.h"

using namespace dp::test;

namespace {

std::string answer(const std::string& release) {
  return "SELECT string_agg(a::text, ';' ORDER BY a::text) FROM dp_answer(" + release + ") a";
}

}  // namespace

int main() {
  const Server server;
  {
    Session admin;
    // The WAL writer must not flush in the time that the kill takes.
    admin.run("ALTER SYSTEM SET wal_writer_delay = '10s'");
    admin.run("SELECT pg_reload_conf()");
    admin.run("CREATE TABLE t AS SELECT i, i % 5 AS g FROM generate_series(1, 100) i");
    admin.run("SELECT dp.protect('t', 1000)");
    // Settings that were made in a function end with it.
    admin.run(
        "CREATE FUNCTION forget() RETURNS bigint LANGUAGE sql SET synchronous_commit = off"
        " AS $$SELECT dp.forget_releases('0')$$");
    admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 4)))");
  }
  for (int round = 0; round < 10; ++round) {
    const bool commits = round % 2 == 0;
    Session curator;
    curator.run("SELECT g, dp_count('*', 0.1) FROM t GROUP BY g");
    const std::string release = curator.value("SELECT dp_last_release()");
    curator.run("SELECT relax_release(" + release + ", 0.2)");
    const std::string shown = curator.value(answer(release));
    curator.run("SET synchronous_commit = off");
    if (!commits) curator.run("BEGIN");
    require_equal(curator.value(round % 4 == 0 ? "SELECT forget()" : "SELECT dp.forget_releases('0')"), "1",
                  "forgotten");
    server.kill_all();
    server.start();

    Session after;
    if (commits) {
      after.refused(answer(release), "DP003");
    } else {
      require_equal(after.value(answer(release)), shown, "what was not committed");
      require_equal(after.value("SELECT dp.forget_releases('0')"), "1", "forgotten after all");
    }
    require_equal(after.value("SELECT count(*) FROM dp.release_level"), "0", "rows with noise");
    require_equal(after.value("SELECT sum(table_epsilon) FROM dp.ledger"
                              " WHERE release_id = " +
                              release),
                  "0.2", "what was paid for it");
    require_balanced(after, "round " + std::to_string(round));
  }
  Session admin;
  admin.run("ALTER SYSTEM RESET wal_writer_delay");
  admin.run("SELECT pg_reload_conf()");
}
