// Threats 10, 12, 84 (and 1-3, 16 on the way) of docs/internals/threats.md: the server is killed again and again under
// eight sessions that ask, each in a way of its own. After each restart the ledger has an entry for every answer that a
// session has received, at most one for every question, and the totals are its sum. What was charged without an answer
// is lost to the asker; never the other way round.
//
// Arguments: the number of rounds (100), the seed of the random moments (printed at the start).
#include <map>
#include <set>

#include "support/crashes.h"

using namespace dp::test;

namespace {

constexpr int kSessions = 8;

// A question is known in the ledger by the comment in its text.
struct LedgerAsker : Asker {
  std::vector<std::string> asked;
  std::vector<std::string> answered;
};

// What one session does in one round.
class Asking {
 public:
  Asking(LedgerAsker& asker, Session& session, std::atomic<int>& answers, int round)
      : asker_(asker), session_(session), answers_(answers), round_(round) {
    asker_.asked.clear();
    asker_.answered.clear();
    while (session_.connected()) ask_once();
  }

 private:
  std::string marker() {
    return "r" + std::to_string(round_) + " s" + std::to_string(asker_.number) + " n" + std::to_string(++questions_) +
           ";";
  }

  // The first row of an answer is an answer.
  void ask(const std::string& before, const std::string& after) {
    if (!session_.connected()) return;
    const std::string mark = marker();
    asker_.asked.push_back(mark);
    session_.send(before + "/*" + mark + "*/ " + after, true);
    bool seen = false;
    receive(session_, [&](const Result& result) {
      if (seen || (result.rows() == 0 && !before.starts_with("INSERT"))) return;
      asker_.answered.push_back(mark);
      ++answers_;
      seen = true;
    });
  }

  void command(const std::string& sql) { session_.attempt(sql); }

  void ask_once() {
    const std::string count =
        std::string("dp_count('*', 0.001) FROM ") + (asker_.number % 2 == 0 ? "t" : "counting_divergences");
    switch (asker_.number) {
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
        ask("SELECT ", "dp_count('*', 0.001, 'gaussian') FROM counting_divergences");
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

  LedgerAsker& asker_;
  Session& session_;
  std::atomic<int>& answers_;
  int round_;
  int questions_ = 0;
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

void check(const std::vector<LedgerAsker>& askers, long* last, const std::string& round) {
  Session admin;
  require(admin.connected(), PQerrorMessage(admin.libpq()));
  const std::map<std::string, int> entries = new_entries(admin, last);
  std::set<std::string> asked;
  for (const LedgerAsker& asker : askers) {
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

}  // namespace

int main(int count, char** arguments) {
  Rounds rounds(count, arguments, 100);
  const Server server;
  {
    Session admin;
    make_role(admin, "crash_asker");
    admin.run("CREATE TABLE t AS SELECT i, i % 10 AS g FROM generate_series(1, 1000) i");
    admin.run("CREATE TABLE answer (n bigint)");
    admin.run("GRANT SELECT ON t TO crash_asker; GRANT INSERT ON answer TO crash_asker");
    admin.run("SELECT dp.protect('t', 1e6), dp.grant_budget('t', 'crash_asker', 1e6, allow_leaks => true)");
    admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 9)))");
    admin.run("CREATE TABLE counting_divergences AS TABLE t; GRANT SELECT ON counting_divergences TO crash_asker");
    admin.run(
        "SELECT dp.protect('counting_divergences', 1e6, 1e-6, accountant => 'renyi'),"
        " dp.grant_budget('counting_divergences', 'crash_asker', 1e6, 1e-6, allow_leaks => true)");
  }
  std::vector<LedgerAsker> askers(kSessions);
  for (int i = 0; i < kSessions; ++i) {
    askers[i].number = i;
    askers[i].user = "crash_asker";
  }
  int round = 0;
  const auto ask = [&round](LedgerAsker& asker, Session& session, std::atomic<int>& answers) {
    Asking(asker, session, answers, round);
  };

  long last = 0;
  long received = 0;
  for (; round < rounds.number; ++round) {
    received += ask_until_server_dies(server, askers, round, rounds, 150, ask);
    check(askers, &last, "round " + std::to_string(round));
  }

  // Without a crash the totals are not rebuilt: they must be right by themselves.
  received += ask_until_crash(askers, 200, ask, [] {
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
  std::printf("%d crashes, %ld answers received, %ld entries in the ledger\n", rounds.number, received, last);
}
