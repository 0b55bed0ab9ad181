// Relaxing is cancelled at random moments, in transactions that roll back and in others. What is
// paid for and what is held never part: an answer that was shown comes again for nothing, and the ledger has the price
// of the finest level.
//
// Argument: the seed of the random moments (printed at the start).
#include <signal.h>

#include <random>

#include "support/session.h"

using namespace dp::test;

int main(int count, char** arguments) {
  const unsigned seed =
      count > 1 ? static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10)) : std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  Session admin;
  make_role(admin, "relax_canceller");
  // Many groups, so that drawing and writing a level take a while.
  admin.run("CREATE TABLE t AS SELECT i, i % 1000 AS g FROM generate_series(1, 2000) i");
  admin.run("ALTER TABLE t ALTER g SET NOT NULL");
  admin.run("GRANT SELECT ON t TO relax_canceller");
  admin.run("SELECT dp.protect('t', 1e6), dp.grant_budget('t', 'relax_canceller', 1e6, allow_leaks => true)");
  admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 999)))");

  Session asker("user=relax_canceller");
  std::string release;
  int shown = 0, level = 0, paid_unseen = 0;
  constexpr int kRounds = 200;
  constexpr int kMostLevels = 90;  // of one release there may be 100
  for (int round = 0; round < kRounds; ++round) {
    if (level == 0 || level == kMostLevels) {
      asker.run("SELECT g, dp_count('*', 1), dp_sum(i, 0, 100, 1) FROM t GROUP BY g");
      release = asker.value("SELECT dp_last_release()");
      level = 1;
    }
    const std::string relax = "SELECT md5(string_agg(r::text, ',' ORDER BY r::text)) FROM relax_release(" + release +
                              ", " + std::to_string(level + 1) + ") r";
    const bool rolls_back = random() % 2 == 0;
    if (rolls_back) asker.run("BEGIN; SAVEPOINT s");
    asker.send("SELECT pg_sleep(0.001); " + relax);
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, 20000)(random)));
    kill(asker.pid(), SIGINT);
    const Result result = asker.finish();
    if (!result.ok()) require_equal(result.state(), "57014", result.message());
    while (!asker.attempt("SELECT pg_sleep(0.001)").ok()) {  // the signal may come late
      asker.attempt("ROLLBACK");
    }
    if (rolls_back) asker.attempt("ROLLBACK");

    const std::string held = asker.value("SELECT DISTINCT epsilon FROM dp_answer(" + release + ")");
    require(held == std::to_string(level) || held == std::to_string(level + 1),
            "a level that nobody asked for: " + held);
    require(!result.ok() || held == std::to_string(level + 1), "a level that was shown is gone");
    const std::string price = "SELECT trim_scale(sum(epsilon)) FROM dp.ledger WHERE release_id = " + release;
    require_equal(admin.value(price), std::to_string(2 * std::stoi(held)), "paid for both aggregates at level " + held);
    if (held == std::to_string(level)) continue;
    paid_unseen += !result.ok();
    shown += result.ok();
    if (result.ok()) require_equal(asker.value(relax), result.value(), "the answers at level " + held + " again");
    require_equal(admin.value(price), std::to_string(2 * std::stoi(held)), "paid after they were shown again");
    ++level;
  }
  std::printf("%d of %d relaxations shown, %d paid for but not seen\n", shown, kRounds, paid_unseen);
  require_cancellable(admin, asker);
  require_equal(admin.value("SELECT count(*) FROM pg_locks WHERE pid = " + std::to_string(asker.pid())), "0",
                "locks of an idle session");
  require_balanced(admin, "in the end");
}
