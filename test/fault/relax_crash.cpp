// The server is killed again and again under sessions that relax releases together, share them and
// read what was shared. After each restart every level that was shown is there, gives the same answers again for
// nothing, and was paid for, by the role and by the table; and there is one path.
//
// Arguments: the number of rounds (50), the seed of the random moments (printed at the start).
#include <algorithm>
#include <map>

#include "support/crashes.h"

using namespace dp::test;

namespace {

constexpr int kReleases = 3;    // in each round
constexpr int kAggregates = 2;  // of each
const std::string kMaker = "relax_crash_maker";
const std::string kReader = "relax_crash_reader";

// An answer as it was shown: release, level, group and aggregate, and its value.
using Shown = std::map<std::string, std::string>;

std::string key(const std::string& release, const Result& row, int i) {
  return release + " at " + row.value(i, 3) + ": " + row.value(i, 0) + " " + row.value(i, 1);
}

std::string relax(const std::string& release, const std::string& epsilon) {
  return "SELECT group_key, aggregate, answer, epsilon FROM relax_release(" + release + ", " + epsilon + ")";
}

// Nothing, and no error, as long as it was not shared.
std::string read(const std::string& release, const std::string&) {
  return "SELECT a.group_key, a.aggregate, a.answer, a.epsilon FROM dp.releases r, dp_answer(release_id, r.aggregate) "
         "a "
         "WHERE release_id = " +
         release;
}

std::string share(const std::string& release, const std::string& epsilon) {
  return "SELECT dp.share_release(" + release + ", '" + kReader + "', " + epsilon + ")";
}

struct PathAsker : Asker {
  std::string (*statement)(const std::string& release, const std::string& level) = relax;
  std::vector<std::pair<std::string, std::string>> shown;
};

// Levels grow slowly, so that sessions find what others have just drawn; now and then one below the first answers. An
// answer can have 100 of them.
std::string next_level(int step, std::mt19937& random) {
  const int distance = 2 + std::min(step / 4, 40) + static_cast<int>(random() % 3);
  return std::to_string(random() % 5 == 0 ? 0.1 / distance : 0.1 * distance);
}

// Until the connection is lost.
void ask(PathAsker& asker, Session& session, std::atomic<int>& answers, const std::vector<std::string>& releases,
         unsigned seed) {
  std::mt19937 random(seed);
  asker.shown.clear();
  for (int step = 0; session.connected(); ++step) {
    const std::string& release = releases[random() % releases.size()];
    if (asker.number % 3 == 2) session.attempt("BEGIN");
    session.send(asker.statement(release, next_level(step, random)), true);
    receive(session, [&](const Result& result) {
      for (int i = 0; asker.statement != share && i < result.rows(); ++i) {
        asker.shown.emplace_back(key(release, result, i), result.value(i, 2));
        ++answers;
      }
    });
    if (asker.number % 3 == 2) session.attempt("ROLLBACK");
  }
}

// What one role was shown of a release: each level once, the finest first.
std::map<double, std::string, std::greater<>> levels_of(const std::vector<PathAsker>& askers, const std::string& user,
                                                        const std::string& release) {
  std::map<double, std::string, std::greater<>> levels;
  for (const PathAsker& asker : askers) {
    if (asker.user != user) continue;
    for (const auto& [what, value] : asker.shown) {
      if (!what.starts_with(release + " at ")) continue;
      const std::string level = what.substr(release.size() + 4, what.find(':') - release.size() - 4);
      levels[std::stod(level)] = level;
    }
  }
  return levels;
}

void require_shown(const Shown& shown, const std::string& release, const Result& again, const std::string& round) {
  for (int i = 0; i < again.rows(); ++i) {
    const auto was = shown.find(key(release, again, i));
    require(was == shown.end() || was->second == again.value(i, 2),
            round + ": another answer for release " + key(release, again, i));
  }
}

// By the role, and by the table, which has paid for what any role holds. Gaussian noise has the divergence of order 2
// of epsilon^2.
void require_paid(Session& admin, const std::string& role, const std::string& release, const std::string& level,
                  const std::string& round) {
  const std::string of_role = " FILTER (WHERE role = '" + role + "'::regrole) >= ";
  const std::string price = std::to_string(kAggregates) + " * " + level + "::numeric";
  const std::string divergence = price + " * " + level + " * 1e12";
  require_equal(admin.value("SELECT CASE WHEN bool_or(losses ~ 'gaussian')"
                            " THEN sum((dp.divergences(losses))[2])" +
                            of_role + divergence + " AND sum((dp.divergences(table_losses))[2]) >= " + divergence +
                            " ELSE sum(epsilon)" + of_role + price + " AND sum(table_epsilon) >= " + price +
                            " END FROM dp.ledger WHERE release_id = " + release),
                "t", round + ": what was shown of release " + release + " was paid for");
}

void check(const std::vector<PathAsker>& askers, const std::vector<std::string>& releases, const std::string& round) {
  Shown shown;
  for (const PathAsker& asker : askers) {
    for (const auto& [what, value] : asker.shown) {
      const auto [known, is_new] = shown.emplace(what, value);
      require(is_new || known->second == value, round + ": two answers were shown for release " + what);
    }
  }
  Session admin, maker("user=" + kMaker), reader("user=" + kReader);
  const std::string entries = admin.value("SELECT count(*) FROM dp.ledger");
  for (const std::string& release : releases) {
    const auto levels = levels_of(askers, kMaker, release);
    for (const auto& [number, level] : levels) {
      const Result again = maker.run(relax(release, level));
      require_equal(again.value(0, 3), level, round + ": the level of release " + release);
      require_shown(shown, release, again, round);
    }
    if (!levels.empty()) require_paid(admin, kMaker, release, levels.begin()->second, round);
    const auto shared = levels_of(askers, kReader, release);
    if (!shared.empty()) {
      const Result again = reader.run(read(release, ""));
      require(again.rows() > 0 && std::stod(again.value(0, 3)) >= shared.begin()->first,
              round + ": what was shared of release " + release + " is lost");
      require_shown(shown, release, again, round);
      require_paid(admin, kReader, release, shared.begin()->second, round);
    }
  }
  require_equal(admin.value("SELECT count(*) FROM dp.ledger"), entries,
                round + ": entries after levels were shown again");
  require_equal(admin.value("SELECT count(*) - count(DISTINCT (release_id, part, aggregate, epsilon_nano))"
                            " FROM dp.release_path"),
                "0", round + ": levels drawn twice");
  require_balanced(admin, round);
}

std::vector<std::string> make_releases() {
  Session maker("user=" + kMaker);
  std::vector<std::string> releases;
  for (int i = 0; i < kReleases; ++i) {
    maker.run(i % 2 == 0 ? "SELECT g, dp_count('*', 0.1), dp_sum(i, 0, 100, 0.1) FROM t GROUP BY g"
                         : "SELECT g, dp_count('*', 0.1, 'gaussian'), dp_sum(i, 0, 100, 0.1, 'gaussian') FROM "
                           "counting_divergences GROUP BY g");
    releases.push_back(maker.value("SELECT dp_last_release()"));
  }
  return releases;
}

}  // namespace

int main(int count, char** arguments) {
  Rounds rounds(count, arguments, 50);
  const Server server;
  std::vector<PathAsker> askers(8);
  for (int i = 0; i < 8; ++i) {
    askers[i].number = i;
    askers[i].user = kMaker;
  }
  askers[6].statement = share;
  askers[7].statement = read;
  askers[7].user = kReader;
  {
    Session admin;
    askers[6].user = admin.value("SELECT current_user");  // a curator
    admin.run("CREATE TABLE t AS SELECT i, i % 5 AS g FROM generate_series(1, 100) i");
    admin.run("ALTER TABLE t ALTER g SET NOT NULL");
    admin.run("CREATE TABLE counting_divergences AS TABLE t");
    admin.run("ALTER TABLE counting_divergences ALTER g SET NOT NULL");
    admin.run("SELECT dp.protect('t', 1e6), dp.protect('counting_divergences', 1e6, 1e-6, accountant => 'renyi')");
    for (const std::string& role : {kMaker, kReader}) {
      make_role(admin, role);
      admin.run("SELECT dp.grant_budget('t', '" + role + "', 1e6, allow_leaks => true)");
      admin.run("SELECT dp.grant_budget('counting_divergences', '" + role + "', 1e6, 1e-6, allow_leaks => true)");
    }
    admin.run("GRANT SELECT ON t, counting_divergences TO " + kMaker);
    admin.run(
        "SELECT dp.public_values(t, 'g', VARIADIC ARRAY(SELECT generate_series(0, 4))) FROM "
        "unnest('{t,counting_divergences}'::regclass[]) AS t");
  }

  long received = 0;
  long shared = 0;
  for (int round = 0; round < rounds.number; ++round) {
    const std::vector<std::string> releases = make_releases();
    const auto seed = static_cast<unsigned>(rounds.random());
    received +=
        ask_until_server_dies(server, askers, round, rounds, 600, [&](auto& asker, auto& session, auto& answers) {
          ask(asker, session, answers, releases, seed + asker.number);
        });
    check(askers, releases, "round " + std::to_string(round));
    for (const std::string& release : releases) shared += std::ssize(levels_of(askers, kReader, release));
  }
  std::printf("%d crashes, %ld relaxed answers received, %ld shared levels\n", rounds.number, received, shared);
  require(shared > 0, "in so few rounds nobody was shown a shared level");
}
