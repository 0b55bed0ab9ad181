// What charges while the synchronous standby does not answer waits, whatever synchronous_commit is. A wait that is
// stopped, in whatever way, is DP006: the charge stands, and nothing is shown, neither then nor by reading a relaxed
// level again. When the standby answers again, or none is asked for any more, all goes on.
#include <functional>

#include "support/failover.h"

using namespace dp::test;

namespace {

constexpr const char* kNotOnStandby = "DP006";

int questions = 0;

std::string marker() { return "/* question " + std::to_string(++questions) + "; */ "; }

Session new_admin() {
  Session admin;
  admin.run("SET synchronous_commit = local");
  return admin;
}

Session new_asker(const std::string& setting) {
  Session asker("user=stopped_asker");
  require(asker.connected(), PQerrorMessage(asker.libpq()));
  asker.run("SET synchronous_commit = " + setting);
  return asker;
}

void wait_until_waiting(Session& admin, Session& waiting, const std::string& what) {
  wait_until(
      [&] {
        return admin.value("SELECT coalesce(max(wait_event), '') FROM pg_stat_activity WHERE pid = " +
                           std::to_string(waiting.pid())) == "SyncRep";
      },
      what + ": it waits for the standby");
}

struct Way {
  std::string name;
  std::function<void(Session& admin, Session& asker)> stop;
};

Way signal_by(const std::string& function) {
  return {function, [=](Session& admin, Session& asker) {
            admin.run("SELECT " + function + "(" + std::to_string(asker.pid()) + ")");
          }};
}

// One signal, where a request of the client's to cancel may give two.
const Way kCancel = signal_by("pg_cancel_backend");

const Way kWays[] = {
    kCancel,
    {"a request to cancel", [](Session&, Session& asker) { asker.cancel(); }},
    signal_by("pg_terminate_backend"),
    {"statement_timeout", nullptr},  // set before
};

// The statement waits; stopped in that way, it gives no row. Returns what it gives. That a time limit was long enough
// for the wait to be reached is seen by what it gives.
Result stopped(Session& admin, Session& asker, const std::string& statement, const Way& way, const std::string& what) {
  asker.send(statement, true);
  if (way.stop != nullptr) {
    wait_until_waiting(admin, asker, what);
    way.stop(admin, asker);
  }
  Result last(nullptr);
  while (Result result = asker.next()) {
    require(!result.ok() || result.rows() == 0, what + ": a row was shown");
    if (!last || last.ok()) last = std::move(result);
  }
  return last;
}

void require_stopped(Session& admin, Session& asker, const std::string& statement, const std::string& what) {
  const Result told = stopped(admin, asker, statement, kCancel, what);
  require_equal(told.state(), kNotOnStandby, what + ": " + told.message());
}

void set_up() {
  Session admin;
  admin.run("CREATE EXTENSION pg_dp; CREATE EXTENSION pg_surgery");
  admin.run("CREATE ROLE stopped_asker LOGIN");
  admin.run("CREATE TABLE t AS SELECT i FROM generate_series(1, 1000) i");
  admin.run("SELECT dp.protect('t', 1e6), dp.grant_budget('t', 'stopped_asker', 1e6, allow_leaks => true)");
  admin.run("CREATE TABLE paper AS SELECT 1 AS one; GRANT SELECT ON paper TO stopped_asker");
  admin.run(
      "CREATE FUNCTION ask(mark text) RETURNS bigint LANGUAGE plpgsql PARALLEL RESTRICTED AS $$ DECLARE n bigint; BEGIN"
      " EXECUTE 'SELECT ' || mark || $q$ dp_count('*', 0.1) FROM t $q$ INTO n; RETURN n; END $$");
  // What a function sets ends with it, before the transaction does.
  admin.run(
      "CREATE FUNCTION forget() RETURNS bigint LANGUAGE sql SET synchronous_commit = off AS"
      " $$ SELECT dp.forget_releases('0') $$");
  // A table with a value that cannot be read, and an account that was closed by it.
  admin.run("CREATE TABLE broken (id int, note text COLLATE \"C\")");
  admin.run("ALTER TABLE broken ALTER COLUMN note SET STORAGE EXTERNAL");
  admin.run("INSERT INTO broken VALUES (1, repeat('z', 3000))");
  admin.run("SELECT dp.protect('broken', 1e6), dp.grant_budget('broken', 'stopped_asker', 1e6, allow_leaks => true)");
  const std::string toast = admin.value("SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 'broken'::regclass");
  admin.run("SELECT heap_force_kill('" + toast + "', ARRAY(SELECT ctid FROM " + toast + "))");
  new_asker("off").refused("SELECT dp_count('*', 1) FROM broken WHERE note > 'b'", "DP005");
}

std::string entries(Session& admin, const std::string& mark) {
  return admin.value("SELECT count(*) FROM dp.ledger WHERE query LIKE '%" + mark + "%'");
}

void ask_in_every_way(Session& admin) {
  for (const std::string setting : {"on", "off", "local", "remote_write", "remote_apply"}) {
    for (const Way& way : kWays) {
      for (const std::string begin : {"SELECT", "BEGIN READ ONLY", "BEGIN; SAVEPOINT s"}) {
        const std::string what = setting + ", " + way.name + ", " + begin;
        std::string mark;
        Session asker = new_asker(setting);
        const int pid = asker.pid();
        Result told(nullptr);
        // Milliseconds; on a busy machine more may pass before the statement has come to its charge.
        for (int limit = 300; limit < 100'000; limit *= 2) {
          mark = marker();
          asker.run(begin);
          if (way.stop == nullptr) asker.run("SET statement_timeout = " + std::to_string(limit));
          told = stopped(admin, asker, "SELECT " + mark + "dp_count('*', 0.1) FROM t", way, what);
          if (way.stop != nullptr || told.state() != "57014") break;
          require_equal(entries(admin, mark), "0", what + ": entries of a question that was not charged");
          asker.attempt("ROLLBACK");
          asker.run("SET statement_timeout = 0");
        }
        require_equal(entries(admin, mark), "1", what + ": entries in the ledger");
        if (way.name == "pg_terminate_backend") {
          wait_for_end(admin, pid);
          continue;
        }
        require_equal(told.state(), kNotOnStandby, what + ": " + told.message());
        require(std::string(PQresultErrorField(told.libpq(), PG_DIAG_MESSAGE_PRIMARY)) ==
                    "charged, but may not be on a standby",
                told.message());
        asker.attempt("ROLLBACK");
        asker.run("SET statement_timeout = 0");
        require_equal(asker.value("SHOW synchronous_commit"), setting, what + ": the setting afterwards");
        require_equal(admin.value("SELECT count(*) FROM pg_locks WHERE pid = " + std::to_string(pid)), "0",
                      what + ": locks");
        require_cancellable(admin, asker);
      }
    }
  }
}

void ask_in_parallel_and_below_a_handler(Session& admin) {
  const std::string mark = marker();
  Session asker = new_asker("off");
  asker.run("SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0");
  asker.run("BEGIN; SELECT pg_current_xact_id()");
  require_stopped(admin, asker, "SELECT ask('" + mark + "') FROM paper WHERE one = 1", "inside a parallel operation");
  require_equal(entries(admin, mark), "1", "inside a parallel operation: entries in the ledger");
  asker.run("ROLLBACK");
  // A cancel gets through to the end of the statement, whoever catches the error.
  const Result told = stopped(admin, asker,
                              "DO $$ BEGIN PERFORM dp_count('*', 0.1) FROM t; EXCEPTION WHEN SQLSTATE 'DP006' THEN"
                              " PERFORM pg_sleep(2); END $$",
                              kCancel, "caught");
  require_equal(told.state(), "57014", "caught: " + told.message());
}

// Its session has not read yet that a standby is asked for.
void ask_in_an_older_statement(Session& admin) {
  Session gate, asker = new_asker("off");
  gate.run("SELECT pg_advisory_lock(1)");
  asker.send("DO $$ BEGIN PERFORM pg_advisory_lock_shared(1); PERFORM dp_count('*', 0.1) FROM t; END $$");
  wait_for_lock(admin, asker.pid(), "advisory");
  Pair::wait_for_standbys("*");
  gate.run("SELECT pg_advisory_unlock(1)");
  wait_until_waiting(admin, asker, "a statement that began before");
  asker.cancel();
  require_equal(asker.finish().state(), kNotOnStandby, "a statement that began before");
}

void reopen(Session& admin) {
  Session curator = new_admin();
  require_stopped(admin, curator, "SELECT dp.reopen('broken', 'stopped_asker')", "reopened");
  require_equal(admin.value("SELECT count(*) FROM dp.ledger WHERE kind = 'reopened'"), "1", "entries of kind reopened");
}

void relax(Session& admin, const std::string& relaxing, const std::string& release) {
  for (const std::string setting : {"off", "remote_apply"}) {
    Session asker = new_asker(setting);
    require_stopped(admin, asker, relaxing, "relaxed");
    require_stopped(admin, asker, "SELECT * FROM dp_answer(" + release + ")", "read again");
  }
}

}  // namespace

int main() {
  return Pair::run([](const std::string& folder) {
    Pair pair(folder);
    set_up();
    pair.attach();
    Session admin = new_admin();
    Session maker = new_asker("off");
    maker.run("SELECT dp_count('*', 0.1) FROM t");
    const std::string release = maker.value("SELECT dp_last_release()");
    Session waiting = new_asker("off");
    const std::string relaxing = "SELECT * FROM relax_release(" + release + ", 0.2)";
    {
      const NothingSent held;
      ask_in_every_way(admin);
      ask_in_parallel_and_below_a_handler(admin);
      reopen(admin);
      relax(admin, relaxing, release);
      waiting.send("SELECT dp_count('*', 1e5) FROM t");
      wait_until_waiting(admin, waiting, "a question");
    }
    require_equal(waiting.finish().value(), "1000", "what waited when the standby answered again");
    const Result shown = maker.run(relaxing);
    require_equal(shown.value(0, 3), "0.2", "the level that was charged before");
    require_equal(admin.value("SELECT sum(epsilon) FROM dp.ledger WHERE release_id = " + release), "0.2",
                  "what it cost");
    require_balanced(admin, "at the end");
    {
      const NothingSent held;
      Session curator = new_admin();
      curator.send("SELECT forget()");
      wait_until_waiting(admin, curator, "forgotten");
      waiting.send("SELECT dp_count('*', 1e5) FROM t");
      wait_until_waiting(admin, waiting, "a question");
      Pair::wait_for_standbys("");
      require_equal(waiting.finish().value(), "1000", "what waited when no standby was asked for any more");
      require(curator.finish().ok(), "forgotten when no standby was asked for any more");
      maker.refused("SELECT * FROM dp_answer(" + release + ")", "DP003");
      ask_in_an_older_statement(admin);
    }
  });
}
