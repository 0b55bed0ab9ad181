// Places of privacy units by a hash (src/aggregate/unit/unit_places.h), in one process and in several, with all units
// in places, some, or none: a question is cancelled, a worker is terminated, or there is no room for temporary files.
// An answer that is given all the same is the right one, nothing is left behind, and the next one is right.
//
// Argument: the seed of the random moments (printed at the start).
#include <random>

#include "support/session.h"

using namespace dp::test;

namespace {

const std::string kQuestion = "SELECT dp_count('*', 1e6) || ' ' || dp_sum(x, 0, 10, 1e6) FROM places";

struct Plan {
  const char* workers;
  const char* memory;  // all units have places in it, some, or none
};
constexpr Plan kPlans[] = {{"0", "64MB"}, {"2", "64MB"}, {"0", "1MB"}, {"2", "1MB"}, {"0", "64kB"}, {"2", "64kB"}};

void use(Session& asker, const Plan& plan) {
  asker.run(std::string("SET max_parallel_workers_per_gather = ") + plan.workers);
  asker.run(std::string("SET work_mem = '") + plan.memory + "'");
}

void require_clean(Session& admin, const std::string& what) {
  wait_until(
      [&] {
        return admin.value("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'parallel worker'") == "0";
      },
      "workers end: " + what);
  require_equal(admin.value("SELECT count(*) FROM pg_ls_tmpdir()"), "0", "temporary files: " + what);
}

}  // namespace

int main(int arguments, char** values) {
  const unsigned seed = arguments > 1 ? static_cast<unsigned>(std::stoul(values[1])) : std::random_device{}();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  Session admin;
  admin.run(
      "CREATE TABLE places WITH (parallel_workers = 2) AS SELECT 'the person of the number ' || i * 7919 % 60000 AS "
      "unit,"
      " i % 23 AS x FROM generate_series(1, 200000) i");
  admin.run("ANALYZE places");
  admin.run("SELECT dp.protect('places', 1e9, privacy_unit => 'unit', max_rows_per_unit => 2)");
  const std::string expected = admin.value(
      "SELECT sum(least(n, 2)) || ' ' || sum(least(s, 20)) FROM"
      " (SELECT count(*) AS n, sum(least(x, 10)) AS s FROM places GROUP BY unit) u");

  Session asker;
  asker.run(
      "SET dp.reuse = 0; SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = "
      "0");
  const auto require_right = [&](const std::string& what) {
    require_equal(asker.value(kQuestion), expected, what);
    require_clean(admin, what);
  };
  // An error while rows are read closes the account; a cancel does not.
  const auto reopen = [&] { admin.attempt("SELECT dp.reopen('places', current_user::regrole)"); };
  for (const Plan& plan : kPlans) {
    const std::string name = std::string(plan.workers) + " workers, " + plan.memory;
    use(asker, plan);
    require_right(name);

    // Without room for files: where all have places none is needed.
    asker.run("SET temp_file_limit = 0");
    const Result without_files = asker.attempt(kQuestion);
    if (plan.memory == std::string("64MB")) require(without_files.ok(), without_files.message());
    if (plan.memory == std::string("64kB")) require(!without_files.ok(), "answered without files: " + name);
    if (without_files.ok()) require_equal(without_files.value(), expected, "without files: " + name);
    require_clean(admin, "without files: " + name);
    asker.run("RESET temp_file_limit");
    reopen();
    require_right("after there was no room for files: " + name);

    // Stopped at any moment: it is cancelled, or it was answered before that.
    int stopped = 0;
    for (int round = 0; round < 8; ++round) {
      asker.send(kQuestion);
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
      const bool by_worker = plan.workers[0] == '2' && round % 2 == 1;
      if (by_worker) {
        admin.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'parallel worker'");
      } else {
        asker.cancel();
      }
      const Result result = asker.finish();
      if (result.ok()) require_equal(result.value(), expected, "an answer that was not stopped: " + name);
      if (!result.ok()) ++stopped;
      require(asker.connected(), "the session is gone: " + name);
      if (by_worker) reopen();
      require_clean(admin, "stopped: " + name);
    }
    std::printf("%s: stopped %d of 8\n", name.c_str(), stopped);
    require_right("after it was stopped: " + name);
  }
}
