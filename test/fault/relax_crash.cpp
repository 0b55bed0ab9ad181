// Threats 12, 87, 89: the server is killed again and again under sessions that relax releases together. After each
// restart every level that a session was shown is there, gives the same answers again for nothing, and was paid for.
//
// Arguments: the number of rounds (40), the seed of the random moments (printed at the start).
#include <algorithm>
#include <atomic>
#include <map>
#include <random>

#include "support/server.h"

using namespace dp::test;

namespace {

constexpr int kSessions = 6;
constexpr int kReleases = 3;  // in each round

// An answer as it was shown: release, level, group and aggregate, and its value.
using Shown = std::map<std::string, std::string>;

struct Asker {
  int number;
  std::atomic<bool> connected = false;
  std::vector<std::pair<std::string, std::string>> shown;
};

std::atomic<int> answers;

std::string key(const std::string& release, const Result& row, int i) {
  return release + " at " + row.value(i, 3) + ": " + row.value(i, 0) + " " + row.value(i, 1);
}

std::string relax(const std::string& release, const std::string& epsilon) {
  return "SELECT group_key, aggregate, answer, epsilon FROM relax_release(" + release + ", " + epsilon + ")";
}

// Until the connection is lost. Levels grow slowly, so that sessions find what others have just drawn.
void ask(Asker* asker, const std::vector<std::string>& releases, unsigned seed) {
  std::mt19937 random(seed);
  Session session("user=relax_crash_asker");
  asker->connected = session.connected();
  if (asker->number % 2 == 1) session.attempt("SET synchronous_commit = off");
  for (int step = 0; session.connected(); ++step) {
    const std::string& release = releases[random() % releases.size()];
    const int level = 2 + step / 4 + static_cast<int>(random() % 3);
    if (asker->number % 3 == 2) session.attempt("BEGIN");
    if (!session.connected()) return;
    session.send(relax(release, std::to_string(0.1 * level)), true);
    while (Result result = session.next()) {
      for (int i = 0; result.ok() && i < result.rows(); ++i) {
        asker->shown.emplace_back(key(release, result, i), result.value(i, 2));
        ++answers;
      }
      if (!result.ok() && !result.state().starts_with("57P") && !result.state().empty()) fail(result.message());
    }
    if (asker->number % 3 == 2 && session.connected()) session.attempt("ROLLBACK");
  }
}

void check(std::vector<Asker>& askers, const std::vector<std::string>& releases, const std::string& round) {
  Shown shown;
  for (const Asker& asker : askers) {
    for (const auto& [what, value] : asker.shown) {
      const auto [known, is_new] = shown.emplace(what, value);
      require(is_new || known->second == value, round + ": two answers were shown for release " + what);
    }
  }
  Session admin;
  Session asker("user=relax_crash_asker");
  const std::string entries = admin.value("SELECT count(*) FROM dp.ledger");
  for (const std::string& release : releases) {
    // Each level that was shown, finest first.
    std::map<double, std::string, std::greater<>> levels;
    for (const auto& [what, value] : shown) {
      if (!what.starts_with(release + " at ")) continue;
      const std::string level = what.substr(release.size() + 4, what.find(':') - release.size() - 4);
      levels[std::stod(level)] = level;
    }
    for (const auto& [number, level] : levels) {
      const Result again = asker.run(relax(release, level));
      for (int i = 0; i < again.rows(); ++i) {
        const auto was = shown.find(key(release, again, i));
        require(was == shown.end() || was->second == again.value(i, 2),
                round + ": another answer for release " + key(release, again, i));
      }
      require_equal(again.value(0, 3), level, round + ": the level of release " + release);
    }
    if (!levels.empty()) {
      require_equal(admin.value("SELECT sum(epsilon) >= 2 * " + levels.begin()->second +
                                "::numeric FROM dp.ledger WHERE release_id = " + release),
                    "t", round + ": what was shown of release " + release + " was paid for");
    }
  }
  require_equal(admin.value("SELECT count(*) FROM dp.ledger"), entries,
                round + ": entries after levels were shown again");
  require_balanced(admin, round);
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 40;
  const unsigned seed =
      count > 2 ? static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)) : std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const Server server;
  {
    Session admin;
    make_role(admin, "relax_crash_asker");
    admin.run("CREATE TABLE t AS SELECT i, i % 5 AS g FROM generate_series(1, 100) i");
    admin.run("ALTER TABLE t ALTER g SET NOT NULL");
    admin.run("GRANT SELECT ON t TO relax_crash_asker");
    admin.run("SELECT dp.protect('t', 1e6), dp.grant_budget('t', 'relax_crash_asker', 1e6, allow_leaks => true)");
    admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 4)))");
  }
  std::vector<Asker> askers(kSessions);
  for (int i = 0; i < kSessions; ++i) askers[i].number = i;

  long received = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::string> releases;
    {
      Session maker("user=relax_crash_asker");
      for (int i = 0; i < kReleases; ++i) {
        maker.run("SELECT g, dp_count('*', 0.1), dp_sum(i, 0, 100, 0.1) FROM t GROUP BY g");
        releases.push_back(maker.value("SELECT dp_last_release()"));
      }
    }
    answers = 0;
    std::vector<std::thread> threads;
    for (Asker& asker : askers) {
      asker.shown.clear();
      asker.connected = false;
      threads.emplace_back(ask, &asker, std::cref(releases), static_cast<unsigned>(random()));
    }
    const int enough = std::uniform_int_distribution<int>(1, 600)(random);
    wait_until(
        [&] {
          return answers >= enough &&
                 std::ranges::all_of(askers, [](const Asker& asker) { return asker.connected.load(); });
        },
        "enough was asked");
    if (round % 2 == 0) {
      server.kill_all();
    } else {
      server.stop_immediately();
    }
    for (std::thread& thread : threads) thread.join();
    server.start();
    check(askers, releases, "round " + std::to_string(round));
    received += answers;
  }
  std::printf("%d crashes, %ld relaxed answers received\n", rounds, received);
}
