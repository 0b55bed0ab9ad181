// A primary server with a synchronous standby, as often as wanted: when the primary is gone the standby takes its
// place, and is given a new one.
#pragma once

#include <sys/wait.h>

#include "support/server.h"

namespace dp::test {

// libpq's environment variables and PGDATA name the primary: Session and Server mean that one.
class Pair {
 public:
  // Servers of their own, with the settings of the one under test; they end, and their folder goes, with `Pair::run`.
  explicit Pair(const std::string& folder) : folder_(folder) {
    const std::string settings = Server::variable("PGDATA") + "/postgresql.conf";
    Server::run_as_server("mkdir -m 755 -p " + node(0));
    Server::run_as_server("$PG_BIN/initdb -D " + node(0) + "/data -U postgres -A trust -E UTF8 --locale=C --no-sync >" +
                          "/dev/null");
    Server::run_as_server("cp " + settings + " " + node(0) + "/data/postgresql.conf");
    // A standby that is sent nothing (NothingSent) waits for it, and does not come back by another connection.
    std::ofstream(node(0) + "/data/postgresql.conf", std::ios::app)
        << "wal_receiver_timeout = 0\nwal_sender_timeout = 0\n";
    setenv("PGDATABASE", "postgres", 1);
    use(0);
    Server().start();
  }

  // Calls test(folder) in a process of its own: what fails there ends it at once. Returns its exit status.
  template <class Test>
  static int run(Test test) {
    const std::string folder = "/tmp/pg_dp.failover." + std::to_string(getpid());
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      test(folder);
      std::fflush(nullptr);
      std::_Exit(0);
    }
    struct sigaction on_time_out = {};
    on_time_out.sa_handler = [](int) {};  // ends the wait, and the servers go all the same
    sigaction(SIGTERM, &on_time_out, nullptr);
    int status = 1;
    if (waitpid(child, &status, 0) != child) kill(child, SIGKILL);
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (!std::filesystem::exists(entry.path() / "data/PG_VERSION")) continue;
      setenv("PGDATA", (entry.path() / "data").c_str(), 1);
      setenv("PGHOST", entry.path().c_str(), 1);
      Server().kill_all();
    }
    std::filesystem::remove_all(folder, error);
    return status == 0 ? 0 : 1;
  }

  // A new standby, for which the primary waits from now on.
  void attach() {
    const int standby = primary_ + 1;
    Server::run_as_server("mkdir -m 755 " + node(standby));
    Server::run_as_server("$PG_BIN/pg_basebackup -h " + node(primary_) + " -U postgres -D " + node(standby) +
                          "/data -R -c fast --no-sync -X stream");
    use(standby);
    Server().start();
    use(primary_);
    wait_for_standbys("*");
    wait_until(
        [] {
          return Session().value("SELECT count(*) FROM pg_stat_replication WHERE " + std::string(kIsStandby)) == "1";
        },
        "the standby is there");
  }

  // Not what pg_basebackup left, which may end a little later.
  static constexpr const char* kIsStandby = "sync_state = 'sync' AND application_name = 'walreceiver'";

  static void wait_for_standbys(const std::string& names) {
    Session admin;
    admin.run("SET synchronous_commit = local");
    admin.run("ALTER SYSTEM SET synchronous_standby_names = '" + names + "'");
    admin.run("ALTER SYSTEM SET dp.failover_is_synchronous = on");
    admin.run("SELECT pg_reload_conf()");
    wait_until([&] { return Session().value("SHOW synchronous_standby_names") == names; }, "the names are read");
    admin.run("CHECKPOINT");  // the process that makes it reads them before, and tells those that commit
  }

  // After the primary was killed.
  void promote() {
    std::filesystem::remove_all(node(primary_));
    use(++primary_);
    Server::run_as_server("$PG_BIN/pg_ctl -D " + node(primary_) + "/data -s -w promote");
  }

 private:
  std::string node(int number) const { return folder_ + "/" + std::to_string(number); }

  void use(int number) const {
    setenv("PGDATA", (node(number) + "/data").c_str(), 1);
    setenv("PGHOST", node(number).c_str(), 1);
  }

  std::string folder_;
  int primary_ = 0;
};

// While it lives nothing is sent to the standby.
class NothingSent {
 public:
  NothingSent()
      : sender_(
            std::stoi(Session().value("SELECT pid FROM pg_stat_replication WHERE " + std::string(Pair::kIsStandby)))) {
    kill(sender_, SIGSTOP);
  }
  ~NothingSent() { kill(sender_, SIGCONT); }
  NothingSent(const NothingSent&) = delete;
  NothingSent& operator=(const NothingSent&) = delete;

 private:
  pid_t sender_;
};

}  // namespace dp::test
