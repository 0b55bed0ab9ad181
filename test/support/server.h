// The server under test as something that can be crashed and started again. PGDATA, PGHOST, PGPORT and PG_BIN say which
// it is.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/session.h"

namespace dp::test {

class Server {
 public:
  pid_t postmaster() const {
    std::ifstream file(data_ + "/postmaster.pid");
    pid_t pid = 0;
    file >> pid;
    return pid;
  }

  // As pg_ctl stop -m immediate does: nothing is written any more, no checkpoint is made.
  void stop_immediately() const {
    kill(postmaster(), SIGQUIT);
    wait_for_end([](pid_t) {});
  }

  // All processes at once, with no chance to do anything: what was not yet written is lost.
  void kill_all() const {
    kill(postmaster(), SIGSTOP);  // it would tell others what happens, and start new ones
    wait_for_end([](pid_t process) { kill(process, SIGKILL); });  // also one that it started just before it stood still
  }

  // Returns when the server has recovered and answers. `settings` are options of the program postgres.
  void start(const std::string& settings = "") const {
    run_as_server("$PG_BIN/pg_ctl -D " + data_ + " -l " + data_ + "/../log -s -W -o \"-k " + variable("PGHOST") +
                  " -p " + variable("PGPORT") + " " + settings + "\" start");
    wait_until_it_answers();
  }

  void stop() const { run_as_server("$PG_BIN/pg_ctl -D " + data_ + " -s -w -m fast stop"); }

  void wait_until_it_answers() const {
    wait_until([] { return PQping("") == PQPING_OK; }, "the server answers", kLimit, kPause);
  }

  // As the user that the server runs as, which is not root. PostgreSQL's own programs are in $PG_BIN.
  static void run_as_server(const std::string& command) {
    const std::string whole = std::string("cd / && ") + (geteuid() == 0 ? "runuser -u postgres -- " : "") + command;
    require(std::system(whole.c_str()) == 0, whole);
  }

  static std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    require(value != nullptr, std::string("environment variable ") + name + " is not set");
    return value;
  }

 private:
  // To ask whether it answers costs it a process, and to look at all processes takes milliseconds.
  static constexpr std::chrono::milliseconds kPause{20};
  static constexpr std::chrono::seconds kLimit{300};

  // Where nobody reaps them, processes that ended stay as zombies (state Z): they are gone.
  static bool has_ended(const std::filesystem::path& process) {
    std::ifstream file(process / "stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(") ");
    return name_end == std::string::npos || text[name_end + 2] == 'Z';
  }

  // Calls visit(process) for each that is still there. A postmaster that nobody has reaped yet looks alive to the next
  // one, if its lock files are there.
  template <class Visit>
  void wait_for_end(Visit visit) const {
    wait_until(
        [&] {
          const std::vector<pid_t> left = processes();
          std::ranges::for_each(left, visit);
          return left.empty();
        },
        "all processes of the server are gone", kLimit, kPause);
    std::filesystem::remove(data_ + "/postmaster.pid");
    std::filesystem::remove(variable("PGHOST") + "/.s.PGSQL." + variable("PGPORT") + ".lock");
  }

  // All of the server, also where the postmaster has died before them: they work in the data directory.
  std::vector<pid_t> processes() const {
    std::vector<pid_t> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos || has_ended(entry.path())) continue;
      if (std::filesystem::read_symlink(entry.path() / "cwd", error) == std::filesystem::path(data_) && !error)
        found.push_back(std::stoi(name));
    }
    return found;
  }

  std::string data_ = std::filesystem::canonical(variable("PGDATA"));
};

}  // namespace dp::test
