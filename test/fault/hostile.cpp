// Attacks that once read rows, or told by an error, a message, a plan or an answer whether one row is there, as a role with a budget
// and no privilege (section H of the threats). Each runs on a table and on its neighbour, in a hardened database, and nobody may be
// able to tell the two apart by it, whether it is refused or answered.
//
// Arguments: the numbers of attacks to run (all). With any number of them withstood, the others are named.
#include <set>

#include "support/fuzz_hostile_tables.h"
#include "support/server.h"

using namespace dp::test;

namespace {

struct Attack {
  int number;
  std::string name;
  Script script;
};

const std::string kParallel =
    "SET force_parallel_mode = on; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; "
    "SET enable_indexscan = off; SET enable_bitmapscan = off; SET parallel_leader_participation = off";

std::string count_where(const std::string& condition, const std::string& epsilon = kTiny) {
  return "SELECT dp_count('*', " + epsilon + ") FROM t WHERE " + condition;
}

// ---- what the asker makes ------------------------------------------------------------------------------------------------------

// A function of his that keeps what it sees.
std::string spy(const std::string& name, const std::string& type) {
  return "CREATE TEMP TABLE IF NOT EXISTS seen (v text); CREATE FUNCTION " + name + "(a " + type + ", b " + type +
         ") RETURNS bool LANGUAGE plpgsql AS $$ BEGIN INSERT INTO pg_temp.seen VALUES (a::text); RETURN a IS DISTINCT FROM b; END $$";
}

Script liar(const std::string& schema, const std::string& op, const std::string& function, const std::string& type, const std::string& more) {
  const std::string types = ", LEFTARG = " + type + ", RIGHTARG = " + type;
  return {asks(spy(schema + ".spy", type)),
          asks("CREATE OPERATOR " + schema + "." + op + " (FUNCTION = " + function + types + ", NEGATOR = OPERATOR(" + schema + ".!!!)" + more + ")"),
          asks("CREATE OPERATOR " + schema + ".!!! (FUNCTION = " + schema + ".spy" + types + ", NEGATOR = OPERATOR(" + schema + "." + op + "))")};
}

// Above the noise, run while the rest is planned.
Step sets() {
  return asks("CREATE FUNCTION sets(name text, value text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS "
              "$$ BEGIN PERFORM set_config(name, value, false); RETURN 1; END $$");
}

// Asks from deeper and deeper, until there is no stack left, and tells how far it came. What is asked has been planned before, since
// planning takes more stack than running.
Step dives(const std::string& question) {
  return asks(R"(
CREATE FUNCTION dive(depth int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  IF depth > 0 THEN RETURN dive(depth - 1); END IF;
  PERFORM * FROM ()" + question + R"() AS q;
  RETURN 1;
END $$;
CREATE FUNCTION deepest() RETURNS int LANGUAGE plpgsql AS $$
DECLARE low int := 0; high int := 4000; middle int;
BEGIN
  PERFORM dive(0);
  WHILE high - low > 1 LOOP
    middle := (low + high) / 2;
    BEGIN PERFORM dive(middle); low := middle; EXCEPTION WHEN OTHERS THEN high := middle; END;
  END LOOP;
  RETURN low;
END $$)");
}

// ---- the attacks ---------------------------------------------------------------------------------------------------------------

void add_operators(std::vector<Attack>& attacks) {
  const Step seen = reads("SELECT DISTINCT v FROM pg_temp.seen ORDER BY 1");
  const std::string people = "dp_concat(name, ill::text)";
  for (const std::string& question : std::vector<std::string>{
           count_where("NOT (" + people + " OPERATOR(pg_temp.=~~~) '')"),
           "SELECT dp_count('*', 1e-9) FILTER (WHERE NOT (" + people + " OPERATOR(pg_temp.=~~~) '')) FROM t",
           "SELECT dp_sum(CASE WHEN NOT (" + people + " OPERATOR(pg_temp.=~~~) '') THEN 1 ELSE 0 END, 0, 1, 1e-9) FROM t",
           "SELECT NOT (" + people + " OPERATOR(pg_temp.=~~~) ''), dp_count('*', 1e-9) FROM t GROUP BY 1",
           "SELECT dp_count('*', 1e-9) FROM t JOIN w ON wid = x AND NOT (" + people + " OPERATOR(pg_temp.=~~~) '')"}) {
    attacks.push_back({1, "a lying negator", liar("pg_temp", "=~~~", "texteq", "text", "") + Script{asks(question), seen}});
  }
  attacks.push_back({1, "a lying negator of =, found by search_path",
                     Script{asks("SET search_path = {side}_own, {side}, public, pg_catalog"),
                            asks(spy("spy", "int")),
                            asks("CREATE OPERATOR = (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int, NEGATOR = <>)"),
                            asks("CREATE OPERATOR <> (FUNCTION = spy, LEFTARG = int, RIGHTARG = int, NEGATOR = =)"),
                            asks(count_where("NOT (id = 3)")), seen}});
}

void add_denied(std::vector<Attack>& attacks) {
  const std::string denied = "SELECT id FROM t WHERE x = 7";
  const Step show = asks("SET client_min_messages = log; SET debug_print_plan = on");
  attacks.push_back({2, "the plan of a denied statement is printed", {show, asks(denied)}});
  attacks.push_back({2, "the plan of a denied statement is printed by dp.admissible", {show, asks("SELECT dp.admissible($$ " + denied + " $$, 'hostile_asker')")}});
  attacks.push_back({2, "the plan of a denied statement is printed by dp.cost", {show, asks("SELECT dp.cost($$ " + denied + " $$)")}});
  attacks.push_back({2, "the plan of a denied statement is printed by EXPLAIN and CREATE TABLE AS",
                     {show, asks("EXPLAIN " + denied), asks("CREATE TEMP TABLE copied AS " + denied), asks("DECLARE c CURSOR WITH HOLD FOR " + denied)}});
  // How many rows he has of 7 decides which plan is the cheaper one.
  Script counts{asks("CREATE FUNCTION costly(v int) RETURNS bool LANGUAGE plpgsql IMMUTABLE COST 1000000 AS 'BEGIN RETURN true; END'")};
  for (int sevens = 10; sevens <= 30; ++sevens) {
    const std::string n = std::to_string(sevens);
    counts = counts + Script{asks("CREATE TEMP TABLE mine" + n + " AS SELECT CASE WHEN i <= " + n + " THEN 7 ELSE i % 2 END AS y FROM generate_series(1, 60) i; ANALYZE mine" + n),
                             asks("PREPARE bisect" + n + "(int) AS SELECT costly(id) FROM t WHERE x = $1 UNION ALL SELECT costly(y) FROM mine" + n + " WHERE y = $1")};
    for (int i = 0; i < 7; ++i) counts.push_back(asks("EXECUTE bisect" + n + "(7)"));
  }
  attacks.push_back({2, "the choice of plans for a denied statement", counts});
}

void add_objects(std::vector<Attack>& attacks) {
  const Step mood = asks("CREATE TYPE mood AS ENUM ('sad', 'happy')");
  const std::string question = count_where("(CASE WHEN id = 7 THEN 'sad'::mood END)::text = 'sad'");
  attacks.push_back({3, "an enum dropped between PREPARE and EXECUTE",
                     {mood, asks("PREPARE q AS " + question), asks("EXECUTE q"), asks("DROP TYPE mood"), asks("EXECUTE q")}});
  attacks.push_back({3, "an enum dropped by another session between DECLARE and FETCH",
                     {mood, asks("BEGIN"), asks("DECLARE c CURSOR FOR " + question),
                      beside("DROP TYPE mood"),
                      asks("FETCH ALL FROM c"), asks("ROLLBACK")}});
  attacks.push_back({4, "a collation that warns at the first row, in a worker",
                     {asks("CREATE COLLATION c (provider = icu, locale = 'de', version = '1')"), asks(kParallel), asks(count_where("CASE WHEN id = 7 THEN name < 'z' COLLATE c END"))}});
  attacks.push_back({4, "a collation dropped by another session between DECLARE and FETCH, in a worker",
                     {asks("CREATE COLLATION c (provider = icu, locale = 'de')"), asks(kParallel),
                      asks("BEGIN"),
                      asks("DECLARE q CURSOR FOR " + count_where("CASE WHEN id = 7 THEN name < 'z' COLLATE c END")), beside("DROP COLLATION c"), asks("FETCH ALL FROM q"), asks("ROLLBACK")}});
  for (const std::string question : {"SELECT dp_count(v, 1e-9) FROM u WHERE v < 2", "SELECT v = 1, dp_sum(v, 0, 1, 1e-9) FROM u WHERE v < 2 GROUP BY 1",
                                     "SELECT dp_count('*', 1e-9) FROM u WHERE CASE WHEN v < 2 THEN person < 'z' END"}) {
    attacks.push_back({4, "the collation of the unit warns at the first row, in a worker", {asks(kParallel + "; SET enable_sort = off"), asks(question)}});
  }
}

void add_sizes(std::vector<Attack>& attacks) {
  const std::string large = "repeat('x', 140000000)";
  attacks.push_back({5, "a constant of 140 MB and a workspace of eight times that", {asks(count_where("btrim(CASE WHEN id = 7 THEN " + large + " END, 'q') = 'y'"))}});
  attacks.push_back({5, "a parameter of 140 MB", {asks("PREPARE q(text, int) AS " + count_where("btrim(CASE WHEN id = $2 THEN $1 END, 'q') = 'y'")), asks("EXECUTE q(" + large + ", 7)")}});
  std::string grown = "CASE WHEN id = 7 THEN repeat('ΐ', 1000) ELSE '' END";
  for (int i = 0; i < 11; ++i) grown = "translate(upper(" + grown + " COLLATE \"und-x-icu\"), upper('ΐ' COLLATE \"und-x-icu\"), 'ΐΐΐ')";
  attacks.push_back({5, "texts that grow threefold at each step", {asks(count_where("btrim(" + grown + ", 'q') = 'y'"))}});
}

void add_settings(std::vector<Attack>& attacks) {
  const std::string changing = "SELECT sets('extra_float_digits', '0'), dp_count('*', 1e-9) FROM t WHERE ";
  const std::string zero = "(length((0.1::float8 + 0.2::float8)::text) - 3)";
  const Step at_first = asks("SET extra_float_digits = 1");
  attacks.push_back({6, "digits shown change while it is planned: a division by zero", {sets(), at_first, asks(changing + "CASE WHEN id = 7 THEN id % " + zero + " END = 1")}});
  attacks.push_back({6, "digits shown change while it is planned: LIKE ends with an escape",
                     {sets(), at_first, asks(changing + "id = 7 AND name LIKE left(E'aaa\\\\\\\\', 3 + CASE WHEN " + zero + " = 0 THEN 1 ELSE 0 END)")}});
  attacks.push_back({6, "bytea_output changes while it is planned",
                     {sets(), asks("SET bytea_output = hex"),
                      asks("SELECT sets('bytea_output', 'escape'), dp_count('*', 1e-9) FROM t WHERE CASE WHEN id = 7 THEN id % (length('\\x6161'::bytea::text) - 2) END = 1")}});
}

void add_stack(std::vector<Attack>& attacks) {
  std::string pattern;
  for (int i = 0; i < 490; ++i) pattern += "%a";
  for (const std::string& condition : std::vector<std::string>{"name LIKE '" + pattern + "'", "id <> 7 OR name LIKE '" + pattern + "'"}) {
    attacks.push_back({7, "LIKE near the end of the stack", {dives(count_where(condition)), reads("SELECT deepest()")}});
  }
}

void add_catalogue(std::vector<Attack>& attacks) {
  for (const std::string test : {"has_table_privilege('flip', 'select')", "row_security_active('flip')", "pg_get_viewdef('flip') = ''"}) {
    const std::string question = "SELECT dp_count('*', 1e-9) FROM slow WHERE CASE WHEN id = 1000 THEN " + test + " ELSE " + slow_condition() + " END";
    attacks.push_back({8, "what " + test + " reads is dropped before a worker gets there",
                       {asks("CREATE VIEW flip AS SELECT 1 AS one"), asks(kParallel), begins_to_pay(question), beside("DROP VIEW flip"), finishes()}});
  }
}

void add_memory(std::vector<Attack>& attacks) {
  for (const std::string call : {"bttextnamecmp(tx, 'nz')", "btnametextcmp(nm, 'nz')", "bttextcmp(tx, 'nz')", "btnamecmp(nm, 'nz')", "byteacmp(by, 'nz')"}) {
    attacks.push_back({9, "the value of " + call + " depends on where the row lies", {asks_within("SELECT dp_sum(" + call + ", -200, 0, 100000) FROM m", 201)}});
  }
}

void add_facts(std::vector<Attack>& attacks) {
  const Script parent{
      curates("CREATE TABLE visits (person int, k int, UNIQUE (person, k)) PARTITION BY LIST (k); CREATE TABLE visits_1 PARTITION OF visits (UNIQUE (person)) "
              "FOR VALUES IN (1); INSERT INTO visits SELECT i, 1 FROM generate_series(2, 40) i"),
      curates("CREATE TABLE stays (person int PRIMARY KEY); INSERT INTO stays SELECT generate_series(2, 40); CREATE TABLE stays_more (person int NOT NULL); "
              "INSERT INTO stays_more SELECT 1 FROM generate_series(1, 1000) WHERE {there}"),
      curates("SELECT dp.protect('stays', 1e9, privacy_unit => 'person'), dp.grant_budget('stays', 'hostile_asker', 1e9)")};
  attacks.push_back({10, "a child inherits while a function of his holds planning open",
                     parent + Script{asks("CREATE FUNCTION waits() RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM pg_sleep(1); PERFORM count(*) FROM pg_class; RETURN 1; END'"),
                                     begins("CREATE TEMP TABLE answer AS SELECT waits(), dp_count('*', 1000) AS n FROM stays"),
                                     curates("ALTER TABLE stays_more INHERIT stays"), finishes(), asks_within("SELECT n FROM pg_temp.answer", 1),
                                     curates("SELECT dp.unprotect('stays'); DROP TABLE visits, stays CASCADE; DROP TABLE IF EXISTS stays_more")}});
  // The rows of person 1 that the snapshot sees in the partition are gone when it is attached.
  attacks.push_back(
      {10, "an older snapshot, and a partition attached later",
       {curates("CREATE TABLE stays (person int, k int) PARTITION BY LIST (person); CREATE TABLE stays_1 PARTITION OF stays (person PRIMARY KEY) FOR VALUES IN (2, 3, 4); "
                "INSERT INTO stays SELECT i, 1 FROM generate_series(2, 4) i; CREATE UNIQUE INDEX ON stays (person); CREATE TABLE stays_2 (person int NOT NULL, k int); "
                "INSERT INTO stays_2 SELECT 1, i FROM generate_series(1, 1000) i WHERE {there}"),
        curates("SELECT dp.protect('stays', 1e9, privacy_unit => 'person'), dp.grant_budget('stays', 'hostile_asker', 1e9)"), asks("BEGIN ISOLATION LEVEL REPEATABLE READ"),
        asks("SELECT 1"), curates("DELETE FROM stays_2; ALTER TABLE stays_2 ADD PRIMARY KEY (person); ALTER TABLE stays ATTACH PARTITION stays_2 FOR VALUES IN (1)"),
        asks_within("SELECT dp_count('*', 1000) FROM stays", 1), asks("ROLLBACK"), curates("SELECT dp.unprotect('stays'); DROP TABLE stays CASCADE; DROP TABLE IF EXISTS stays_2")}});
}

// glibc compares bytes in several ways, chosen by the processor. Without AVX512VL the value it returns depends on where a page ends.
void restart_without_avx512() {
  const Server server;
  server.stop();
  setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX512VL", 1);
  server.start();
  unsetenv("GLIBC_TUNABLES");
}

// ---- the extension that comes later --------------------------------------------------------------------------------------------

bool withstands_extension(Session& admin) {
  admin.run("CREATE EXTENSION pg_stat_statements");
  Session asker(std::string("user=") + kHostile);
  const std::string may = admin.value("SELECT has_table_privilege('hostile_asker', 'pg_stat_statements', 'select') AND "
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
  restart_without_avx512();
  Session admin;
  admin.run("SELECT dp.harden()");
  set_up_hostile(admin, false);
  std::vector<Attack> attacks;
  for (const auto add : {add_operators, add_denied, add_objects, add_sizes, add_settings, add_stack, add_catalogue, add_memory, add_facts}) add(attacks);
  int withstood = 0, failed = 0;
  for (const Attack& attack : attacks) {
    if (!is_chosen(attack.number)) continue;
    const auto begin = std::chrono::steady_clock::now();
    const std::string what = difference(admin, attack.script);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%2d %s: %s (%.1f s)\n", attack.number, attack.name.c_str(), what.empty() ? "withstood" : "SUCCEEDS", seconds);
    if (!what.empty()) std::printf("%s\n", what.substr(0, 1500).c_str());
    std::fflush(stdout);
    ++(what.empty() ? withstood : failed);
  }
  if (is_chosen(11)) {
    const bool holds = withstands_extension(admin);
    std::printf("11 an extension created after the database was hardened: %s\n", holds ? "withstood" : "SUCCEEDS");
    ++(holds ? withstood : failed);
  }
  std::printf("%d withstood, %d succeed\n", withstood, failed);
  require(failed == 0 && withstood > 0, "attacks that succeed");
}
