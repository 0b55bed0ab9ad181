// PREPARE TRANSACTION, then ROLLBACK PREPARED: the charge stays. So it does if the server dies in between, in
// either way, and a transaction that waits to be finished stands in nobody's way.
#include "support/server.h"

using namespace dp::test;

namespace {

std::string spent(Session& session) { return session.value("SELECT trim_scale(epsilon_spent) FROM dp.budgets"); }

void check_books(Session& session, int entries, const std::string& epsilon, const std::string& when) {
  require_equal(session.value("SELECT count(*) FROM dp.ledger"), std::to_string(entries), when + ": entries");
  require_equal(spent(session), epsilon, when + ": spent");
}

const std::string kQuestion = "SELECT dp_count('*', 0.5) FROM t";

}  // namespace

int main() {
  const Server server;
  {
    Session session;
    session.run("CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i");
    session.run("CREATE TABLE written (i int)");
    session.run("SELECT dp.protect('t', 4)");
    require(session.value("SHOW max_prepared_transactions") != "0", "no prepared transactions on this server");

    session.run("BEGIN; INSERT INTO written VALUES (1); " + kQuestion + "; PREPARE TRANSACTION 'fault'");
    check_books(session, 1, "0.5", "prepared");
    session.run("ROLLBACK PREPARED 'fault'");
    check_books(session, 1, "0.5", "rolled back");

    session.run("BEGIN; SAVEPOINT s; " + kQuestion + "; ROLLBACK TO s; PREPARE TRANSACTION 'fault'");
    Session other;
    other.run("SET lock_timeout = '10s'");
    other.run(kQuestion);
    other.run("VACUUM FULL dp.ledger_entry");
    other.run("VACUUM t");
    check_books(session, 3, "1.5", "asked beside a prepared transaction");
    session.run("COMMIT PREPARED 'fault'");
    check_books(session, 3, "1.5", "committed");

    session.run("BEGIN; " + kQuestion + "; PREPARE TRANSACTION 'fault'");
  }
  server.stop_immediately();
  server.start();
  {
    Session session;
    check_books(session, 4, "2", "after an immediate shutdown");
    require_equal(session.value("SELECT gid FROM pg_prepared_xacts"), "fault", "the prepared transaction");
    session.run("ROLLBACK PREPARED 'fault'");
    check_books(session, 4, "2", "rolled back after it");
    session.run("BEGIN; INSERT INTO written VALUES (1); " + kQuestion + "; PREPARE TRANSACTION 'fault'");
    session.run("ROLLBACK PREPARED 'fault'");
  }
  server.kill_all();
  server.start();
  Session session;
  check_books(session, 5, "2.5", "killed after ROLLBACK PREPARED");
  require_equal(session.value("SELECT count(*) FROM written"), "0", "what a transaction wrote that was rolled back");

  // Exactly what is left fits.
  for (int i = 0; i < 3; ++i) {
    session.run("BEGIN; " + kQuestion + "; PREPARE TRANSACTION 'fault'");
    session.run("ROLLBACK PREPARED 'fault'");
  }
  session.refused(kQuestion, "DP001");

  // Who writes to the ledger by hand cannot prepare: nobody would notice the end of the transaction.
  session.refused("BEGIN; DELETE FROM dp.ledger_entry; PREPARE TRANSACTION 'fault'", "0A000");
  session.attempt("ROLLBACK");
  check_books(session, 8, "4", "in the end");
}
