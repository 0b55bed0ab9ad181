// Where a standby is asked for, what was answered is in its ledger when it takes over, whatever the sessions say of
// synchronous_commit. Eight of them ask and relax, the primary is killed, with or without a standby that has fallen
// behind, and what they have received is looked for in the promoted one.
//
// Arguments: the number of rounds (3), the seed of the random moments (printed at the start).
#include "support/failover.h"

#include <mutex>
#include <set>

#include "support/crashes.h"

using namespace dp::test;

namespace {

struct Relaxed {
  std::string release;
  std::string answer;
};

struct FailoverAsker : Asker {
  std::vector<std::string> answered;
  std::vector<Relaxed> relaxed;
};

// What one session does in one round.
class Asking {
 public:
  Asking(FailoverAsker& asker, Session& session, std::atomic<int>& answers, int round)
      : asker_(asker), session_(session), answers_(answers), round_(round) {
    asker_.answered.clear();
    asker_.relaxed.clear();
    prepare();
    while (session_.connected()) ask_once();
  }

 private:
  // A question is known in the ledger by the comment in its text, which goes where the # is. The first row of an answer
  // is one.
  std::string ask(std::string question) {
    if (!session_.connected()) return "";
    const std::string mark =
        "r" + std::to_string(round_) + " s" + std::to_string(asker_.number) + " n" + std::to_string(++questions_) + ";";
    session_.send(question.replace(question.find('#'), 1, "/*" + mark + "*/"), true);
    std::string answer;
    receive(session_, [&](const Result& result) {
      if (!answer.empty() || result.rows() == 0) return;
      answer = result.value();
      asker_.answered.push_back(mark);
      ++answers_;
    });
    return answer;
  }

  void command(const std::string& sql) { session_.attempt(sql); }

  // Those with an odd number have it off.
  void prepare() {
    static const char* const settings[] = {"on", "local", "remote_write", "remote_apply"};
    if (asker_.number % 2 == 0) command(std::string("SET synchronous_commit = ") + settings[asker_.number / 2]);
    command("SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0");
  }

  void ask_once() {
    const std::string count = "SELECT # dp_count('*', 0.001) FROM t";
    switch (asker_.number) {
      case 0:
      case 1:
        ask(count);
        return;
      case 2:
        command("BEGIN READ ONLY");
        ask(count);
        return command("COMMIT");
      case 3:
        command("BEGIN; SAVEPOINT s");
        ask(count);
        command("ROLLBACK TO s");
        ask(count);
        return command("COMMIT");
      case 4:
      case 5: {
        ask(asker_.number == 4 ? count : "SELECT # dp_count('*', 0.001, 'gaussian') FROM t");
        const Result release = session_.attempt("SELECT dp_last_release()");
        if (!release.ok()) return;
        const std::string answer = ask("SELECT # answer FROM relax_release(" + release.value() + ", 0.002)");
        if (!answer.empty()) asker_.relaxed.push_back({release.value(), answer});
        return;
      }
      case 6:
        ask("SELECT # g, dp_count('*', 0.001), dp_sum(i, 0, 1000, 0.001) FROM t GROUP BY g");
        return;
      case 7:  // inside the parallel operation of another statement
        command("BEGIN; SELECT pg_current_xact_id()");
        ask("SELECT ask('#') FROM paper WHERE one = 1");
        return command("ROLLBACK");
    }
  }

  FailoverAsker& asker_;
  Session& session_;
  std::atomic<int>& answers_;
  int round_;
  int questions_ = 0;
};

void set_up() {
  Session admin;
  admin.run("CREATE EXTENSION pg_dp; CREATE EXTENSION pg_surgery");
  admin.run("CREATE ROLE failover_asker LOGIN");
  admin.run("CREATE TABLE t AS SELECT i, i % 10 AS g FROM generate_series(1, 1000) i");
  admin.run("CREATE TABLE paper AS SELECT 1 AS one; GRANT SELECT ON paper TO failover_asker");
  admin.run(
      "CREATE FUNCTION ask(mark text) RETURNS bigint LANGUAGE plpgsql PARALLEL RESTRICTED AS $$ DECLARE n bigint; BEGIN"
      " EXECUTE 'SELECT ' || mark || $q$ dp_count('*', 0.001) FROM t $q$ INTO n; RETURN n; END $$");
  admin.run(
      "SELECT dp.protect('t', 1e6, 1e-6, accountant => 'renyi'),"
      " dp.grant_budget('t', 'failover_asker', 1e6, 1e-6, allow_leaks => true)");
  admin.run("SELECT dp.public_values('t', 'g', VARIADIC ARRAY(SELECT generate_series(0, 9)))");
}

// What has fallen behind is as it were far away: what was sent would arrive from a primary that is gone.
void kill_primary(int round, Rounds& rounds) {
  if (round % 2 == 1) return Server().kill_all();
  const NothingSent held;
  std::this_thread::sleep_for(std::chrono::milliseconds(rounds.between(20, 100)));
  Server().kill_all();
}

void check(const std::vector<FailoverAsker>& askers, const std::string& round) {
  Session admin, asker("user=failover_asker");
  std::set<std::string> entries;
  const Result rows = admin.run("SELECT substring(query from '/\\*(r.*;)\\*/') FROM dp.ledger");
  for (int i = 0; i < rows.rows(); ++i) entries.insert(rows.value(i));
  std::vector<std::string> lost;
  for (const FailoverAsker& one : askers) {
    std::ranges::copy_if(one.answered, std::back_inserter(lost),
                         [&](const std::string& mark) { return !entries.contains(mark); });
  }
  if (!lost.empty())
    fail(round + ": no entries for " + std::to_string(lost.size()) + " answers, one of them " + lost.front());
  for (const FailoverAsker& one : askers) {
    for (const Relaxed& relaxed : one.relaxed) {
      const Result shown = asker.run("SELECT epsilon, answer FROM dp_answer(" + relaxed.release + ")");
      require_equal(shown.value(), "0.002", round + ": the level of a release");
      require_equal(shown.value(0, 1), relaxed.answer, round + ": the answer of a level");
    }
  }
  require_balanced(admin, round);
}

void fail_over(Pair& pair, Rounds& rounds) {
  std::vector<FailoverAsker> askers(8);
  for (std::size_t i = 0; i < askers.size(); ++i) {
    askers[i].number = static_cast<int>(i);
    askers[i].user = "failover_asker";
  }
  long received = 0;
  for (int round = 0; round < rounds.number; ++round) {
    const auto ask = [round](FailoverAsker& asker, Session& session, std::atomic<int>& answers) {
      Asking(asker, session, answers, round);
    };
    received += ask_until_crash(askers, rounds.between(50, 400), ask, [&] { kill_primary(round, rounds); });
    pair.promote();
    pair.attach();
    check(askers, "round " + std::to_string(round));
  }
  std::printf("%d failovers, %ld answers received, none lost\n", rounds.number, received);
}

}  // namespace

int main(int count, char** arguments) {
  return Pair::run([=](const std::string& folder) {
    Rounds rounds(count, arguments, 3);
    Pair pair(folder);
    set_up();
    pair.attach();
    fail_over(pair, rounds);
  });
}
