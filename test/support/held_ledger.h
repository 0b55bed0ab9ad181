// A session that has the ledger's lock for as long as a test wants, and others that wait for it, so that it charges
// them.
//
// An index on the ledger compares by a function of ours, which runs while the lock is held: there it stops at a gate,
// an advisory lock, or raises an error, in sessions that say so by a setting.
#pragma once

#include <sys/wait.h>

#include "support/server.h"

namespace dp::test {

constexpr int kPlaces = 32;  // for charges that wait, in src/budget/ledger/waiting_charges.h

struct Asker {
  std::string mark;
  std::string role;
  std::unique_ptr<Session> session;
};

inline std::string role_of(int number) { return "together_" + std::to_string(number % 4); }

inline Asker new_asker(const std::string& mark, int number = 0) {
  Asker asker{mark + ";", role_of(number), std::make_unique<Session>("user=" + role_of(number))};
  require(asker.session->connected(), PQerrorMessage(asker.session->libpq()));
  return asker;
}

inline void ask(const Asker& asker, const std::string& table = "t") {
  asker.session->send("SELECT /*" + asker.mark + "*/ dp_count('*', 0.1) FROM " + table);
}

inline void wait_for_the_ledger(Session& admin, const Asker& asker) {
  wait_until(
      [&] {
        return admin.value("SELECT coalesce(max(wait_event), '') FROM pg_stat_activity WHERE pid = " +
                           std::to_string(asker.session->pid())) == "pg_dp ledger";
      },
      asker.mark + " waits for the ledger");
}

// Asks, and returns when it waits for the ledger's lock.
inline void ask_and_wait(Session& admin, const Asker& asker, const std::string& table = "t") {
  ask(asker, table);
  wait_for_the_ledger(admin, asker);
}

// A session that has the ledger's lock until open(). `fails`: it raises an error at the entry with that mark.
inline Asker hold(Session& admin, const std::string& mark, const std::string& fails = "") {
  Asker holder = new_asker(mark);
  holder.session->run("SET together.gate = on");
  holder.session->run("SET together.fails = '" + fails + "'");
  admin.run("SELECT pg_advisory_lock(14)");
  ask(holder);
  wait_for_lock(admin, holder.session->pid(), "advisory");
  return holder;
}

inline void open(Session& admin) { admin.run("SELECT pg_advisory_unlock(14)"); }

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

inline void require_answered(const Asker& asker) {
  const Result result = asker.session->finish();
  require(result.ok(), asker.mark + " " + result.message());
}

inline void require_refused(const Asker& asker, const std::string& state) {
  const Result result = asker.session->finish();
  require(!result.ok(), asker.mark + " was answered");
  require_equal(result.state(), state, asker.mark + " " + result.message());
}

inline void require_entries(Session& admin, const Asker& asker, int count) {
  require_equal(admin.value("SELECT count(*) FROM dp.ledger WHERE query LIKE '%" + asker.mark + "%' AND role = '" +
                            asker.role + "'::regrole"),
                std::to_string(count), "entries of " + asker.mark);
}

// Nothing is lost, nothing is there twice, and others can ask.
inline void check_books(Session& admin, const std::string& when) {
  require_balanced(admin, when);
  require_equal(admin.value("SELECT max(seq) - min(seq) + 1 - count(*) FROM dp.ledger_entry"), "0",
                when + ": numbers without an entry");
  const Asker next = new_asker("after " + when);
  ask(next, "u");
  require_answered(next);
  require_entries(admin, next, 1);
}

inline void new_table(Session& admin, const std::string& name, const std::string& epsilon) {
  admin.run("DROP TABLE IF EXISTS " + name);
  admin.run("CREATE TABLE " + name + " AS SELECT i FROM generate_series(1, 10) i");
  admin.run("SELECT dp.protect('" + name + "', " + epsilon + ")");
  for (int i = 0; i < 4; ++i) {
    admin.run("SELECT dp.grant_budget('" + name + "', '" + role_of(i) + "', " + epsilon + ", allow_leaks => true)");
  }
}

inline void prepare(Session& admin) {
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

}  // namespace dp::test
