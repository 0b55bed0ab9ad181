// Whose charge another session has written waits for the synchronous standby like one who has written it alone, is told
// so where that wait is stopped, and finds its entry there once the standby has taken over. Who has the ledger's lock
// answers for nobody else's wait.
#include "support/failover.h"
#include "support/held_ledger.h"

using namespace dp::test;

namespace {

constexpr int kCrowd = 16;

Session new_admin() {
  Session admin;
  admin.run("SET synchronous_commit = local");
  return admin;
}

void wait_for_the_standby(Session& admin, const std::vector<Asker>& askers) {
  for (const Asker& asker : askers) {
    wait_until(
        [&] {
          return admin.value("SELECT coalesce(max(wait_event), '') FROM pg_stat_activity WHERE pid = " +
                             std::to_string(asker.session->pid())) == "SyncRep";
        },
        asker.mark + " waits for the standby");
  }
}

// Sessions that wait for the ledger's lock. Some have synchronous_commit off.
std::vector<Asker> crowd(Session& admin, const std::string& mark) {
  std::vector<Asker> askers;
  for (int i = 0; i < kCrowd; ++i) {
    askers.push_back(new_asker(mark + " " + std::to_string(i), i));
    if (i % 2 == 0) askers.back().session->run("SET synchronous_commit = off");
    ask_and_wait(admin, askers.back());
  }
  return askers;
}

void signal(Session& admin, const std::string& function, const Asker& asker) {
  admin.run("SELECT " + function + "(" + std::to_string(asker.session->pid()) + ")");
}

// The waits of the one with the lock and of some others are stopped, each for itself.
void stopped_waits(Session& admin) {
  Asker holder = hold(admin, "stopped holder");
  std::vector<Asker> askers = crowd(admin, "stopped");
  {
    const NothingSent held;
    open(admin);
    wait_for_the_standby(admin, askers);
    signal(admin, "pg_cancel_backend", holder);
    require_refused(holder, "DP006");
    signal(admin, "pg_cancel_backend", askers[0]);
    require_refused(askers[0], "DP006");
    signal(admin, "pg_terminate_backend", askers[1]);
    require_refused(askers[1], "");  // the server shows it nothing more, not even that
    for (int i = 2; i < kCrowd; ++i) {
      Session& session = *askers[static_cast<std::size_t>(i)].session;
      require(PQconsumeInput(session.libpq()) == 1 && PQisBusy(session.libpq()) == 1, "others wait on");
    }
  }
  for (std::size_t i = 2; i < kCrowd; ++i) require_answered(askers[i]);
  for (const Asker& asker : askers) require_entries(admin, asker, 1);
  require_entries(admin, holder, 1);
  check_books(admin, "stopped waits");
}

// It fails at the charge of one, after it has written those of the others: nobody but these waits for them.
void holder_fails(Session& admin) {
  const Asker holder = hold(admin, "failing holder", "poison;");
  std::vector<Asker> askers;
  for (int i = 0; i < 4; ++i) {
    askers.push_back(new_asker("before poison " + std::to_string(i), i));
    ask_and_wait(admin, askers.back());
  }
  const Asker poison = new_asker("poison");
  ask_and_wait(admin, poison);
  const Stopped stopped(poison);
  {
    const NothingSent held;
    open(admin);
    require_refused(holder, "P0001");
    wait_for_the_standby(admin, askers);
  }
  for (const Asker& asker : askers) require_answered(asker);
  stopped.go_on();
  require_answered(poison);
  check_books(admin, "the holder fails");
}

// The primary dies with a crowd under way. `sent`: whether the standby gets anything before.
void fail_over(Pair& pair, int round, bool sent) {
  const std::string mark = "failover " + std::to_string(round);
  std::vector<Asker> askers;
  {
    Session admin = new_admin();
    const Asker holder = hold(admin, "holder " + mark);
    askers = crowd(admin, mark);
    std::unique_ptr<NothingSent> held;
    if (!sent) held = std::make_unique<NothingSent>();
    open(admin);
    if (sent) {
      require_answered(holder);
    } else {
      wait_for_the_standby(admin, askers);
    }
    Server().kill_all();
  }
  std::vector<const Asker*> answered;
  for (const Asker& asker : askers) {
    const Result result = asker.session->finish();
    if (result && result.ok()) answered.push_back(&asker);
  }
  require(sent || answered.empty(), "an answer that no standby knows of");
  pair.promote();
  pair.attach();
  Session admin = new_admin();
  for (const Asker* asker : answered) require_entries(admin, *asker, 1);
  check_books(admin, mark);
}

}  // namespace

int main() {
  return Pair::run([](const std::string& folder) {
    Pair pair(folder);
    {
      Session admin = new_admin();
      admin.run("CREATE EXTENSION pg_dp");
      prepare(admin);
      pair.attach();
      stopped_waits(admin);
      holder_fails(admin);
    }
    for (int round = 0; round < 3; ++round) fail_over(pair, round, round != 1);
  });
}
