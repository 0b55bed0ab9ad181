// Attacks that once read rows, or told by an error, a message, a plan or an answer whether one row is there, as a role
// with a budget and no privilege (section H of docs/internals/threats.md). Each runs on a table and on its neighbour,
// in a hardened database, and nobody may be able to tell the two apart by it, whether it is refused or answered.
//
// Arguments: the numbers of attacks to run (all). Those that succeed are named, with what told the sides apart.
#include <set>

#include "support/fuzz_hostile_all.h"

using namespace dp::test;

namespace {

struct Attack {
  int number;
  std::string name;
  Script script;
};

std::string count_where(const std::string& condition) {
  return "SELECT dp_count('*', " + kTiny + ") FROM t WHERE " + condition;
}

// ---- the attacks --------------------------------------------------------------------------------------------------

void add_operators(std::vector<Attack>& attacks) {
  const Step seen = reads_seen();
  const std::string people = "dp_concat(name, ill::text)";
  for (const std::string& question : std::vector<std::string>{
           count_where("NOT (" + people + " OPERATOR(pg_temp.=~~~) '')"),
           "SELECT dp_count('*', 1e-9) FILTER (WHERE NOT (" + people + " OPERATOR(pg_temp.=~~~) '')) FROM t",
           "SELECT dp_sum(CASE WHEN NOT (" + people +
               " OPERATOR(pg_temp.=~~~) '') THEN 1 ELSE 0 END, 0, 1, 1e-9) FROM t",
           "SELECT NOT (" + people + " OPERATOR(pg_temp.=~~~) ''), dp_count('*', 1e-9) FROM t GROUP BY 1",
           "SELECT dp_count('*', 1e-9) FROM t JOIN w ON wid = x AND NOT (" + people + " OPERATOR(pg_temp.=~~~) '')"}) {
    attacks.push_back(
        {1, "a lying negator", makes_liar("pg_temp", "=~~~", "texteq", "text") + Script{asks(question), seen}});
  }
  attacks.push_back({1, "a lying negator of =, found by search_path",
                     Script{asks("SET search_path = {side}_own, {side}, public, pg_catalog")} +
                         makes_liar("{side}_own", "=", "int4eq", "int") +
                         Script{asks(count_where("NOT (id = 3)")), seen}});
}

void add_denied(std::vector<Attack>& attacks) {
  const std::string denied = "SELECT id FROM t WHERE x = 7";
  const Step show = asks("SET client_min_messages = log; SET debug_print_plan = on");
  attacks.push_back({2, "the plan of a denied statement is printed", {show, asks(denied)}});
  attacks.push_back({2,
                     "the plan of a denied statement is printed by dp.admissible",
                     {show, asks("SELECT dp.admissible($$ " + denied + " $$, 'hostile_asker')")}});
  attacks.push_back({2,
                     "the plan of a denied statement is printed by dp.cost",
                     {show, asks("SELECT dp.cost($$ " + denied + " $$)")}});
  attacks.push_back({2,
                     "the plan of a denied statement is printed by EXPLAIN and CREATE TABLE AS",
                     {show, asks("EXPLAIN " + denied), asks("CREATE TEMP TABLE copied AS " + denied),
                      asks("DECLARE c CURSOR WITH HOLD FOR " + denied)}});
  // How many rows he has of 7 decides which plan is the cheaper one.
  Script counts{makes_costly()};
  for (int own = 10; own <= 30; ++own) counts = counts + bisects("x = $1", own);
  attacks.push_back({2, "the choice of plans for a denied statement", counts});
}

void add_objects(std::vector<Attack>& attacks) {
  const Step mood = asks("CREATE TYPE mood AS ENUM ('sad', 'happy')");
  const std::string question = count_where("(CASE WHEN id = 7 THEN 'sad'::mood END)::text = 'sad'");
  attacks.push_back(
      {3,
       "an enum dropped between PREPARE and EXECUTE",
       {mood, asks("PREPARE q AS " + question), asks("EXECUTE q"), asks("DROP TYPE mood"), asks("EXECUTE q")}});
  attacks.push_back({3,
                     "an enum dropped by another session between DECLARE and FETCH",
                     {mood, asks("BEGIN"), asks("DECLARE c CURSOR FOR " + question), beside("DROP TYPE mood"),
                      asks("FETCH ALL FROM c"), asks("ROLLBACK")}});
  attacks.push_back({4,
                     "a collation that warns at the first row, in a worker",
                     {asks("CREATE COLLATION c (provider = icu, locale = 'de', version = '1')"), asks(kParallel),
                      asks(count_where("CASE WHEN id = 7 THEN name < 'z' COLLATE c END"))}});
  attacks.push_back({4,
                     "a collation dropped between two EXECUTE, in a worker",
                     {asks("CREATE COLLATION c (provider = icu, locale = 'de')"), asks(kParallel),
                      asks("PREPARE q AS SELECT CASE WHEN id = 7 THEN tag < 'z' COLLATE c END AS k, dp_count('*', "
                           "1e-9) FROM t GROUP BY 1"),
                      asks("EXECUTE q"), asks("DROP COLLATION c"), asks("EXECUTE q")}});
  for (const std::string question : {"SELECT dp_count(v, 1e-9) FROM u WHERE v < 2",
                                     "SELECT v = 1, dp_sum(v, 0, 1, 1e-9) FROM u WHERE v < 2 GROUP BY 1",
                                     "SELECT dp_count('*', 1e-9) FROM u WHERE CASE WHEN v < 2 THEN person < 'z' END"}) {
    attacks.push_back({4,
                       "the collation of the unit warns at the first row, in a worker",
                       {asks(kParallel + "; SET enable_sort = off"), asks(question)}});
  }
}

void add_sizes(std::vector<Attack>& attacks) {
  const std::string large = "repeat('x', 140000000)";
  attacks.push_back({5,
                     "a constant of 140 MB and a workspace of eight times that",
                     {asks(count_where("btrim(CASE WHEN id = 7 THEN " + large + " END, 'q') = 'y'"))}});
  attacks.push_back({5,
                     "a parameter of 140 MB",
                     {asks("PREPARE q(text, int) AS " + count_where("btrim(CASE WHEN id = $2 THEN $1 END, 'q') = 'y'")),
                      asks("EXECUTE q(" + large + ", 7)")}});
  attacks.push_back({5,
                     "texts that grow threefold at each step",
                     {asks(count_where("btrim(" + grown("CASE WHEN id = 7 THEN repeat('ΐ', 1000) ELSE '' END", 11) +
                                       ", 'q') = 'y'"))}});
}

void add_rows(std::vector<Attack>& attacks) {
  const auto many = [](int count, const std::string& begin, const std::string& end) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + begin + std::to_string(i) + end;
    return list;
  };
  const std::string counts = many(1000, "dp_count('*', 1e-9) FILTER (WHERE v = ", ")");
  attacks.push_back({18,
                     "more columns than a row can have, below counts by conditions",
                     {asks("SELECT " + counts + " FROM u WHERE v < 2"), asks("SELECT dp_count(v, 1e-9) FROM u")}});
  attacks.push_back({18,
                     "more answers than a row can have columns",
                     {asks("SELECT ARRAY[" + many(2000, "dp_count(v + ", ", 1e-9)") + "] FROM u WHERE v < 2"),
                      asks("SELECT dp_count(v, 1e-9) FROM u")}});
  attacks.push_back({18,
                     "more bytes than a row can have, in histograms",
                     {asks("SELECT " + many(700, "dp_histogram(v, 0, 9", ", 100000, 1e-9)") + " FROM u WHERE v < 2"),
                      asks("SELECT dp_count(v, 1e-9) FROM u")}});
}

void add_settings(std::vector<Attack>& attacks) {
  const std::string changing = "SELECT sets('extra_float_digits', '0'), dp_count('*', 1e-9) FROM t WHERE ";
  const std::string zero = "(length((0.1::float8 + 0.2::float8)::text) - 3)";
  const Step at_first = asks("SET extra_float_digits = 1");
  attacks.push_back({6,
                     "digits shown change while it is planned: a division by zero",
                     {makes_setter(), at_first, asks(changing + "CASE WHEN id = 7 THEN id % " + zero + " END = 1")}});
  attacks.push_back({6,
                     "digits shown change while it is planned: LIKE ends with an escape",
                     {makes_setter(), at_first,
                      asks(changing + "id = 7 AND name LIKE left(E'aaa\\\\\\\\', 3 + CASE WHEN " + zero +
                           " = 0 THEN 1 ELSE 0 END)")}});
  attacks.push_back(
      {6,
       "bytea_output changes while it is planned",
       {makes_setter(), asks("SET bytea_output = hex"),
        asks("SELECT sets('bytea_output', 'escape'), dp_count('*', 1e-9) FROM t WHERE CASE WHEN id = 7 THEN id % "
             "(length('\\x6161'::bytea::text) - 2) END = 1")}});
}

void add_stack(std::vector<Attack>& attacks) {
  const std::string pattern = repeated("%a", 490);
  for (const std::string& condition :
       std::vector<std::string>{"name LIKE '" + pattern + "'", "id <> 7 OR name LIKE '" + pattern + "'"}) {
    attacks.push_back(
        {7, "LIKE near the end of the stack", {makes_deepest(count_where(condition)), reads("SELECT deepest()")}});
  }
}

void add_catalogue(std::vector<Attack>& attacks) {
  for (const std::string test :
       {"has_table_privilege('flip', 'select')", "row_security_active('flip')", "pg_get_viewdef('flip') = ''"}) {
    attacks.push_back({8,
                       "what " + test + " reads is dropped before a worker gets there",
                       {asks("CREATE VIEW flip AS SELECT 1 AS one"), asks(kParallel),
                        begins_to_pay(counts_slow(test, kTiny)), beside("DROP VIEW flip"), finishes()}});
  }
}

void add_memory(std::vector<Attack>& attacks) {
  for (const std::string call : {"bttextnamecmp(tx, 'nz')", "btnametextcmp(nm, 'nz')", "bttextcmp(tx, 'nz')",
                                 "btnamecmp(nm, 'nz')", "byteacmp(by, 'nz')"}) {
    attacks.push_back({9,
                       "the value of " + call + " depends on where the row lies",
                       {asks_within("SELECT dp_sum(" + call + ", -200, 0, 100000) FROM m", 201)}});
  }
}

void add_facts(std::vector<Attack>& attacks) {
  attacks.push_back({10,
                     "a child inherits while a function of his holds planning open",
                     {makes_stays(false), takes_one_row(), makes_waits(),
                      begins("CREATE TEMP TABLE answer AS SELECT waits(), dp_count('*', 1000) AS n FROM stays"),
                      curates(kInherits), finishes(), asks_within("SELECT n FROM pg_temp.answer", 1), drops_stays()}});
  // The rows of the missing unit that the snapshot sees in the partition are gone when it is attached.
  attacks.push_back(
      {10,
       "an older snapshot, and a partition attached later",
       {makes_stays(true), takes_one_row(), asks("BEGIN ISOLATION LEVEL REPEATABLE READ"), asks("SELECT 1"),
        curates(kAttaches), asks_within("SELECT dp_count('*', 1000) FROM stays", 1), asks("ROLLBACK"), drops_stays()}});
}

// ---- the extension that comes later -------------------------------------------------------------------------------

bool withstands_extension(Session& admin) {
  admin.run("CREATE EXTENSION pg_stat_statements");
  Session asker(std::string("user=") + kHostile);
  const std::string may = admin.value(
      "SELECT has_table_privilege('hostile_asker', 'pg_stat_statements', 'select') AND "
      "has_function_privilege('hostile_asker', 'pg_stat_statements(boolean)', 'execute')");
  const Result answer = asker.attempt("SELECT dp_count('*', 1e-9) FROM side_a.t");
  admin.run("DROP EXTENSION pg_stat_statements");
  return may == "f" || !answer.ok();
}

}  // namespace

int main(int count, char** arguments) {
  std::set<int> chosen;
  for (int i = 1; i < count; ++i) chosen.insert(std::atoi(arguments[i]));
  const auto is_chosen = [&](int number) { return chosen.empty() || chosen.contains(number); };
  restart_with(kOlderProcessor);
  Session admin;
  admin.run("SELECT dp.harden()");
  set_up_hostile(admin, false);
  require_answers();
  std::vector<Attack> attacks;
  for (const auto add : {add_operators, add_denied, add_objects, add_sizes, add_rows, add_settings, add_stack,
                         add_catalogue, add_memory, add_facts})
    add(attacks);
  int withstood = 0, failed = 0;
  for (const Attack& attack : attacks) {
    if (!is_chosen(attack.number)) continue;
    const auto begin = std::chrono::steady_clock::now();
    const std::string what = difference(admin, attack.script);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%2d %s: %s (%.1f s)\n", attack.number, attack.name.c_str(), what.empty() ? "withstood" : "SUCCEEDS",
                seconds);
    if (!what.empty()) std::printf("%s\n", what.substr(0, 1500).c_str());
    std::fflush(stdout);
    ++(what.empty() ? withstood : failed);
  }
  require_answers();
  if (is_chosen(11)) {
    const bool holds = withstands_extension(admin);
    std::printf("11 an extension created after the database was hardened: %s\n", holds ? "withstood" : "SUCCEEDS");
    ++(holds ? withstood : failed);
  }
  restart_with("");
  std::printf("%d withstood, %d succeed\n", withstood, failed);
  require(failed == 0 && withstood > 0, "attacks that succeed");
}
