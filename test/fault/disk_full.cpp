// The ledger cannot grow, as on a full disk. A question whose charge cannot be written gets no answer
// and costs nothing, the totals stay right, and when there is room again, the same session goes on.
//
// The disk is full for one backend only: its files may not become longer than the ledger is. The ledger is made longer
// than a segment of the write-ahead log first, since a backend that cannot write that one takes the whole server with
// it.
#include "support/server.h"

using namespace dp::test;

namespace {

void limit_files(const Session& session, const std::string& bytes) {
  Server::run_as_server("prlimit --pid " + std::to_string(session.pid()) + " --fsize=" + bytes + ":");
}

std::string entries(Session& admin) { return admin.value("SELECT count(*) FROM dp.ledger WHERE epsilon > 0"); }

}  // namespace

int main() {
  Session admin;
  admin.run("CREATE TABLE t AS SELECT i FROM generate_series(1, 100) i");
  admin.run("SELECT dp.protect('t', 1000)");
  admin.run(
      "INSERT INTO dp.ledger_entry SELECT i, now(), 'postgres', NULL, 't'::regclass, 'query', 0, 0, 0, 0, NULL, "
      "repeat('x', 1500)"
      " FROM generate_series(1, 12000) i");
  admin.run("SELECT dp.confirm_ledger()");

  Session asker;
  const std::string question = "SELECT /*" + std::string(1500, 'x') + "*/ dp_count('*', 0.1) FROM t";
  for (int round = 0; round < 3; ++round) {
    const int before = std::stoi(entries(admin));
    limit_files(asker, admin.value("SELECT pg_relation_size('dp.ledger_entry')"));
    int answers = 0;
    if (round == 1) asker.run("BEGIN; SAVEPOINT s");
    for (;;) {
      const Result result = asker.attempt(question);
      require(asker.connected(), "the session is gone");
      if (!result.ok()) {
        require(result.message().find("could not extend file") != std::string::npos, result.message());
        break;
      }
      require(++answers < 200, "the ledger grows beyond the limit");  // it has some empty pages
    }
    if (round == 1) asker.run("ROLLBACK TO s; COMMIT");
    require_equal(entries(admin), std::to_string(before + answers), "entries after a failed one");

    // Others are not held up, and the session works again once it may write.
    admin.run(question);
    limit_files(asker, "unlimited");
    asker.run(question);
    require_cancellable(admin, asker);
    require_equal(entries(admin), std::to_string(before + answers + 2), "entries afterwards");
    require_balanced(admin, "round " + std::to_string(round));
  }
}
