// A charge costs at most two flushes of the write-ahead log; one is the aim, the same as an INSERT of one row. Counted
// by the server itself (pg_stat_wal), which counts nothing while fsync is off, so it is on here.
#include "support/session.h"

using namespace dp::test;

namespace {

constexpr int kStatements = 100;

// The background processes write by themselves now and then, but not often: with its usual delay the write-ahead log's
// own writer would, on a slow disk, five times a second.
// Since 18 the server counts them among all that it reads and writes.
long flushes(Session& admin) {
  const bool among_others = std::stol(admin.value("SHOW server_version_num")) >= 180000;
  return std::stol(admin.value(among_others ? "SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'"
                                            : "SELECT wal_sync FROM pg_stat_wal"));
}

// Flushes for each statement.
double flushes_of(Session& admin, const std::string& before, const std::string& statement, const std::string& after) {
  Session session;
  session.run("SET synchronous_commit = on");
  const auto report = [&] { session.run("SELECT pg_stat_force_next_flush()"); };
  session.run(before);
  report();
  const long start = flushes(admin);
  for (int i = 0; i < kStatements; ++i) session.run(statement);
  session.run(after);
  report();
  // Counts are shared when the session is idle, which is after its answer.
  wait_until(
      [&] {
        return admin.value("SELECT state FROM pg_stat_activity WHERE pid = " + std::to_string(session.pid())) == "idle";
      },
      "it is idle");
  const double each = static_cast<double>(flushes(admin) - start) / kStatements;
  std::printf("%.2f flushes: %s%s%s\n", each, before == "SELECT" ? "" : (before + "; ").c_str(), statement.c_str(),
              before == "SELECT" ? "" : "; ...");
  return each;
}

}  // namespace

int main() {
  Session admin;
  admin.run("CREATE TABLE t AS SELECT i, i % 10 AS g FROM generate_series(1, 100) i");
  admin.run("CREATE TABLE one (i int)");
  admin.run("SELECT dp.protect('t', 1e6)");
  admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 9)))");
  admin.run("ALTER SYSTEM SET wal_writer_delay = '10s'");
  set_fsync(admin, "on");

  const std::string question = "SELECT dp_count('*', 0.1) FROM t";
  const double insert = flushes_of(admin, "SELECT", "INSERT INTO one VALUES (1)", "SELECT");
  require(insert > 0.9, "inserts are not counted: " + std::to_string(insert) + " flushes each");
  struct {
    const char* before;
    std::string statement;
    const char* after;
    int charges;
  } const cases[] = {
      {"SELECT", question, "SELECT", 1},
      {"SELECT", "SELECT g, dp_count('*', 0.1), dp_sum(i, 0, 100, 0.1) FROM t GROUP BY g", "SELECT", 1},
      {"SELECT", question + " UNION ALL " + question, "SELECT", 2},
      {"SET synchronous_commit = off", question, "SELECT", 1},
      {"BEGIN", question, "COMMIT", 1},
      {"BEGIN READ ONLY", question, "ROLLBACK", 1},
      // What a transaction wrote before is flushed with the first charge, and what it writes after is flushed by its
      // commit.
      {"SELECT", "BEGIN; INSERT INTO one VALUES (1); " + question + "; COMMIT", "SELECT", 1},
  };
  for (const auto& test : cases) {
    const double each = flushes_of(admin, test.before, test.statement, test.after);
    require(each > 0.9 * test.charges, "fewer flushes than charges: " + std::to_string(each));
    // The write-ahead log's own writer flushes now and then, too, and is counted.
    require(each < 2 * test.charges + 0.1, "more than two flushes for a charge: " + std::to_string(each));
  }
  admin.run("ALTER SYSTEM RESET wal_writer_delay");
  set_fsync(admin, "");
}
