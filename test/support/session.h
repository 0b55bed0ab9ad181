// One connection to the server under test, for the programs of test/fault. libpq's environment variables say where it
// is.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace dp::test {

// What is not as it must be ends the program, from whatever thread.
[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  std::fflush(nullptr);
  std::_Exit(1);
}

inline void require(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

inline void require_equal(const std::string& is, const std::string& should_be, const std::string& what) {
  if (is != should_be) fail(what + ": is " + is + ", not " + should_be);
}

// Waits for what another process does. It is asked for again and again, so nothing depends on how fast the machine is:
// what has not come by the limit hangs.
template <class Condition>
void wait_until(Condition holds, const std::string& what, std::chrono::seconds limit = std::chrono::seconds(180),
                std::chrono::milliseconds pause = std::chrono::milliseconds(2)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) fail("waited too long until " + what);
    std::this_thread::sleep_for(pause);
  }
}

// The outcome of one statement (of the last one, or the first that failed, where several were sent together).
class Result {
 public:
  explicit Result(PGresult* result) : result_(result, PQclear) {}

  bool ok() const {
    const ExecStatusType status = PQresultStatus(result_.get());
    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_SINGLE_TUPLE;
  }
  explicit operator bool() const { return result_ != nullptr; }
  const PGresult* libpq() const { return result_.get(); }
  int rows() const { return PQntuples(result_.get()); }
  std::string value(int row = 0, int column = 0) const { return PQgetvalue(result_.get(), row, column); }
  std::string message() const { return PQresultErrorMessage(result_.get()); }

  // Where the extension says that it is at fault, another text each time: so what is compared with it differs.
  std::string fault() const {
    static int faults = 0;
    const char* const message = PQresultErrorField(result_.get(), PG_DIAG_MESSAGE_PRIMARY);
    const bool ours =
        message != nullptr && std::string_view(message).find("a fault of the extension") != std::string::npos;
    return ours ? "fault " + std::to_string(++faults) + " of the extension\n" : "";
  }

  // The SQLSTATE; empty where nothing failed, or where the connection was lost before the server could say why.
  std::string state() const {
    const char* const state = PQresultErrorField(result_.get(), PG_DIAG_SQLSTATE);
    return state == nullptr ? "" : state;
  }

 private:
  std::unique_ptr<PGresult, decltype(&PQclear)> result_;
};

class Session {
 public:
  // `options` is added to what the environment says, for example "user=analyst".
  explicit Session(const std::string& options = "")
      : connection_(PQconnectdb(("client_encoding=UTF8 " + options).c_str()), PQfinish) {
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
  }

  bool connected() const { return PQstatus(connection_.get()) == CONNECTION_OK; }
  PGconn* libpq() const { return connection_.get(); }
  int pid() const { return PQbackendPID(connection_.get()); }

  // Whatever becomes of it.
  Result attempt(const std::string& sql) { return Result(PQexec(connection_.get(), sql.c_str())); }

  // What must work.
  Result run(const std::string& sql) {
    Result result = attempt(sql);
    if (!result.ok()) fail(sql + "\n" + result.message() + PQerrorMessage(connection_.get()));
    return result;
  }

  // The one value of a statement that must work.
  std::string value(const std::string& sql) {
    const Result result = run(sql);
    if (result.rows() != 1) fail(sql + " gave " + std::to_string(result.rows()) + " rows");
    return result.value();
  }

  // What must fail in this way.
  void refused(const std::string& sql, const std::string& state) {
    const Result result = attempt(sql);
    if (result.ok()) fail(sql + " was not refused");
    require_equal(result.state(), state, sql + "\n" + result.message());
  }

  // Without waiting for the outcome, which next() gives: one Result after the other, then one that is false. In
  // single-row mode each row is a Result of its own as it arrives. Where the server has died in the meantime there is
  // none.
  void send(const std::string& sql, bool single_rows = false) {
    if (PQsendQuery(connection_.get(), sql.c_str()) != 1 && connected()) fail("could not send " + sql);
    if (single_rows) PQsetSingleRowMode(connection_.get());
  }
  Result next() { return Result(PQgetResult(connection_.get())); }

  // Takes what is still to come; gives the last outcome, or the first that failed.
  Result finish() {
    Result last(nullptr);
    while (Result result = next()) {
      if (!last || last.ok()) last = std::move(result);
    }
    return last;
  }

  // Asks the server to cancel what runs there; it may be done already.
  void cancel() {
    char error[256];
    const std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> request(PQgetCancel(connection_.get()), PQfreeCancel);
    if (PQcancel(request.get(), error, sizeof error) != 1) fail(std::string("could not cancel: ") + error);
  }

 private:
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

// A condition that holds nowhere and takes more than 10 s on the 20,000 rows of a column v of a thousand letters a.
inline std::string slow_condition() {
  std::string condition = "v LIKE '%b%'";
  for (int i = 0; i < 1000; ++i) condition += " OR v LIKE '%" + std::to_string(i) + "%'";
  return "(" + condition + ")";
}

// The totals that dp.budgets shows are what the ledger says. Roles that ask must have accounts of their own.
inline void require_balanced(Session& admin, const std::string& when) {
  require_equal(
      admin.value("SELECT count(*) FROM dp.budgets b WHERE accountant = 'pure' AND epsilon_spent IS DISTINCT FROM"
                  " (SELECT coalesce(sum(CASE WHEN b.role IS NULL THEN table_epsilon ELSE epsilon END), 0)"
                  " FROM dp.ledger l WHERE l.relation = b.relation AND (b.role IS NULL OR b.role = l.role))"),
      "0", when + ": totals that are not the sum of the ledger");
  // Where divergences are counted: what is shown follows from the sums of the ledger, and each of its numbers from how
  // the answer lost what it cost.
  require_equal(
      admin.value(
          "WITH spent AS (SELECT relation, NULL::oid AS role, sum(table_epsilon_nano) / 1e9 AS epsilon,"
          "  (SELECT array_agg(s ORDER BY k) FROM (SELECT k, sum(coalesce(d.table_divergences[k], 0)) AS s"
          "   FROM dp.ledger_entry d, generate_series(1, 17) k WHERE d.relation = l.relation GROUP BY k) x) AS at"
          "  FROM dp.ledger_entry l GROUP BY relation"
          " UNION ALL SELECT relation, account, sum(epsilon_nano) / 1e9,"
          "  (SELECT array_agg(s ORDER BY k) FROM (SELECT k, sum(coalesce(d.divergences[k], 0)) AS s"
          "   FROM dp.ledger_entry d, generate_series(1, 17) k"
          "   WHERE d.relation = l.relation AND d.account = l.account GROUP BY k) x)"
          "  FROM dp.ledger_entry l WHERE account IS NOT NULL GROUP BY relation, account)"
          " SELECT count(*) FROM dp.budgets b JOIN spent s ON s.relation = b.relation"
          "  AND s.role IS NOT DISTINCT FROM b.role WHERE b.accountant = 'renyi' AND abs(b.epsilon_spent -"
          "  least(CASE WHEN s.at[17] = 0 THEN s.epsilon END,"  // where no loss is without a bound
          "   (SELECT min(at / 1e12 + ln(16 / b.conversion_delta) / (alpha - 1)) FROM unnest(s.at[1:16],"
          "   '{1.5,2,3,4,6,8,12,16,24,32,48,64,96,128,256,512}'::numeric[]) AS u (at, alpha)"
          "   WHERE b.conversion_delta > 0))) > 2e-9"),
      "0", when + ": divergences that are not the sum of the ledger");
  require_equal(admin.value("SELECT count(*) FROM dp.ledger_entry WHERE losses IS NOT NULL AND dp.divergences(losses)"
                            " IS DISTINCT FROM divergences OR table_losses IS NOT NULL AND dp.divergences(table_losses)"
                            " IS DISTINCT FROM table_divergences"),
                "0", when + ": divergences that do not follow from losses");
  require_equal(admin.value("SELECT count(*) - count(DISTINCT seq) FROM dp.ledger"), "0",
                when + ": numbers given twice");
}

// Roles belong to the whole cluster, where an earlier run may have made them.
inline void make_role(Session& admin, const std::string& name) {
  admin.run("DO $$ BEGIN CREATE ROLE " + name + " LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
}

// The setting fsync of the whole server; empty: what its configuration says.
inline void set_fsync(Session& admin, const std::string& value) {
  admin.run("ALTER SYSTEM " + std::string(value.empty() ? "RESET fsync" : "SET fsync = " + value));
  admin.run("SELECT pg_reload_conf()");
  if (!value.empty()) wait_until([&] { return Session().value("SHOW fsync") == value; }, "fsync is " + value);
}

// Whether the backend waits for a lock of that kind ('advisory', 'relation', ...).
inline bool waits_for_lock(Session& admin, int pid, const std::string& type) {
  return admin.value("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid = " + std::to_string(pid) +
                     " AND locktype = '" + type + "')") == "t";
}

inline void wait_for_lock(Session& admin, int pid, const std::string& type) {
  wait_until([&] { return waits_for_lock(admin, pid, type); }, "backend " + std::to_string(pid) + " waits for a lock");
}

// After an error the backend can still be cancelled.
inline void require_cancellable(Session& admin, Session& session) {
  session.send("SELECT pg_sleep(600)");
  wait_until(
      [&] {
        return admin.value("SELECT coalesce(max(wait_event), '') FROM pg_stat_activity WHERE pid = " +
                           std::to_string(session.pid())) == "PgSleep";
      },
      "it sleeps");
  session.cancel();
  wait_until([&] { return PQconsumeInput(session.libpq()) == 1 && PQisBusy(session.libpq()) == 0; },
             "a cancelled session ends its sleep");
  require_equal(session.finish().state(), "57014", "a cancelled session");
}

// Until there is no such backend any more.
inline void wait_for_end(Session& admin, int pid) {
  wait_until(
      [&] {
        return admin.value("SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = " + std::to_string(pid) +
                           ")") == "t";
      },
      "backend " + std::to_string(pid) + " is gone");
}

}  // namespace dp::test
