// Sessions that ask, each in a thread of its own, while the server is killed under them: round after round, at random
// moments.
#pragma once

#include <algorithm>
#include <atomic>
#include <random>

#include "support/server.h"

namespace dp::test {

// What the command line says: the number of rounds, and the seed of the random moments (printed, so that it can be
// given).
struct Rounds {
  Rounds(int count, char** arguments, int usual)
      : number(count > 1 ? std::atoi(arguments[1]) : usual),
        seed(count > 2 ? static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)) : std::random_device()()),
        random(seed) {
    std::printf("seed %u\n", seed);
  }

  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

  int number;
  unsigned seed;
  std::mt19937 random;
};

// One session of a round.
struct Asker {
  int number = 0;
  std::string user;
  std::atomic<int> pid = 0;  // 0 until it is connected
};

// Calls visit(result) for each outcome of what was sent. An error is a fault, unless it says that the server goes
// (57P01, 57P02) or the connection broke (no state).
template <class Visit>
void receive(Session& session, Visit visit) {
  while (Result result = session.next()) {
    if (result.ok()) {
      visit(result);
    } else if (!result.state().starts_with("57P") && !result.state().empty()) {
      fail(result.message());
    }
  }
}

// Runs ask(asker, session, answers) for every asker. It counts up the answers that it receives, and returns when its
// connection is lost: crash(), called once there are `enough` of them all, has to end all connections. Returns the
// number of answers.
template <class Askers, class Ask, class Crash>
int ask_until_crash(Askers& askers, int enough, Ask ask, Crash crash) {
  std::atomic<int> answers = 0;
  std::vector<std::thread> threads;
  for (auto& asker : askers) {
    asker.pid = 0;
    threads.emplace_back([&] {
      Session session("user=" + asker.user);
      asker.pid = session.pid();
      if (asker.number % 2 == 1) session.attempt("SET synchronous_commit = off");
      ask(asker, session, answers);
    });
  }
  // A session that came too late would ask for ever.
  wait_until(
      [&] {
        return answers >= enough && std::ranges::all_of(askers, [](const Asker& asker) { return asker.pid != 0; });
      },
      "enough was asked", std::chrono::seconds(300));
  crash();
  for (std::thread& thread : threads) thread.join();
  return answers;
}

// The same at a random moment, before which there are `most` answers at most; in each round the server dies in another
// way. Returns when it answers again.
template <class Askers, class Ask>
int ask_until_server_dies(const Server& server, Askers& askers, int round, Rounds& rounds, int most, Ask ask) {
  const int enough = rounds.between(1, most);
  const int moment = rounds.between(0, 2000);
  const int victim = rounds.between(0, static_cast<int>(askers.size()) - 1);
  const int answers = ask_until_crash(askers, enough, ask, [&] {
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
  return answers;
}

}  // namespace dp::test
