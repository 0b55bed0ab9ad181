// Threats 10, 12 of docs/internals/threats.md: whoever has seen an answer has paid, whatever the setting and however
// soon the server dies. A session asks in a transaction that is still open; in the moment in which it has the answer
// all processes of the server are killed, and what was not flushed by the charge itself is lost. The same for a level
// of a release. Then: killed between charge and answer, there is a charge and no answer.
#include "support/server.h"

using namespace dp::test;

namespace {

std::string entries(const std::string& mark) {
  return Session().value("SELECT count(*) FROM dp.ledger WHERE query LIKE '%" + mark + "%'");
}

}  // namespace

int main() {
  const Server server;
  {
    Session admin;
    admin.run("CREATE TABLE t AS SELECT i, repeat('a', 1000) AS v FROM generate_series(1, 20000) i");
    admin.run("SELECT dp.protect('t', 1000)");
  }
  const std::vector<std::string> begins = {"BEGIN", "BEGIN READ ONLY", "BEGIN ISOLATION LEVEL SERIALIZABLE",
                                           "BEGIN; SAVEPOINT s", "SELECT"};
  for (int round = 0; round < 10; ++round) {
    const std::string mark = "answered " + std::to_string(round) + ";";
    Session asker;
    asker.run("SET synchronous_commit = off");
    asker.run(begins[round % begins.size()]);
    asker.run("SELECT /*" + mark + "*/ dp_count('*', 0.1) FROM t");
    server.kill_all();
    server.start();
    require_equal(entries(mark), "1", "entries for the answer " + mark);
  }

  Session().run("SELECT dp_count('*', 0.1) FROM t; CHECKPOINT");
  const std::string release = Session().value("SELECT max(release_id) FROM dp.releases");
  for (const std::string level : {"0.2", "0.3", "0.4"}) {
    Session asker;
    asker.run("SET synchronous_commit = off");
    asker.run("BEGIN");
    const std::string answer = asker.value("SELECT answer FROM relax_release(" + release + ", " + level + ")");
    server.kill_all();
    server.start();
    Session admin;
    require_equal(admin.value("SELECT sum(epsilon) FROM dp.ledger WHERE release_id = " + release), level,
                  "paid for the level that was shown");
    require_equal(admin.value("SELECT answer FROM relax_release(" + release + ", " + level + ")"), answer,
                  "the answer at level " + level);
  }

  // The condition takes seconds for all rows; the charge is seen long before.
  for (int round = 0; round < 2; ++round) {
    const std::string mark = "unanswered " + std::to_string(round) + ";";
    Session asker;
    asker.send("SELECT /*" + mark + "*/ dp_count('*', 0.1) FROM t WHERE " + slow_condition());
    wait_until([&] { return entries(mark) == "1"; }, "the question is charged");
    server.kill_all();
    require(!asker.finish().ok(), "an answer from a dead server");
    server.start();
    require_equal(entries(mark), "1", "entries for the question " + mark);
  }
  require_equal(Session().value("SELECT trim_scale(epsilon_spent) FROM dp.budgets"), "1.6", "spent");
}
