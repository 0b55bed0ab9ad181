// Threats A10, A12, 84 (and 1-3, 16 on the way): the server is killed again and again under eight sessions that ask,
// each in a way of its own. After each restart the ledger has an entry for every answer that a session has received, at
// most one for every question, and the totals are its sum. What was charged without an answer is lost to the asker;
// never the other way round.
//
// Arguments: the number of rounds (100), the seed of the random moments (printed at the start).
#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>

#include "support/server.h"

using namespace dp::test;

namespace {

constexpr int kSessions = 8;

// What one session did in one round. A question is known in the ledger by the comment in its text.
struct Asker {
  int number;
  std::vector<std::string> asked;
  std::vector<std::string> answered;
  std::atomic<int> pid = 0;
};

std::atomic<int> answers;  // of all sessions in this round

class Asking {
 public:
  Asking(Asker* asker, int round) : asker_(asker), round_(round), session_("user=crash_asker") {
    asker_->pid = session_.pid();
    lost_ = !session_.connected();
    if (asker->number % 2 == 1) command("SET synchronous_commit = off");
    while (!lost_) ask_once();
  }

 private:
  void command(const std::string& sql) {
    if (!lost_) session_.attempt(sql);
    lost_ = lost_ || !session_.connected();
  }

  std::string marker() {
    return "r" + std::to_string(round_) + " s" + std::to_string(asker_->number) + " n" + std::to_string(++questions_) +
           ";";
  }

  // The first row of an answer is an answer. An error without a lost connection is a fault of its own.
  void ask(const std::string& before, const std::string& after) {
    if (lost_) return;
    const std::string mark = marker();
    asker_->asked.push_back(mark);
    session_.send(before + "/*" + mark + "*/ " + after, true);
    bool seen = false;
    while (Result result = session_.next()) {
      if (result.ok() && (result.rows() > 0 || before.starts_with("INSERT")) && !seen) {
        asker_->answered.push_back(mark);
        ++answers;
        seen = true;
      }
      // 57P01, 57P02: told to go; no state: the connection broke.
      if (!result.ok() && !result.state().starts_with("57P") && !result.state().empty()) fail(result.message());
    }
    lost_ = !session_.connected();
  }

  void ask_once() {
    const std::string count = "dp_count('*', 0.001) FROM t";
    switch (asker_->number) {
      case 0:
      case 1:
        return ask("SELECT ", count);
      case 2:
        command("BEGIN");
        ask("SELECT ", count);
        return command("ROLLBACK");
      case 3:
        command("BEGIN READ ONLY");
        ask("SELECT ", count);
        return command("COMMIT");
      case 4:
        command("BEGIN; SAVEPOINT s");
        ask("SELECT ", count);
        command("ROLLBACK TO s");
        ask("SELECT ", count);
        return command("COMMIT");
      case 5:
        command("BEGIN ISOLATION LEVEL SERIALIZABLE");
        ask("SELECT ", count);
        ask("SELECT ", count);
        command("SELECT 1/0");
        return command("COMMIT");
      case 6:
        ask("SELECT ", "g, dp_count('*', 0.001), dp_sum(i, 0, 1000, 0.001) FROM t GROUP BY g");
        return;
      case 7:
        command("BEGIN");
        ask("INSERT INTO answer SELECT ", count);
        return command(questions_ % 2 == 0 ? "COMMIT" : "ROLLBACK");
    }
  }

  Asker* asker_;
  int round_;
  int questions_ = 0;
  bool lost_ = false;
  Session session_;
};

// What the ledger holds beyond what was read before. The highest number moves on.
std::map<std::string, int> new_entries(Session& admin, long* last) {
  const Result rows = admin.run("SELECT seq, substring(query from '/\\*(r.*;)\\*/') FROM dp.ledger WHERE seq > " +
                                std::to_string(*last));
  std::map<std::string, int> count;
  for (int i = 0; i < rows.rows(); ++i) {
    ++count[rows.value(i, 1)];
    *last = std::max(*last, std::stol(rows.value(i, 0)));
  }
  return count;
}

void check(std::vector<Asker>& askers, long* last, const std::string& round) {
  Session admin;
  require(admin.connected(), PQerrorMessage(admin.libpq()));
  const std::map<std::string, int> entries = new_entries(admin, last);
  std::set<std::string> asked;
  for (const Asker& asker : askers) {
    asked.insert(asker.asked.begin(), asker.asked.end());
    for (const std::string& mark : asker.answered)
      require(entries.contains(mark), round + ": no entry for the answer " + mark);
  }
  for (const auto& [mark, count] : entries) {
    require(asked.contains(mark), round + ": an entry for " + mark + ", which was not asked");
    require(count == 1, round + ": several entries for " + mark);
  }
  require_balanced(admin, round);
}

// Lets the sessions ask until `crash` takes the server from under them.
template <class Crash>
int round_of(std::vector<Asker>& askers, int round, int enough, Crash crash) {
  answers = 0;
  std::vector<std::thread> threads;
  for (Asker& asker : askers) {
    asker.asked.clear();
    asker.answered.clear();
    asker.pid = 0;
    threads.emplace_back([&asker, round] { Asking(&asker, round); });
  }
  // A session that came too late would ask for ever.
  wait_until(
      [&] {
        return answers >= enough && std::ranges::all_of(askers, [](const Asker& asker) { return asker.pid != 0; });
      },
      "enough was asked");
  crash();
  for (std::thread& thread : threads) thread.join();
  return answers;
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 100;
  const unsigned seed =
      count > 2 ? static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)) : std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const Server server;
  {
    Session admin;
    make_role(admin, "crash_asker");
    admin.run("CREATE TABLE t AS SELECT i, i % 10 AS g FROM generate_series(1, 1000) i");
    admin.run("CREATE TABLE answer (n bigint)");
    admin.run("GRANT SELECT ON t TO crash_asker; GRANT INSERT ON answer TO crash_asker");
    admin.run("SELECT dp.protect('t', 1e6), dp.grant_budget('t', 'crash_asker', 1e6, allow_leaks => true)");
    admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 9)))");
  }
  std::vector<Asker> askers(kSessions);
  for (int i = 0; i < kSessions; ++i) askers[i].number = i;

  long last = 0;
  long received = 0;
  for (int round = 0; round < rounds; ++round) {
    const int enough = std::uniform_int_distribution<int>(1, 150)(random);
    const int moment = std::uniform_int_distribution<int>(0, 2000)(random);
    const int victim = std::uniform_int_distribution<int>(0, kSessions - 1)(random);
    received += round_of(askers, round, enough, [&] {
      std::this_thread::sleep_for(std::chrono::microseconds(moment));  // so that it may hit any step of a question
      switch (round % 3) {
        case 0:
          return server.stop_immediately();
        case 1:
          return server.kill_all();
        case 2:  // one backend: the postmaster sends all others away and starts anew
          kill(askers[victim].pid, SIGKILL);
      }
    });
    if (round % 3 != 2) server.start();
    server.wait_until_it_answers();
    check(askers, &last, "round " + std::to_string(round));
  }

  // Without a crash the totals are not rebuilt: they must be right by themselves.
  received += round_of(askers, rounds, 200, [&] {
    Session admin;
    wait_until(
        [&] {
          return admin.value(
                     "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'crash_asker'") ==
                 "0";
        },
        "all were sent away");
  });
  check(askers, &last, "the last round");
  std::printf("%d crashes, %ld answers received, %ld entries in the ledger\n", rounds, received, last);
}
