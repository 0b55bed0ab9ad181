// Sessions that find the ledger's lock taken are charged by the one that has it. Each gets the answer that it has paid
// for, once, or the refusal that it would get by itself; and an answer is on disk, whoever has written its entry. Where
// the one that has the lock fails, the others go on by themselves.
//
// An index on the ledger compares by a function of ours, which runs while the lock is held: there it stops at a gate,
// an advisory lock, or raises an error, in sessions that say so by a setting.
#include <sys/wait.h>

#include "support/server.h"

using namespace dp::test;

namespace {

constexpr int kPlaces = 32;  // for charges that wait, in src/budget/ledger/waiting_charges.h

struct Asker {
  std::string mark;
  std::string role;
  std::unique_ptr<Session> session;
};

std::string role_of(int number) { return "together_" + std::to_string(number % 4); }

Asker new_asker(const std::string& mark, int number = 0) {
  Asker asker{mark + ";", role_of(number), std::make_unique<Session>("user=" + role_of(number))};
  require(asker.session->connected(), PQerrorMessage(asker.session->libpq()));
  return asker;
}

void ask(const Asker& asker, const std::string& table = "t") {
  asker.session->send("SELECT /*" + asker.mark + "*/ dp_count('*', 0.1) FROM " + table);
}

// Asks, and returns when it waits for the ledger's lock.
void ask_and_wait(Session& admin, const Asker& asker, const std::string& table = "t") {
  ask(asker, table);
  wait_until(
      [&] {
        return admin.value("SELECT coalesce(max(wait_event), '') FROM pg_stat_activity WHERE pid = " +
                           std::to_string(asker.session->pid())) == "pg_dp ledger";
      },
      asker.mark + " waits for the ledger");
}

// A session that has the ledger's lock until open(). `fails`: it raises an error at the entry with that mark.
Asker hold(Session& admin, const std::string& mark, const std::string& fails = "") {
  Asker holder = new_asker(mark);
  holder.session->run("SET together.gate = on");
  holder.session->run("SET together.fails = '" + fails + "'");
  admin.run("SELECT pg_advisory_lock(14)");
  ask(holder);
  wait_for_lock(admin, holder.session->pid(), "advisory");
  return holder;
}

void open(Session& admin) { admin.run("SELECT pg_advisory_unlock(14)"); }

// A backend that stands still, until go_on() or the end of this program, also by a failure: a process of its own sees
// to that.
class Stopped {
 public:
  explicit Stopped(const Asker& asker) {
    const pid_t backend = asker.session->pid();
    int ends[2];
    require(pipe(ends) == 0, "there is a pipe");
    kill(backend, SIGSTOP);
    waker_ = fork();
    if (waker_ == 0) {
      char none;
      close(ends[1]);
      while (read(ends[0], &none, 1) > 0) continue;
      kill(backend, SIGCONT);
      _exit(0);
    }
    close(ends[0]);
    end_ = ends[1];
  }

  void go_on() const {
    close(end_);
    waitpid(waker_, nullptr, 0);
  }

 private:
  pid_t waker_;
  int end_;
};

void require_answered(const Asker& asker) {
  const Result result = asker.session->finish();
  require(result.ok(), asker.mark + " " + result.message());
}

void require_refused(const Asker& asker, const std::string& state) {
  const Result result = asker.session->finish();
  require(!result.ok(), asker.mark + " was answered");
  require_equal(result.state(), state, asker.mark + " " + result.message());
}

void require_entries(Session& admin, const Asker& asker, int count) {
  require_equal(admin.value("SELECT count(*) FROM dp.ledger WHERE query LIKE '%" + asker.mark + "%' AND role = '" +
                            asker.role + "'::regrole"),
                std::to_string(count), "entries of " + asker.mark);
}

// Nothing is lost, nothing is there twice, and others can ask.
void check_books(Session& admin, const std::string& when) {
  require_balanced(admin, when);
  require_equal(admin.value("SELECT max(seq) - min(seq) + 1 - count(*) FROM dp.ledger_entry"), "0",
                when + ": numbers without an entry");
  const Asker next = new_asker("after " + when);
  ask(next, "u");
  require_answered(next);
  require_entries(admin, next, 1);
}

void new_table(Session& admin, const std::string& name, const std::string& epsilon) {
  admin.run("DROP TABLE IF EXISTS " + name);
  admin.run("CREATE TABLE " + name + " AS SELECT i FROM generate_series(1, 10) i");
  admin.run("SELECT dp.protect('" + name + "', " + epsilon + ")");
  for (int i = 0; i < 4; ++i) {
    admin.run("SELECT dp.grant_budget('" + name + "', '" + role_of(i) + "', " + epsilon + ", allow_leaks => true)");
  }
}

void prepare(Session& admin) {
  for (int i = 0; i < 4; ++i) make_role(admin, role_of(i));
  new_table(admin, "t", "1000");
  new_table(admin, "u", "1000");
  admin.run(R"(
    CREATE FUNCTION together_compare(a text, b text) RETURNS int LANGUAGE plpgsql AS $$
    DECLARE
      fails text := nullif(current_setting('together.fails', true), '');
    BEGIN
      IF current_setting('together.gate', true) = 'on' THEN
        PERFORM pg_advisory_lock_shared(14);
        PERFORM pg_advisory_unlock_shared(14);
      END IF;
      IF position(fails IN a) > 0 OR position(fails IN b) > 0 THEN RAISE EXCEPTION 'the entry of %', fails; END IF;
      RETURN bttextcmp(a, b);
    END $$)");
  admin.run(
      "CREATE OPERATOR CLASS together_ops FOR TYPE text USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,"
      " OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 together_compare(text, text)");
  admin.run("CREATE INDEX together ON dp.ledger_entry (query together_ops)");
  const Asker first = new_asker("first");  // an entry to compare with
  ask(first);
  require_answered(first);
}

// More sessions than there are places, of several roles and about two tables.
void crowd(Session& admin) {
  const int extra = 4;
  const Asker holder = hold(admin, "crowd holder");
  std::vector<Asker> askers;
  for (int i = 0; i < kPlaces + extra; ++i) {
    askers.push_back(new_asker("crowd " + std::to_string(i), i));
    ask_and_wait(admin, askers.back(), i % 2 == 0 ? "t" : "u");
  }
  open(admin);
  require_answered(holder);
  for (const Asker& asker : askers) {
    require_answered(asker);
    require_entries(admin, asker, 1);
    require_equal(asker.session->value("SELECT dp_last_release()"),
                  admin.value("SELECT release_id FROM dp.ledger_entry WHERE query LIKE '%" + asker.mark + "%'"),
                  "the release of " + asker.mark);
  }
  require_equal(admin.value("SELECT count(*) FROM dp.ledger_entry WHERE xmin::text ="
                            " (SELECT xmin::text FROM dp.ledger_entry WHERE query LIKE '%crowd holder;%')"),
                std::to_string(1 + kPlaces), "entries that the session with the lock has written");
  require_equal(admin.value("SELECT count(DISTINCT release_id) FROM dp.ledger_entry WHERE query LIKE '%crowd %'"),
                std::to_string(1 + kPlaces + extra), "releases of the crowd");
  check_books(admin, "crowd");
}

// As many get an answer as fit, the others are refused, and nothing is left.
void last_epsilon(Session& admin) {
  new_table(admin, "t", "0.6");
  const Asker holder = hold(admin, "last holder");
  std::vector<Asker> askers;
  for (int i = 0; i < 12; ++i) {
    askers.push_back(new_asker("last " + std::to_string(i), i));
    ask_and_wait(admin, askers.back());
  }
  open(admin);
  require_answered(holder);
  int answered = 0;
  for (const Asker& asker : askers) {
    const Result result = asker.session->finish();
    if (!result.ok()) require_equal(result.state(), "DP001", result.message());
    answered += result.ok();
    require_entries(admin, asker, result.ok() ? 1 : 0);
  }
  require_equal(std::to_string(answered), "5", "answers at 0.1 for what is left of 0.6");
  require_equal(admin.value("SELECT epsilon_left = 0 FROM dp.budgets WHERE relation = 't'::regclass AND role IS NULL"),
                "t", "nothing is left");
  check_books(admin, "the last epsilon");
  new_table(admin, "t", "1000");
}

// What was charged remains so, and is not answered.
void stopped_while_it_waits(Session& admin) {
  const Asker holder = hold(admin, "stopped holder");
  const Asker cancelled = new_asker("cancelled"), ended = new_asker("ended"), other = new_asker("other");
  for (const Asker* asker : {&cancelled, &ended, &other}) ask_and_wait(admin, *asker);
  admin.run("SELECT pg_cancel_backend(" + std::to_string(cancelled.session->pid()) + ")");
  admin.run("SELECT pg_terminate_backend(" + std::to_string(ended.session->pid()) + ")");
  open(admin);
  require_answered(holder);
  require_refused(cancelled, "57014");
  require_refused(ended, "57P01");
  require_answered(other);
  for (const Asker* asker : {&cancelled, &ended, &other}) require_entries(admin, *asker, 1);
  require_cancellable(admin, *cancelled.session);
  check_books(admin, "some are stopped");
}

// Before it has charged anybody: all do it by themselves.
void holder_fails(Session& admin) {
  const Asker holder = hold(admin, "failing holder", "failing holder;");
  std::vector<Asker> askers;
  for (int i = 0; i < 6; ++i) {
    askers.push_back(new_asker("failed " + std::to_string(i), i));
    ask_and_wait(admin, askers.back());
  }
  open(admin);
  require_refused(holder, "P0001");
  for (const Asker& asker : askers) {
    require_answered(asker);
    require_entries(admin, asker, 1);
  }
  check_books(admin, "the holder fails");
}

// At the charge of another one, which begins anew by itself when it comes to it; meanwhile others go on, though they
// would fail at that one, too.
void holder_fails_at_another(Session& admin) {
  const Asker holder = hold(admin, "stumbling holder", "poison;");
  const Asker before = new_asker("before"), poison = new_asker("poison"), after = new_asker("after");
  after.session->run("SET together.fails = 'poison;'");
  for (const Asker* asker : {&before, &poison, &after}) ask_and_wait(admin, *asker);
  const Stopped stopped(poison);
  open(admin);
  require_refused(holder, "P0001");
  require_answered(before);
  require_answered(after);
  stopped.go_on();
  require_answered(poison);
  require_entries(admin, before, 1);
  require_entries(admin, after, 1);
  require_entries(admin, poison, 2);  // its row was there before the error
  check_books(admin, "the holder fails at another one");
}

// Nobody else makes their entries durable: the session that wrote them has failed, the one that waits stands still, and
// the writer of the log sleeps.
void durable_when_answered(Session& admin, const Server& server) {
  admin.run("ALTER SYSTEM SET wal_writer_delay = '10s'");
  admin.run("SELECT pg_reload_conf()");
  const Asker holder = hold(admin, "forgetful holder", "poison;");
  const Asker first = new_asker("durable 1"), second = new_asker("durable 2", 1), poison = new_asker("poison");
  for (const Asker* asker : {&first, &second, &poison}) ask_and_wait(admin, *asker);
  const Stopped stopped(poison);
  while (std::stoi(admin.value("SELECT (pg_current_wal_insert_lsn() - '0/0') % 8192")) > 2000)
    admin.run("SELECT pg_logical_emit_message(false, 'together', repeat('x', 500))");  // a full page would be written
  open(admin);
  require_answered(first);
  require_answered(second);
  server.kill_all();
  stopped.go_on();
  server.start();
  Session again;
  require_entries(again, first, 1);
  require_entries(again, second, 1);
  again.run("ALTER SYSTEM RESET wal_writer_delay");
  again.run("SELECT pg_reload_conf()");
  check_books(again, "a crash");
}

}  // namespace

int main() {
  const Server server;
  Session admin;
  require(admin.connected(), PQerrorMessage(admin.libpq()));
  prepare(admin);
  crowd(admin);
  last_epsilon(admin);
  stopped_while_it_waits(admin);
  holder_fails(admin);
  holder_fails_at_another(admin);
  durable_when_answered(admin, server);
}
