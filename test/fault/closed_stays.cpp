// A private query that an error stopped has closed its account by the time the client is told, whatever the setting and
// however soon the server dies; and the account is open again once a curator was told that it is.
#include "support/server.h"

using namespace dp::test;

namespace {

// The server's log has the text of the error, which the client was not told.
bool log_mentions(const std::string& text) {
  std::ifstream log(Server::variable("PGDATA") + "/../log");
  for (std::string line; std::getline(log, line);) {
    if (line.find(text) != std::string::npos) return true;
  }
  return false;
}

void require_closed(const std::string& when) {
  Session ana("user=closed_ana");
  require_equal(ana.attempt("SELECT dp_count('*', 1) FROM t").state(), "DP005", when);
}

}  // namespace

int main() {
  const Server server;
  {
    Session admin;
    admin.run("CREATE EXTENSION pg_surgery");
    admin.run("DROP ROLE IF EXISTS closed_ana");
    admin.run("CREATE ROLE closed_ana LOGIN");
    admin.run("CREATE TABLE t (id int, note text COLLATE \"C\")");
    admin.run("ALTER TABLE t ALTER COLUMN note SET STORAGE EXTERNAL");
    admin.run("INSERT INTO t VALUES (1, repeat('z', 3000)), (2, 'a')");
    admin.run("SELECT dp.protect('t', 1000), dp.grant_budget('t', 'closed_ana', 1000, allow_leaks => true)");
    const std::string toast = admin.value("SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 't'::regclass");
    admin.run("SELECT heap_force_kill('" + toast + "', ARRAY(SELECT ctid FROM " + toast + "))");
    admin.run("CHECKPOINT");
  }
  const std::vector<std::string> begins = {"SELECT", "BEGIN", "BEGIN READ ONLY", "BEGIN; SAVEPOINT s"};
  for (const std::string& begin : begins) {
    {
      Session ana("user=closed_ana");
      ana.run("SET synchronous_commit = off");
      ana.run(begin);
      const Result told = ana.attempt("SELECT dp_count('*', 1) FROM t WHERE note > 'b'");
      require_equal(told.state(), "DP005", "the query that reads the broken value");
      server.kill_all();
    }
    server.start();
    require_closed("after " + begin + " and a crash");
    Session admin;
    admin.run("SET synchronous_commit = off");
    admin.run("BEGIN");
    admin.run("SELECT dp.reopen('t', 'closed_ana')");
    server.kill_all();
    server.start();
    Session("user=closed_ana").run("SELECT dp_count('*', 1) FROM t");
  }
  require(log_mentions("stopped, and who asked is closed: missing chunk number 0"), "the log has no text of the error");
  require_equal(Session().value("SELECT count(*) FROM dp.ledger WHERE kind = 'closed'"), "4", "rows of kind closed");
  Session admin;
  require_balanced(admin, "at the end");
}
