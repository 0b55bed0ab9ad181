// Many sessions relax one release at once, to different levels. There is one path: whoever was given a
// level was given the same answers, and the levels were paid for once. Then they race for the last epsilon, and no more
// than fits is paid.
#include <map>

#include "support/session.h"

using namespace dp::test;

namespace {

constexpr int kSessions = 32;

using Answers = std::map<std::string, std::string>;  // by group and aggregate

// What each level was seen to be: the same for all.
struct Seen {
  std::map<std::string, Answers> levels;

  void add(const Result& result) {
    std::map<std::string, Answers> shown;
    for (int i = 0; i < result.rows(); ++i)
      shown[result.value(i, 3)][result.value(i, 0) + " " + result.value(i, 1)] = result.value(i, 2);
    for (const auto& [level, answers] : shown) {
      const auto [known, is_new] = levels.emplace(level, answers);
      require(is_new || known->second == answers, "two answers at level " + level);
    }
  }
};

std::string relax(const std::string& release, const std::string& epsilon) {
  return "SELECT group_key, aggregate, answer, epsilon FROM relax_release(" + release + ", " + epsilon + ")";
}

// All ask at the same moment; each for the level that stands at its place.
int race(Session& admin, std::vector<std::unique_ptr<Session>>& sessions, const std::string& release,
         const std::vector<std::string>& levels, Seen* seen) {
  admin.run("SELECT pg_advisory_lock(86)");
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    sessions[i]->send("SELECT pg_advisory_lock_shared(86); " + relax(release, levels[i % levels.size()]));
  }
  wait_until(
      [&] {
        return admin.value(
                   "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 86 AND NOT granted") ==
               std::to_string(sessions.size());
      },
      "all wait at the gate");
  admin.run("SELECT pg_advisory_unlock(86)");
  int answered = 0;
  for (const auto& session : sessions) {
    const Result result = session->finish();
    answered += result.ok();
    if (result.ok()) {
      seen->add(result);
    } else {
      require_equal(result.state(), "DP001", result.message());
    }
    session->run("SELECT pg_advisory_unlock_all()");
  }
  return answered;
}

std::string spent(Session& admin, const std::string& which) {
  return admin.value("SELECT trim_scale(epsilon_spent) FROM dp.budgets WHERE " + which);
}

}  // namespace

int main() {
  Session admin;
  make_role(admin, "relax_asker");
  admin.run("CREATE TABLE t AS SELECT i, i % 5 AS g FROM generate_series(1, 100) i");
  admin.run("ALTER TABLE t ALTER g SET NOT NULL");
  admin.run("GRANT SELECT ON t TO relax_asker");
  admin.run("SELECT dp.protect('t', 1000), dp.grant_budget('t', 'relax_asker', 100, allow_leaks => true)");
  admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 4)))");
  std::vector<std::unique_ptr<Session>> sessions;
  for (int i = 0; i < kSessions; ++i) sessions.push_back(std::make_unique<Session>("user=relax_asker"));

  Session& maker = *sessions[0];
  for (int round = 0; round < 5; ++round) {
    const double before = std::stod(spent(admin, "role IS NOT NULL"));
    maker.run("SELECT g, dp_count('*', 0.1), dp_avg(i, 0, 100, 0.1) FROM t GROUP BY g");
    const std::string release = maker.value("SELECT dp_last_release()");
    Seen seen;
    require(race(admin, sessions, release, {"0.5", "0.2", "1", "0.05", "0.75"}, &seen) == kSessions,
            "a relaxation that was not answered");
    // Again, after everything: what was shown is what is kept.
    for (const auto& [level, answers] : std::map(seen.levels)) seen.add(maker.run(relax(release, level)));
    seen.add(maker.run("SELECT group_key, aggregate, answer, epsilon FROM dp_answer(" + release + ")"));
    require_equal(maker.value("SELECT DISTINCT epsilon FROM dp_answer(" + release + ")"), "1", "the finest level");
    // Two aggregates, from nothing to 0.1 to 1: what came in between cost nothing more.
    const double paid = std::stod(spent(admin, "role IS NOT NULL")) - before;
    require(paid > 1.999999 && paid < 2.000001, "paid " + std::to_string(paid) + " for two aggregates at 1");
    require_equal(spent(admin, "role IS NULL"), spent(admin, "role IS NOT NULL"), "spent of the table");
    require_equal(admin.value("SELECT count(*) = count(DISTINCT (part, aggregate, epsilon_nano)) FROM dp.release_path "
                              "WHERE release_id = " +
                              release),
                  "t", "each level is there once");
  }

  // The account has room for 0.4 more on both aggregates: 0.5 fits, 0.6 does not.
  maker.run("SELECT dp_count('*', 0.1), dp_sum(i, 0, 100, 0.1) FROM t");
  const std::string release = maker.value("SELECT dp_last_release()");
  const std::string used = spent(admin, "role IS NOT NULL");
  admin.run("SELECT dp.grant_budget('t', 'relax_asker', " + used + " + 0.8, allow_leaks => true)");
  Seen seen;
  race(admin, sessions, release, {"0.6", "0.5", "0.3", "0.4", "0.6"}, &seen);
  require(!seen.levels.contains("0.6"), "a level that the account has no room for");
  race(admin, sessions, release, {"0.5", "0.6"}, &seen);
  require_equal(maker.value("SELECT DISTINCT epsilon FROM dp_answer(" + release + ")"), "0.5",
                "the finest level in the end");
  require_equal(admin.value("SELECT trim_scale(epsilon_left) FROM dp.budgets WHERE role IS NOT NULL"), "0",
                "left of the account");
  require_balanced(admin, "in the end");
}
