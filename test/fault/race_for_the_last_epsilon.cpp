// Sessions race for the last epsilon, and exactly as many as fit get an answer. Ten times 0.1
// is 1.
//
// All sessions wait at a gate, an advisory lock, and are let go together: before the statement, or inside it between
// the check of the whole statement (which all of them pass) and the charge, so that only the charge's own check stands
// between them.
#include <map>

#include "support/session.h"

using namespace dp::test;

namespace {

constexpr int kSessions = 64;
constexpr const char* kExhausted = "DP001";

struct Racer {
  std::string role;
  std::string epsilon;
  std::unique_ptr<Session> session;
  bool answered = false;
};

const std::string kBeforeStatement = "SELECT pg_advisory_lock_shared(14); SELECT dp_count('*', $) FROM t";
const std::string kBeforeCharge =
    "SELECT 0 WHERE pg_advisory_lock_shared(14) IS NOT NULL UNION ALL SELECT dp_count('*', $) FROM t";

std::string with_epsilon(std::string sql, const std::string& epsilon) { return sql.replace(sql.find('$'), 1, epsilon); }

void race(Session& admin, std::vector<Racer>& racers, const std::string& sql) {
  admin.run("SELECT pg_advisory_lock(14)");
  for (Racer& racer : racers) {
    racer.answered = false;
    racer.session->send(with_epsilon(sql, racer.epsilon));
  }
  wait_until(
      [&] {
        return admin.value("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") ==
               std::to_string(racers.size());
      },
      "all wait at the gate");
  admin.run("SELECT pg_advisory_unlock(14)");
  for (Racer& racer : racers) {
    const Result result = racer.session->finish();
    racer.answered = result.ok();
    if (!result.ok()) require_equal(result.state(), kExhausted, result.message());
    racer.session->run("SELECT pg_advisory_unlock_all()");
  }
}

std::vector<Racer> make_racers(const std::vector<std::string>& roles) {
  std::vector<Racer> racers(kSessions);
  for (int i = 0; i < kSessions; ++i) {
    racers[i].role = roles[i % roles.size()];
    racers[i].epsilon = "0.1";
    racers[i].session = std::make_unique<Session>("user=" + racers[i].role);
    require(racers[i].session->connected(), PQerrorMessage(racers[i].session->libpq()));
  }
  return racers;
}

// The totals say what the ledger says, and the ledger has an entry for each answer and no other.
void check_books(Session& admin, const std::vector<Racer>& racers) {
  int answered = 0;
  std::map<std::string, int> by_role;
  for (const Racer& racer : racers) {
    answered += racer.answered;
    by_role[racer.role] += racer.answered;
  }
  require_equal(admin.value("SELECT count(*) FROM dp.ledger WHERE relation = 't'::regclass"), std::to_string(answered),
                "entries in the ledger");
  for (const auto& [role, count] : by_role) {
    require_equal(
        admin.value("SELECT count(*) FROM dp.ledger WHERE relation = 't'::regclass AND role = '" + role + "'::regrole"),
        std::to_string(count), "entries of " + role);
  }
  require_balanced(admin, "after the race");
  require_equal(admin.value("SELECT bool_and(epsilon_spent <= epsilon_limit AND epsilon_left = least(epsilon_limit - "
                            "epsilon_spent, (SELECT w.epsilon_limit - w.epsilon_spent FROM dp.budgets w WHERE "
                            "w.relation = b.relation AND w.role IS NULL))) FROM dp.budgets b"),
                "t", "spent within the limits");
}

// A table of its own for each race: what was spent is never given back.
void new_table(Session& admin, const std::string& epsilon, const std::string& more = "") {
  admin.run("DROP TABLE IF EXISTS t");
  admin.run("CREATE TABLE t AS SELECT i FROM generate_series(1, 10) i");
  admin.run("GRANT SELECT ON t TO PUBLIC");
  admin.run("SELECT dp.protect('t', " + epsilon + ", min_query_epsilon => 1e-9" + more + ")");
}

int answers(const std::vector<Racer>& racers, const std::string& role = "") {
  int count = 0;
  for (const Racer& racer : racers) count += racer.answered && (role.empty() || racer.role == role);
  return count;
}

std::string spent(Session& admin, const std::string& role) {
  return admin.value("SELECT trim_scale(epsilon_spent) FROM dp.budgets WHERE relation = 't'::regclass AND role" +
                     (role.empty() ? " IS NULL" : " = '" + role + "'::regrole"));
}

}  // namespace

int main() {
  Session admin;
  require(admin.connected(), PQerrorMessage(admin.libpq()));
  const std::vector<std::string> roles = {"race_0", "race_1", "race_2", "race_3"};
  for (const std::string& role : roles) make_role(admin, role);

  std::vector<Racer> racers = make_racers(roles);
  for (const std::string& sql : {kBeforeStatement, kBeforeCharge}) {
    // The table alone limits.
    for (int round = 0; round < 3; ++round) {
      new_table(admin, "1.0");
      race(admin, racers, sql);
      check_books(admin, racers);
      require_equal(std::to_string(answers(racers)), "10", "answers at 0.1 for 1.0");
      require_equal(spent(admin, ""), "1", "spent of 1.0");
    }

    // The accounts alone limit: each has room for five.
    new_table(admin, "10");
    for (const std::string& role : roles)
      admin.run("SELECT dp.grant_budget('t', '" + role + "', 0.5, allow_leaks => true)");
    race(admin, racers, sql);
    check_books(admin, racers);
    for (const std::string& role : roles) {
      require_equal(std::to_string(answers(racers, role)), "5", "answers of an account of 0.5");
      require_equal(spent(admin, role), "0.5", "spent of the account of 0.5");
    }

    // Both: the accounts' sum is beyond the table.
    new_table(admin, "1.3");
    for (const std::string& role : roles)
      admin.run("SELECT dp.grant_budget('t', '" + role + "', 0.5, allow_leaks => true)");
    race(admin, racers, sql);
    check_books(admin, racers);
    require_equal(std::to_string(answers(racers)), "13", "answers at 0.1 for 1.3");
    require_equal(spent(admin, ""), "1.3", "spent of 1.3");
  }

  // Where Rényi divergences are counted there is room for 36, and by each for itself.
  for (const std::string& sql : {kBeforeStatement, kBeforeCharge}) {
    new_table(admin, "3", ", delta => 1e-6, accountant => 'renyi', conversion_delta => 1e-6");
    require_equal(admin.value("SELECT dp.answers_left('t', $$dp_count('*', 0.1)$$)"), "36", "answers left");
    race(admin, racers, sql);
    require_equal(std::to_string(answers(racers)), "36", "answers at 0.1 for 3, by divergences");
    require_equal(admin.value("SELECT count(*) FROM dp.ledger WHERE relation = 't'::regclass"), "36", "entries");
    require_balanced(admin, "after a race for divergences");
    require_equal(admin.value("SELECT dp.answers_left('t', $$dp_count('*', 0.1)$$)"), "0", "answers left in the end");
  }

  // A statement that does not fit as a whole costs nothing, though a part of it would fit.
  new_table(admin, "0.3");
  admin.refused("SELECT dp_count('*', 0.2) FROM t UNION ALL SELECT dp_count('*', 0.2) FROM t", kExhausted);
  require_equal(spent(admin, ""), "0", "spent by a statement that was refused");

  // Different prices: what was refused would not fit at the end either, since what is left only falls.
  const std::vector<std::string> prices = {"0.1", "0.03", "0.25", "0.000000001"};
  for (int i = 0; i < kSessions; ++i) racers[i].epsilon = prices[i / roles.size() % prices.size()];
  for (const std::string& sql : {kBeforeStatement, kBeforeCharge}) {
    new_table(admin, "1.0");
    race(admin, racers, sql);
    check_books(admin, racers);
    const double left =
        std::stod(admin.value("SELECT epsilon_left FROM dp.budgets WHERE relation = 't'::regclass AND role IS NULL"));
    for (const Racer& racer : racers)
      require(racer.answered || left < std::stod(racer.epsilon), "refused " + racer.epsilon + " although it fits");
  }

  // Two tables, joined on their unit: both pay for an answer, or neither does.
  for (Racer& racer : racers) racer.epsilon = "0.1";
  new_table(admin, "10");
  admin.run("ALTER TABLE t ADD PRIMARY KEY (i)");
  admin.run("CREATE TABLE u AS TABLE t");
  admin.run("ALTER TABLE u ADD PRIMARY KEY (i)");
  admin.run("GRANT SELECT ON u TO PUBLIC");
  admin.run("SELECT dp.protect('t', 10, privacy_unit => 'i'), dp.protect('u', 1, privacy_unit => 'i')");
  race(admin, racers, kBeforeCharge + " JOIN u USING (i)");
  check_books(admin, racers);
  require_equal(std::to_string(answers(racers)), "10", "answers at 0.1 for 1.0 of the one table");
  require_equal(spent(admin, ""), "1", "spent of the other");
}
