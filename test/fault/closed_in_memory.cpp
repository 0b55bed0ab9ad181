// Accounts that an error stopped and whose closing could not be written, as on a full disk, stay closed in memory.
// There is room for 64 of them: with one more, every account of the database is closed, until the server ends.
//
// The disk is full for one backend only, as in disk_full.cpp: the ledger may grow by one page, in which the charge is
// the last row that fits, so that the row that closes the account does not.
#include "support/server.h"

using namespace dp::test;

namespace {

constexpr int kRoom = 64;
constexpr int kPage = 8192;

class Asker {
 public:
  explicit Asker(Session& admin) : admin_(admin) {}

  void as(const std::string& role) { session_.run("SET ROLE " + role); }

  // The ledger may grow by so many pages.
  void allow(int pages) {
    const std::string most =
        admin_.value("SELECT pg_relation_size('dp.ledger_entry') + " + std::to_string(pages * kPage));
    limit(most);
  }
  void limit(const std::string& bytes) {
    Server::run_as_server("prlimit --pid " + std::to_string(session_.pid()) + " --fsize=" + bytes + ":");
  }

  // Each takes as much of the ledger.
  Result ask(const std::string& condition) {
    return session_.attempt("SELECT /*" + std::string(1500 - condition.size(), 'x') +
                            "*/ dp_count('*', 0.1) FROM t WHERE " + condition);
  }

  // So often, or as often as the charge fits; how often that was. Who begins a page fails once: pages are added ahead.
  int fill(int most) {
    as("closed_well");
    int answers = 0;
    for (int failures = 0; answers < most && failures < 2;) {
      const Result result = ask("id > 0");
      failures = result.ok() ? 0 : failures + 1;
      answers += result.ok();
      require(result.ok() || result.message().find("could not extend file") != std::string::npos, result.message());
    }
    return answers;
  }

 private:
  Session& admin_;
  Session session_;
};

void require_told(const std::string& state, const std::string& question, const std::string& when) {
  Session well("user=closed_well");
  require_equal(well.attempt(question).state(), state, when);
}

}  // namespace

int main() {
  const Server server;
  {
    Session admin;
    admin.run("CREATE EXTENSION pg_surgery");
    admin.run("CREATE TABLE t (id int, note text COLLATE \"C\")");
    admin.run("CREATE TABLE other AS SELECT 1 AS id");
    admin.run("ALTER TABLE t ALTER COLUMN note SET STORAGE EXTERNAL");
    admin.run("INSERT INTO t VALUES (1, repeat('z', 3000)), (2, 'a')");
    admin.run("SELECT dp.protect('t', 1e6), dp.protect('other', 1e6)");
    make_role(admin, "closed_well");
    for (int i = 1; i <= kRoom + 1; ++i) make_role(admin, "closed_" + std::to_string(i));
    admin.run(
        "SELECT dp.grant_budget(t, r, 1e3, allow_leaks => true) FROM unnest('{t,other}'::regclass[]) t,"
        " (SELECT oid::regrole FROM pg_roles WHERE rolname LIKE 'closed\\_%') r(r)");
    const std::string toast = admin.value("SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 't'::regclass");
    admin.run("SELECT heap_force_kill('" + toast + "', ARRAY(SELECT ctid FROM " + toast + "))");
    // The write-ahead log's files are as long as the ledger, so that the limit does not concern them.
    admin.run(
        "INSERT INTO dp.ledger_entry SELECT i, now(), 'postgres', NULL, 't'::regclass, 'query', 0, 0, 0, 0, NULL, "
        "repeat('x', 1500) FROM generate_series(1, 12000) i");
    admin.run("SELECT dp.confirm_ledger()");

    Asker asker(admin);
    asker.allow(0);
    asker.fill(1000);
    asker.allow(1);
    const int in_page = asker.fill(1000);
    require(in_page > 1, "only one row fits into a page");
    for (int i = 1; i <= kRoom + 1; ++i) {
      asker.allow(1);
      require_equal(std::to_string(asker.fill(in_page - 1)), std::to_string(in_page - 1),
                    "rows of a page but the last");
      asker.as("closed_" + std::to_string(i));
      require_equal(asker.ask("note > 'b'").state(), "DP005", "the query that reads the broken value");
      require_equal(asker.ask("id > 0").state(), "DP005", "the next one");
      if (i == kRoom) require_told("", "SELECT dp_count('*', 0.1) FROM t", "who was not stopped, beside 64 who were");
    }
    require_equal(admin.value("SELECT count(*) FROM dp.ledger WHERE kind = 'closed'"), "0",
                  "rows that close an account");
    require_told("DP005", "SELECT dp_count('*', 0.1) FROM t", "who was not stopped, beside 65 who were");
    require_told("DP005", "SELECT dp_count('*', 0.1) FROM other", "the same, of another table");
    Session last("user=closed_" + std::to_string(kRoom + 1));
    require_equal(last.attempt("SELECT dp_count('*', 0.1) FROM t").state(), "DP005", "the 65th, in another session");
    // A curator who opens some of them does not open the others.
    asker.limit("unlimited");
    admin.run("SELECT dp.reopen('t', 'closed_1')");
    require_equal(last.attempt("SELECT dp_count('*', 0.1) FROM t").state(), "DP005",
                  "the 65th, when the first was opened");
  }
  server.stop();
  server.start();
  require_told("", "SELECT dp_count('*', 0.1) FROM t", "after the end of the server");
}
