// Who reads a level of a release that another session has just drawn must not be shown what a crash can take
// back. Rows of a level are seen by others before the write-ahead log is on disk. Here that moment is made long: the
// session that relaxes waits for commit_delay before it writes the log. Another one reads the release again and again,
// and as soon as it is shown the new level all processes of the server are killed.
#include "support/server.h"

using namespace dp::test;

int main() {
  const Server server;
  {
    Session admin;
    set_fsync(admin, "on");  // commit_delay is for servers that wait for the disk
    make_role(admin, "reading_asker");
    admin.run("CREATE TABLE t AS SELECT i FROM generate_series(1, 100) i");
    admin.run("GRANT SELECT ON t TO reading_asker");
    admin.run("SELECT dp.protect('t', 1e6), dp.grant_budget('t', 'reading_asker', 1e6, allow_leaks => true)");
  }
  for (int round = 0; round < 10; ++round) {
    Session relaxing, reading("user=reading_asker");
    relaxing.run("SET commit_siblings = 0");
    relaxing.run("SET SESSION AUTHORIZATION reading_asker");
    relaxing.run("SELECT dp_count('*', 0.1) FROM t");
    const std::string release = relaxing.value("SELECT dp_last_release()");
    const std::string read = "SELECT epsilon, answer FROM dp_answer(" + release + ")";
    Session().run("CHECKPOINT");  // the release itself is on disk
    require_equal(reading.value(read), "0.1", "the level before");

    relaxing.run("RESET SESSION AUTHORIZATION; SET commit_delay = 100000; SET SESSION AUTHORIZATION reading_asker");
    relaxing.send("SELECT * FROM relax_release(" + release + ", 0.2)");
    std::string answer;
    wait_until(
        [&] {
          const Result shown = reading.run(read);
          answer = shown.value(0, 1);
          return shown.value() == "0.2";
        },
        "the new level is seen");
    server.kill_all();
    server.start();
    const Result again = Session("user=reading_asker").run(read);
    require_equal(again.value(), "0.2", "the level after a crash");
    require_equal(again.value(0, 1), answer, "the answer after a crash");
    require_equal(Session().value("SELECT sum(epsilon) FROM dp.ledger WHERE release_id = " + release), "0.2",
                  "what was paid for it");
  }
  Session admin;
  set_fsync(admin, "");
}
