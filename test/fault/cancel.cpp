// Threats 3 to 5, 7 to 9, 84, 106 of docs/internals/threats.md: a question is stopped at every stage, in every way.
// What began to run is charged, exactly once; what did not is not. Afterwards the session works, can be cancelled, and
// holds no lock, and others can ask.
//
// Argument: the seed of the random moments (printed at the start).
#include <signal.h>
#include <sys/socket.h>

#include <functional>
#include <random>

#include "support/session.h"

using namespace dp::test;

namespace {

constexpr const char* kCancelled = "57014";

int questions = 0;

// A comment by which a question is found in the ledger.
std::string marker() { return "question " + std::to_string(++questions) + ";"; }

std::string entries(Session& admin, const std::string& mark) {
  return admin.value("SELECT count(*) FROM dp.ledger WHERE query LIKE '%" + mark + "%'");
}

void require_entries(Session& admin, const std::string& mark, int count, const std::string& what) {
  require_equal(entries(admin, mark), std::to_string(count), what + ": entries in the ledger");
}

// Ways to stop what runs: each makes the session's statement fail, or the session end.
struct Way {
  const char* name;
  bool ends_session;
  std::function<void(Session& admin, Session& asker)> stop;
};

std::string text(int number) { return std::to_string(number); }

const Way kWays[] = {
    {"cancel", false, [](Session&, Session& asker) { asker.cancel(); }},
    {"terminate", true,
     [](Session& admin, Session& asker) { admin.run("SELECT pg_terminate_backend(" + text(asker.pid()) + ")"); }},
    {"dropped socket", true, [](Session&, Session& asker) { shutdown(PQsocket(asker.libpq()), SHUT_RDWR); }},
};

// The session sets it before; then nothing is to be done but to wait.
const Way kTimeout = {"statement_timeout", false, nullptr};

Session new_asker() {
  Session asker("user=cancel_asker");
  require(asker.connected(), PQerrorMessage(asker.libpq()));
  asker.run("SET client_connection_check_interval = 20");
  return asker;
}

// After a statement that failed: the session is as good as new, and so are the others.
void check_healthy(Session& admin, Session& asker) {
  asker.attempt("ROLLBACK");
  asker.run("SET statement_timeout = 0");
  require_equal(admin.value("SELECT count(*) FROM pg_locks WHERE pid = " + text(asker.pid())), "0",
                "locks of an idle session");
  require_cancellable(admin, asker);
  for (Session* session : {&asker, &admin}) {
    const std::string mark = marker();
    session->run("SELECT /*" + mark + "*/ dp_count('*', 0.001) FROM t");
    require_entries(admin, mark, 1, "the next question");
  }
}

// Waits until what the session runs has come so far. False if it ended before that: its time was over.
template <class Condition>
bool reaches(Session& asker, Condition holds, const std::string& what) {
  bool reached = false;
  wait_until(
      [&] {
        const bool ended = PQconsumeInput(asker.libpq()) == 1 && PQisBusy(asker.libpq()) == 0;
        reached = holds();
        return reached || ended;
      },
      what);
  return reached;
}

bool reaches_lock(Session& admin, Session& asker, const std::string& type) {
  return reaches(
      asker, [&] { return waits_for_lock(admin, asker.pid(), type); }, "it waits for a lock");
}

// Stops a statement when `reach` says that it has come to the stage, in each way and after each of `begins`. Where its
// time was over before, which a busy machine may bring about, it is asked once more with twice the time.
void stop_at(
    Session& admin, const std::string& stage, int charged,
    const std::function<std::string(const std::string& mark)>& statement,
    const std::function<bool(Session& asker, const std::string& mark)>& reach,
    const std::vector<std::string>& begins = {"SELECT"}, const std::function<void()>& after = [] {}) {
  std::vector<Way> ways(std::begin(kWays), std::end(kWays));
  ways.push_back(kTimeout);
  for (const Way& way : ways) {
    for (const std::string& begin : begins) {
      const std::string what = stage + ", " + way.name + ", " + begin;
      Session asker = new_asker();
      const int pid = asker.pid();
      std::string mark;
      Result last(nullptr);
      for (int limit = 1000;; limit *= 2) {  // in milliseconds
        require(limit < 100'000, what + ": it ended before it came to that");
        mark = marker();
        asker.run(begin);
        if (way.stop == nullptr) asker.run("SET statement_timeout = " + text(limit));
        asker.send(statement(mark), true);
        const bool reached = reach(asker, mark);
        if (reached && way.stop != nullptr) way.stop(admin, asker);
        last = asker.finish();
        require(!last || !last.ok(), what + ": it ended well");
        if (reached) break;
        require(way.stop == nullptr, what + ": it ended by itself: " + last.message());
        require(!last || last.state() == kCancelled, what + ": " + last.message());
        after();
        asker.attempt("ROLLBACK");
        asker.run("SET statement_timeout = 0");
      }
      if (way.ends_session) wait_for_end(admin, pid);
      after();
      if (way.ends_session) {
        asker = new_asker();
      } else {
        require_equal(last.state(), kCancelled, what + ": " + last.message());
      }
      require_entries(admin, mark, charged, what);
      check_healthy(admin, asker);
    }
  }
}

void before_the_charge(Session& admin) {
  // At a lock on the table, when nothing is planned yet.
  {
    Session owner;
    owner.run("BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE");
    stop_at(
        admin, "waiting for the table", 0,
        [](const std::string& mark) { return "SELECT /*" + mark + "*/ dp_count('*', 0.1) FROM locked"; },
        [&](Session& asker, const std::string&) { return reaches_lock(admin, asker, "relation"); });
  }
  // In what stands around the question, when the whole statement has been found to fit.
  Session gate;
  gate.run("SELECT pg_advisory_lock(3)");
  stop_at(
      admin, "running, but not yet in the question", 0,
      [](const std::string& mark) {
        return "SELECT 0 WHERE pg_advisory_lock_shared(3) IS NOT NULL UNION ALL SELECT /*" + mark +
               "*/ dp_count('*', 0.1) FROM t";
      },
      [&](Session& asker, const std::string&) { return reaches_lock(admin, asker, "advisory"); });
  // At a lock on the ledger: nobody has one for long, but a superuser may.
  Session owner;
  stop_at(
      admin, "waiting for the ledger", 0,
      [&](const std::string& mark) {
        owner.run("BEGIN; LOCK TABLE dp.ledger_entry IN SHARE MODE");
        return "SELECT /*" + mark + "*/ dp_count('*', 0.1) FROM t";
      },
      [&](Session& asker, const std::string&) { return reaches_lock(admin, asker, "relation"); }, {"SELECT"},
      [&] { owner.run("ROLLBACK"); });
}

void while_draining(Session& admin) {
  // The condition takes seconds for all rows; the charge is seen long before.
  stop_at(
      admin, "draining", 1,
      [](const std::string& mark) {
        return "SELECT /*" + mark + "*/ dp_count('*', 0.1) FROM t WHERE " + slow_condition();
      },
      [&](Session& asker, const std::string& mark) {
        return reaches(
            asker, [&] { return entries(admin, mark) == "1"; }, "it is charged");
      },
      {"SELECT", "BEGIN", "BEGIN READ ONLY", "BEGIN; SAVEPOINT s"});
}

void mid_stream(Session& admin) {
  Session gate;
  gate.run("SELECT pg_advisory_lock(3)");
  // Two of ten answers have arrived, the fourth waits; they are long, and the end of the third is still in the server's
  // buffer.
  stop_at(
      admin, "two of ten answers", 1,
      [](const std::string& mark) {
        return "SELECT /*" + mark +
               "*/ n, repeat('x', 20000) FROM (SELECT g, dp_count('*', 0.1) AS n FROM t GROUP BY g) s"
               " WHERE CASE WHEN g = 3 THEN pg_advisory_lock_shared(3) IS NOT NULL ELSE true END";
      },
      [&](Session& asker, const std::string&) {
        for (int row = 0; row < 2; ++row) {
          const Result answer = asker.next();
          if (answer.state() == kCancelled) return false;
          require(answer.ok(), "no answer mid-stream");
        }
        return reaches_lock(admin, asker, "advisory");
      },
      {"SELECT", "BEGIN"});
}

const std::string kGroups = "g, dp_count('*', 0.1) FROM t GROUP BY g";

void cursors(Session& admin) {
  struct Case {
    std::string what;
    std::vector<std::string> statements;  // $ is the question
    int charged;
  };
  const std::vector<Case> cases = {
      {"declared only", {"BEGIN", "DECLARE c CURSOR FOR $", "COMMIT"}, 0},
      {"one of ten fetched, closed", {"BEGIN", "DECLARE c CURSOR FOR $", "FETCH c", "CLOSE c", "COMMIT"}, 1},
      {"one of ten fetched, rolled back", {"BEGIN", "DECLARE c CURSOR FOR $", "FETCH c", "ROLLBACK"}, 1},
      {"one of ten fetched, rolled back to a savepoint",
       {"BEGIN", "SAVEPOINT s", "DECLARE c CURSOR FOR $", "FETCH c", "ROLLBACK TO s", "COMMIT"},
       1},
      {"declared before the savepoint that goes",
       {"BEGIN", "DECLARE c CURSOR FOR $", "SAVEPOINT s", "FETCH c", "ROLLBACK TO s", "COMMIT"},
       1},
      {"fetched in two savepoints",
       {"BEGIN", "DECLARE c SCROLL CURSOR FOR $", "SAVEPOINT s", "FETCH c", "RELEASE s", "SAVEPOINT s", "FETCH c",
        "FETCH BACKWARD 2 FROM c", "FETCH ALL FROM c", "COMMIT"},
       1},
      {"with hold, nothing fetched before COMMIT",
       {"BEGIN", "DECLARE c CURSOR WITH HOLD FOR $", "COMMIT", "FETCH ALL FROM c", "CLOSE c"},
       1},
      {"with hold, rolled back", {"BEGIN", "DECLARE c CURSOR WITH HOLD FOR $", "ROLLBACK"}, 0},
      {"with hold, fetched once, the COMMIT fails",
       {"BEGIN", "DECLARE c CURSOR WITH HOLD FOR $", "FETCH c", "INSERT INTO strict VALUES (1), (1)", "!COMMIT"},
       1},
      // Constraints are checked before cursors are kept, so this one never ran.
      {"with hold, not fetched, the COMMIT fails",
       {"BEGIN", "DECLARE c CURSOR WITH HOLD FOR $", "INSERT INTO strict VALUES (1), (1)", "!COMMIT"},
       0},
      // What temporary tables do at a COMMIT comes after cursors are kept: there a foreign key is too much.
      {"with hold, not fetched, the COMMIT fails late",
       {"BEGIN", "DECLARE c CURSOR WITH HOLD FOR $",
        "CREATE TEMP TABLE emptied (i int PRIMARY KEY) ON COMMIT DELETE ROWS",
        "CREATE TEMP TABLE referring (i int REFERENCES emptied)", "!COMMIT"},
       1},
  };
  for (const Case& test : cases) {
    Session asker = new_asker();
    const std::string mark = marker();
    for (std::string statement : test.statements) {
      const std::size_t place = statement.find('$');
      if (place != std::string::npos) statement.replace(place, 1, "SELECT /*" + mark + "*/ " + kGroups);
      if (statement.starts_with('!')) {
        require(!asker.attempt(statement.substr(1)).ok(), test.what + ": " + statement + " did not fail");
      } else {
        asker.run(statement);
      }
    }
    require_entries(admin, mark, test.charged, test.what);
    check_healthy(admin, asker);
  }
}

void errors_above(Session& admin) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"SELECT (40000 + n - n)::smallint FROM (SELECT $ dp_count('*', 0.1) AS n FROM t) s", "22003"},
      {"INSERT INTO strict SELECT $ NULL::int FROM (SELECT dp_count('*', 0.1) AS n FROM t) s WHERE n = n", "23502"},
      {"DO 'DECLARE n bigint; BEGIN SELECT $ dp_count(''*'', 0.1) INTO n FROM t; RAISE division_by_zero; END'",
       "22012"},
  };
  for (const auto& [sql, state] : cases) {
    Session asker = new_asker();
    const std::string mark = marker();
    std::string question = sql;
    asker.refused(question.replace(question.find('$'), 1, "/*" + mark + "*/"), state);
    require_entries(admin, mark, 1, sql);
    check_healthy(admin, asker);
  }
  // The error is caught, and the answer goes with the block.
  Session asker = new_asker();
  const std::string mark = marker();
  asker.run(
      "DO 'DECLARE n bigint; BEGIN SELECT /*" + mark +
      "*/ dp_count(''*'', 0.1) INTO n FROM t; RAISE division_by_zero; EXCEPTION WHEN division_by_zero THEN NULL; END'");
  require_entries(admin, mark, 1, "a caught error");
  check_healthy(admin, asker);
}

// No stage is left out: whatever the moment, an answer has one entry, and nothing has two.
void at_random(Session& admin, unsigned seed) {
  std::mt19937 random(seed);
  Session asker = new_asker();
  int answered = 0, charged = 0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    const std::string mark = marker();
    asker.send("SELECT pg_sleep(0.001); SELECT /*" + mark + "*/ count(*) FROM (SELECT " + kGroups + ") s");
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, 6000)(random)));
    kill(asker.pid(), SIGINT);  // what a request to cancel makes the postmaster send, without the way there
    const Result result = asker.finish();
    if (!result.ok()) require_equal(result.state(), kCancelled, result.message());
    // The signal may come after the end of its statement and hit the next one.
    while (!asker.attempt("SELECT pg_sleep(0.001)").ok()) {
    }
    const std::string count = entries(admin, mark);
    require(count == "1" || (count == "0" && !result.ok()), "entries for a question cancelled at random: " + count);
    answered += result.ok();
    charged += count == "1";
  }
  std::printf("%d questions cancelled at random moments: %d charged, %d answered\n", kRounds, charged, answered);
  check_healthy(admin, asker);
}

}  // namespace

int main(int count, char** arguments) {
  const unsigned seed =
      count > 1 ? static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10)) : std::random_device()();
  std::printf("seed %u\n", seed);
  Session admin;
  make_role(admin, "cancel_asker");
  admin.run("CREATE TABLE t AS SELECT i, i % 10 AS g, repeat('a', 1000) AS v FROM generate_series(1, 20000) i");
  admin.run("CREATE TABLE locked (i int)");
  admin.run("CREATE TABLE strict (i int NOT NULL, UNIQUE (i) DEFERRABLE INITIALLY DEFERRED)");
  admin.run("GRANT SELECT ON t, locked TO cancel_asker; GRANT ALL ON strict TO cancel_asker");
  admin.run("ALTER TABLE t ALTER g SET NOT NULL");
  admin.run(
      "SELECT dp.protect('t', 1e6), dp.protect('locked', 1e6), dp.grant_budget('t', 'cancel_asker', 1e6, allow_leaks "
      "=> true)");
  admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 9)))");

  before_the_charge(admin);
  while_draining(admin);
  mid_stream(admin);
  cursors(admin);
  errors_above(admin);
  at_random(admin, seed);
  require_balanced(admin, "in the end");
}
