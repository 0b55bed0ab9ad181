// Random private queries of a role without SELECT over a table and its neighbour, which has one unit less: a row, or a
// person with many rows; by itself, or joined to public tables and to other protected ones, which lose that person as
// well. At so large an epsilon that the noise vanishes, all that the role sees must be the same, but for answers, which
// differ by no more than one unit can change: errors to the last word, notices and log messages, plans, charges,
// columns, the number of rows, their order and their keys. What differs is shown with its seed, after parts of the
// query were left out as far as it still differs. Between them stand hostile scripts (support/fuzz_hostile.h): several
// statements with objects, settings and functions of the asker's, other sessions beside them, and a curator.
//
// Arguments: seconds to run (20; on a slow machine longer, until as many were asked as tell something), seed (1; give
// others for longer runs), number of queries and scripts (0: until the time is over), subjects: "queries", or names of
// hostile scripts (support/fuzz_hostile_all.h); all if none is given. With "findings" among them the first script of
// each subject that differs is listed with the time it took, and nothing stops the run. With "previews" whatever shows,
// keeps or wraps a query has to do with it what the query itself does (support/previews.sql); answers are not compared.
// With "shards" all queries are about tables whose rows are on another server, which else each second pair is: parts of
// answers are made there, or what lies side by side is joined there along the unit.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>

#include "support/fuzz_hostile_all.h"
#include "support/fuzz_tables.h"

using namespace dp::test;

namespace {

// ---- what a role sees of a query ----------------------------------------------------------------------------------

struct Seen {
  std::string words;  // all that must be the same
  bool ok = false;
  std::vector<std::vector<std::string>> rows;
};

class Asker {
 public:
  explicit Asker(const std::string& schema, bool previews = false) : session_("user=fuzz_asker"), previews_(previews) {
    require(session_.connected(), PQerrorMessage(session_.libpq()));
    session_.run("SET search_path = " + schema + ", public");
    // That PostgreSQL enlarges one of its own caches depends on what the session did before, not on rows; that an answer
    // is NaN on the answer.
    PQsetNoticeReceiver(
        session_.libpq(),
        [](void* to, const PGresult* notice) {
          const std::string message = PQresultErrorMessage(notice);
          for (const char* const other : {"rehashing catalog cache", " is NaN: too few rows, at this epsilon"})
            if (message.find(other) != std::string::npos) return;
          *static_cast<std::string*>(to) += message;
        },
        &notices_);
  }

  void run(const std::string& sql) { session_.run(sql); }

  // Whether the last question had an answer.
  bool answered() const { return answered_; }

  // Whether another server was to join rows for it.
  bool joined_elsewhere() const { return joined_elsewhere_; }

  Seen ask(const std::string& sql) {
    Seen seen;
    const std::string before = spent();
    note(seen, "EXPLAIN (VERBOSE, COSTS, FORMAT TEXT) " + sql, true);
    joined_elsewhere_ = std::regex_search(seen.words, std::regex("(Rows|Parts): [^\n,]* with .* from server"));
    const Result result = note(seen, sql, false);
    seen.ok = answered_ = result.ok();
    for (int row = 0; row < result.rows(); ++row) {
      auto& values = seen.rows.emplace_back();
      for (int column = 0; column < PQnfields(raw(result)); ++column) {
        values.push_back(PQgetisnull(raw(result), row, column) ? "NULL" : "'" + result.value(row, column));
      }
    }
    // Whether previews ask once more depends on noise: what they were charged differs.
    if (!previews_) seen.words += "charged: from " + before + " to " + spent() + "\n";
    return seen;
  }

  // Whether it looks at previews of queries in place of their answers.
  bool previews() const { return previews_; }

  // What is wrong with those of a query. Groups that are chosen differ each time.
  std::string preview(const std::string& sql, bool chosen) {
    if (chosen) return "";
    notices_.clear();
    const Result result = session_.attempt("SELECT previews.judge($fuzz$" + sql + "$fuzz$)");
    if (PQstatus(session_.libpq()) != CONNECTION_OK) fail("the server crashed on previews of " + sql);
    if (!result.ok()) return std::string(PQresultErrorMessage(raw(result)));
    return notices_.find("preview:") == std::string::npos ? "" : notices_;
  }

 private:
  static const PGresult* raw(const Result& result) { return result.libpq(); }

  std::string spent() {
    return session_.value(
        "SELECT string_agg((relation::text, epsilon_spent, delta_spent)::text, ' ' ORDER BY relation) FROM dp.budgets "
        "WHERE role IS NOT NULL AND relation IN ('t'::regclass, 'd'::regclass, 'e'::regclass)");
  }

  Result note(Seen& seen, const std::string& sql, bool values) {
    notices_.clear();
    Result result = session_.attempt(sql);
    seen.words += notices_;
    if (!result.ok()) {
      for (const int field : {PG_DIAG_SEVERITY, PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_MESSAGE_DETAIL,
                              PG_DIAG_MESSAGE_HINT, PG_DIAG_STATEMENT_POSITION, PG_DIAG_INTERNAL_POSITION,
                              PG_DIAG_INTERNAL_QUERY, PG_DIAG_CONTEXT, PG_DIAG_SOURCE_FILE, PG_DIAG_SOURCE_LINE}) {
        const char* const text = PQresultErrorField(raw(result), field);
        if (text != nullptr) seen.words += std::string(text) + "\n";
      }
      seen.words += result.fault();
      if (PQstatus(session_.libpq()) != CONNECTION_OK) fail("the server crashed on " + sql);
    }
    for (int column = 0; column < PQnfields(raw(result)); ++column) {
      seen.words += std::string(PQfname(raw(result), column)) + " " + std::to_string(PQftype(raw(result), column)) +
                    " " + std::to_string(PQfmod(raw(result), column)) + "\n";
    }
    for (int row = 0; values && row < result.rows(); ++row) seen.words += result.value(row) + "\n";
    return result;
  }

  Session session_;
  bool previews_;
  std::string notices_;
  bool answered_ = false, joined_elsewhere_ = false;
};

// ---- comparison ---------------------------------------------------------------------------------------------------

std::vector<double> numbers(const std::string& value) {
  std::vector<double> found;
  for (const char* place = value.c_str(); *place != '\0';) {
    char* end;
    const double number = std::strtod(place, &end);
    if (end == place) {
      ++place;
    } else {
      found.push_back(number);
      place = end;
    }
  }
  return found;
}

double distance(const std::string& one, const std::string& other) {
  const std::vector<double> a = numbers(one), b = numbers(other);
  if (a.size() != b.size()) return INFINITY;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::fabs(a[i] - b[i]);
  return sum;
}

std::string shown(const Seen& seen) {
  std::string text = seen.words;
  for (const auto& row : seen.rows) text += join(row, " | ") + "\n";
  return text;
}

// Groups that are chosen privately: at this epsilon those of two rows and more, so that some of one table are not among
// the other's. What is there in both stands in the same order and looks the same.
bool is_thinned(const Seen& all, const Seen& part, std::size_t keys, int most) {
  std::size_t place = 0;
  for (const auto& row : part.rows) {
    const auto same = [&] {
      return std::equal(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(keys), all.rows[place].begin());
    };
    while (place < all.rows.size() && !same()) ++place;
    if (place++ == all.rows.size()) return false;
  }
  return all.rows.size() <= part.rows.size() + static_cast<std::size_t>(most);
}

// What a unit may change of the answers in one column: each, their sum, and how many.
class Change {
 public:
  Change(const World& world, const Query& query, const Column& column) : kind_(column.kind), bound_(column.bound) {
    // The groups of all keys may fall together where a grouping set has fewer.
    const int in_group = query.level.keys.empty() || query.level.sets.empty() ? world.rows_per_group : world.rows;
    const bool one_group = query.level.keys.empty();
    each_ = column.once ? 1 : in_group;
    sum_ = (column.once ? (one_group ? 1 : world.groups) : (one_group ? in_group : world.rows)) * sets_of(query);
    groups_ = world.groups * sets_of(query);
  }

  bool admits(const std::string& x, const std::string& y) {
    if (kind_ != Column::Kind::within) return true;
    const double far = distance(x, y);
    changed_ += far;
    groups_changed_ += far > bound_ / 200;
    return far <= each_ * bound_ && changed_ <= sum_ * bound_ && groups_changed_ <= groups_;
  }

 private:
  Column::Kind kind_;
  double bound_;
  int each_, sum_, groups_;
  double changed_ = 0;
  int groups_changed_ = 0;
};

std::string difference(const World& world, const Query& query, Asker& one, Asker& two) {
  const std::string sql = text_of(query);
  const Seen a = one.ask(sql), b = two.ask(sql);
  const std::string both = "--- with the unit:\n" + shown(a) + "--- without it:\n" + shown(b);
  if (a.words != b.words) return "messages, plans, charges or columns differ\n" + both;
  if (one.previews()) return one.preview(sql, query.level.chosen) + two.preview(sql, query.level.chosen);
  if (!a.ok || query.wrapping >= kFirstFree) return "";
  if (query.level.chosen)
    return is_thinned(a, b, query.level.keys.size(), world.groups * sets_of(query)) ? ""
                                                                                    : "chosen groups differ\n" + both;
  if (a.rows.size() != b.rows.size()) return "numbers of rows differ\n" + both;
  const std::vector<Column> columns = columns_of(query);
  std::vector<Change> changes;
  for (const Column& column : columns) changes.emplace_back(world, query, column);
  for (std::size_t row = 0; row < a.rows.size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string &x = a.rows[row][i], &y = b.rows[row][i];
      if (columns[i].kind == Column::Kind::key && x != y) return "keys differ: " + x + ", " + y + "\n" + both;
      if ((x == "NULL") != (y == "NULL")) return "an answer is NULL\n" + both;
      if (!changes[i].admits(x, y)) return "answers differ too much: " + x + ", " + y + "\n" + both;
    }
  }
  return "";
}

void report(const World& world, Query query, const std::string& first, unsigned seed, int number, Asker& one,
            Asker& two) {
  std::string what = first;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Query& candidate : simpler(query)) {
      const std::string still = difference(world, candidate, one, two);
      if (still.empty()) continue;
      query = candidate;
      what = still;
      smaller = true;
      break;
    }
  }
  const std::string units = world.has_units() ? ", unit p" + world.letter + ", " + world.limits() : "";
  fail("seed " + std::to_string(seed) + ", query " + std::to_string(number) + units + ":\n" + text_of(query) + "\n" +
       what);
}

// What a session can set, so that inner queries are planned and run in every way.
const std::vector<std::string> kSettings = {
    "enable_hashagg = off",
    "enable_sort = off",
    "work_mem = '64kB'",
    "enable_seqscan = off",
    "parallel_leader_participation = on; SELECT set_config(name, 'on', false) FROM pg_settings "
    "WHERE name IN ('force_parallel_mode', 'debug_parallel_query')",
    "jit_above_cost = 0",
    "parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0",
    "timezone = 'Pacific/Kiritimati'",
    "timezone = 'America/Adak'",
    "datestyle = 'SQL, DMY'",
    "intervalstyle = 'sql_standard'",
    "extra_float_digits = 0",
    "bytea_output = escape",
    "client_min_messages = debug1",
    "trace_sort = on",
    "dp.keep_releases = 3",
    "enable_partitionwise_aggregate = on"};

// ---- random queries, and hostile scripts
// -----------------------------------------------------------------------------------------

class Clock {
 public:
  explicit Clock(double seconds) : seconds_(seconds) {}

  void begin() { begin_ = std::chrono::steady_clock::now(); }
  double passed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  bool is_over() const { return passed() > seconds_; }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double seconds_;
};

struct Run {
  unsigned seed;
  int most;
  Clock clock;
  bool previews = false, shards = false;
  int asked = 0, answered = 0, joined = 0, scripts = 0;
  Tally tally = {};

  static constexpr int kLeast = 150;  // whatever the time
  bool goes_on() const {
    const int made = asked + scripts;
    return most == 0 ? made < kLeast || !clock.is_over() : made < most && !clock.is_over();
  }
};

// Over one pair of tables.
void ask_queries(Session& admin, const Vocabulary& words, Run& run, unsigned batch) {
  const bool beside = run.shards ? batch % 2 == 1 : batch % 4 == 1;
  const Place place = beside ? Place::side_by_side : run.shards || batch % 4 == 3 ? Place::elsewhere : Place::here;
  Generator generator(words, run.seed * 10'000 + batch, kOrdinary, place);
  const World& world = generator.world();
  const std::string where = beside ? "beside_" : place == Place::elsewhere ? "shards_" : "";
  make_tables(admin, world, where);
  Asker one(where + (world.has_units() ? "units_one" : "one"), run.previews),
      two(where + (world.has_units() ? "units_two" : "two"), run.previews);
  for (int i = generator.below(4); i > 0; --i) {
    const std::string setting = generator.one_of(kSettings);
    one.run("SET " + setting);
    two.run("SET " + setting);
  }
  for (int i = 0; i < 40 && run.goes_on(); ++i) {
    const Query query = generator.query();
    const std::string what = difference(world, query, one, two);
    if (!what.empty()) report(world, query, what, run.seed, run.asked, one, two);
    run.answered += what.empty() && one.answered();
    run.joined += one.answered() && one.joined_elsewhere();
    ++run.asked;
  }
}

const Subject& some_subject(const std::vector<Subject>& subjects, Dice& dice) {
  int weights = 0;
  for (const Subject& subject : subjects) weights += subject.weight;
  int place = dice.below(weights);
  for (const Subject& subject : subjects) {
    if ((place -= subject.weight) < 0) return subject;
  }
  return subjects.front();
}

// Where findings are listed, each subject is done with as soon as something was found.
void run_scripts(Session& admin, std::vector<Subject>& subjects, Run& run, unsigned batch, bool lists) {
  constexpr int kAtOnce = 10;
  for (int i = 0; i < kAtOnce && !subjects.empty() && run.goes_on(); ++i) {
    const unsigned number = run.seed * 1'000'000 + batch * kAtOnce + static_cast<unsigned>(i);
    Dice dice(number);
    const Subject subject = some_subject(subjects, dice);
    const Script script = subject.make(dice);
    ++run.scripts;
    const std::string what = difference(admin, script, &run.tally);
    if (what.empty()) continue;
    int again = 0;
    for (int j = 0; j < 5; ++j) again += !difference(admin, script).empty();
    if (again == 0) {
      std::printf("once, and not again in five runs: %s, dice %u\n%s", subject.name.c_str(), number, what.c_str());
      continue;
    }
    const std::string found = subject.name + ", after " + std::to_string(run.scripts) + " scripts and " +
                              std::to_string(static_cast<int>(run.clock.passed())) + " s, dice " +
                              std::to_string(number);
    if (!lists) fail(found + ":\n" + shown(smallest(admin, script)) + what);
    std::printf("FOUND %s:\n%s%s\n", found.c_str(), shown(script).c_str(), what.c_str());
    std::fflush(stdout);
    std::erase_if(subjects, [&](const Subject& other) { return other.name == subject.name; });
  }
}

}  // namespace

int main(int count, char** arguments) {
  Run run{count > 2 ? static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)) : 1,
          count > 3 ? std::atoi(arguments[3]) : 0, Clock(count > 1 ? std::strtod(arguments[1], nullptr) : 20)};
  std::vector<std::string> named(arguments + std::min(count, 4), arguments + count);
  const bool lists = std::erase(named, "findings") > 0;
  run.previews = std::erase(named, "previews") > 0;
  run.shards = std::erase(named, "shards") > 0;
  const auto is_meant = [&](const std::string& name) {
    return named.empty() || std::ranges::find(named, name) != named.end();
  };
  std::printf("seed %u\n", run.seed);
  const bool queries = is_meant("queries");
  std::vector<Subject> subjects;
  std::ranges::copy_if(kSubjects, std::back_inserter(subjects),
                       [&](const Subject& subject) { return is_meant(subject.name); });
  const bool older = std::ranges::any_of(subjects, [](const Subject& subject) { return subject.name == "values"; });
  if (older) restart_with(kOlderProcessor);
  Session admin;
  set_up(admin);
  set_up_hostile(admin, true);
  const Vocabulary words = vocabulary(admin);
  if (run.previews) {
    std::ifstream file("test/support/previews.sql");
    admin.run({std::istreambuf_iterator<char>(file), {}});
  }
  run.clock.begin();
  for (unsigned batch = 0; run.goes_on() && (queries || !subjects.empty()); ++batch) {
    if (queries) ask_queries(admin, words, run, batch);
    run_scripts(admin, subjects, run, batch, lists);
  }
  require_answers();
  if (older) restart_with("");
  const int of_known = run.tally.compared + run.tally.unanswered;
  std::printf(
      "%d random queries, %d of them answered, %d by joins on another server, %d hostile scripts: nothing differs\n",
      run.asked, run.answered, run.joined, run.scripts);
  std::printf("%d questions whose answer PostgreSQL itself knows, %d of them answered: as it does\n", of_known,
              run.tally.compared);
  require(run.answered * 4 > run.asked || !queries, "too few queries are admitted");
  require(run.joined > 0 || run.asked < 80, "no query was answered by a join on another server");
  require(run.tally.compared * 2 >= of_known, "too few questions are admitted whose answer is known");
}
