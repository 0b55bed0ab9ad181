// The tables of hostile scripts (test/support/fuzz_hostile.h), on both sides: prepared alike but for the unit that is
// missing in `far`.
#pragma once

#include "support/fuzz_hostile.h"

namespace dp::test {

// What is asked about costs nothing at this one, and shows the truth at the other.
inline const std::string kTiny = "1e-9", kExact = "1000";

// t: a row is a unit; the missing one has id 7, and of x = 7 there are 11 or 10. m: texts behind each other, the first
// is missing. slow: takes long to read up to its last row, the missing one. u: a unit with two rows, of a collation
// whose version has changed. w: public.
inline constexpr const char* kHostileTables = R"(
CREATE TABLE t (id int PRIMARY KEY, x int, ill bool, name text, tag name, price float8,
                amount numeric(10, 2), by bytea, moment timestamptz,
                doc jsonb, ip inet, long text);
INSERT INTO t SELECT i, CASE i % 4 WHEN 3 THEN 7 ELSE i % 4 END, i % 3 = 1,
  CASE i WHEN 7 THEN repeat('a', 600) ELSE 'n' || i % 9 END,
  'n' || i % 9, i / 7.0, i / 7.0, decode(lpad(to_hex(i * 7), 4, '0'), 'hex'),
  timestamptz '2024-02-29 12:00+00' + i * interval '1 day',
  CASE i WHEN 7 THEN (repeat('[', 400) || repeat(']', 400))::jsonb
         ELSE jsonb_build_object('k', i % 5, 'a', jsonb_build_array(i, 'x')) END,
  ('10.0.0.' || i)::inet, repeat('ΐ', CASE i WHEN 7 THEN 300 ELSE 3 END)
FROM generate_series(1, 44) i WHERE i <> 7 OR {there};
CREATE TABLE m (tx text COLLATE "C", nm name, ip inet, by bytea);
INSERT INTO m SELECT 'n1' || repeat('x', i % 40), 'n1' || repeat('y', i % 37), ('10.0.' || i % 200 || '.' || i % 9)::inet,
  decode('6e31', 'hex')
FROM generate_series(0, 3000) i WHERE i <> 0 OR {there};
CREATE TABLE slow (id int, v text);
INSERT INTO slow SELECT i, repeat('a', 1000) FROM generate_series(1, 1000) i WHERE i < 1000 OR {there};
CREATE COLLATION changed (provider = icu, locale = 'de', version = '1');
CREATE TABLE u (person text COLLATE changed, v int);
INSERT INTO u SELECT 'p' || i / 2, i FROM generate_series(0, 41) i WHERE i >= 2 OR {there};
CREATE TABLE w (wid int PRIMARY KEY, wname text UNIQUE);
INSERT INTO w SELECT i, 'w' || i FROM generate_series(0, 9) i;
ALTER TABLE t SET (parallel_workers = 2); ALTER TABLE u SET (parallel_workers = 2);
ANALYZE t, m, slow, u, w;
SELECT dp.protect(r, 9e9, 0.5, group_epsilon => 1, group_delta => 1e-9, min_query_epsilon => 1e-9) FROM unnest('{t,m,slow,u}'::regclass[]) r;
SELECT dp.protect('u', 9e9, 0.5, privacy_unit => 'person', max_rows_per_unit => 2, min_query_epsilon => 1e-9);
)";

inline void set_up_hostile(Session& admin, bool leaks) {
  admin.run("SET client_min_messages = error");
  make_role(admin, kHostile);
  for (const std::string& side : {kNear, kFar}) {
    admin.run("CREATE SCHEMA " + side + "; SET search_path = " + side + ", public; GRANT USAGE ON SCHEMA " + side +
              " TO " + kHostile);
    admin.run(with(kHostileTables, "{there}", side == kNear ? "true" : "false"));
    for (const std::string table : {"t", "m", "slow", "u"}) {
      admin.run("SELECT dp.grant_budget('" + table + "', '" + kHostile + "', 9e9, 0.4" +
                (leaks ? ", allow_leaks => true)" : ")"));
    }
    admin.run("GRANT SELECT ON w TO " + std::string(kHostile));
  }
  admin.run("SET search_path = public; RESET client_min_messages");
}

// The role is answered on both sides: it is not that everything is refused that makes them alike.
inline void require_answers() {
  for (const std::string& side : {kNear, kFar}) {
    Session asker(std::string("user=") + kHostile);
    for (const std::string table : {"t", "m", "slow", "u"})
      asker.run("SELECT dp_count('*', " + kTiny + ") FROM " + side + "." + table);
  }
}

// ---- questions ----------------------------------------------------------------------------------------------------

// A condition that only the missing row gets to, or all rows.
inline std::string for_missing(Dice& dice, const std::string& condition) {
  switch (dice.below(4)) {
    case 0:
      return "(id = 7 AND " + condition + ")";
    case 1:
      return "CASE WHEN id = 7 THEN " + condition + " END";
    case 2:
      return "(id <> 7 OR " + condition + ")";
    default:
      return "(" + condition + ")";
  }
}

// A private query over t in which the condition stands somewhere. Its answers differ by at most 1 in all.
inline std::string question(Dice& dice, const std::string& condition) {
  const std::string e = kExact + ")";
  switch (dice.below(9)) {
    case 0:
      return "SELECT dp_count('*', " + e + " FILTER (WHERE " + condition + ") FROM t";
    case 1:
      return "SELECT dp_count(CASE WHEN " + condition + " THEN 1 END, " + e + " FROM t";
    case 2:
      return "SELECT (" + condition + ") AS k, dp_count('*', " + e + " FROM t GROUP BY 1";
    case 3:
      return "SELECT dp_sum(CASE WHEN " + condition + " THEN id ELSE 0 END, 0, 1, " + e + " FROM t";
    case 4:
      return "SELECT dp_count('*', " + e + " FROM (SELECT * FROM t WHERE " + condition + ") AS t";
    case 5:
      return "SELECT dp_count('*', " + e + " FROM t JOIN w ON wid = x AND " + condition;
    default:
      return "SELECT dp_count('*', " + e + " FROM t WHERE " + condition;
  }
}

inline Step asks_question(const std::string& question) { return asks_within(question, 1.01); }

inline const std::string kParallel =
    "SELECT set_config(name, 'on', false) FROM pg_settings "
    "WHERE name IN ('force_parallel_mode', 'debug_parallel_query'); "
    "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET "
    "min_parallel_table_scan_size = 0; "
    "SET enable_indexscan = off; SET enable_bitmapscan = off; SET parallel_leader_participation = off";

// Settings of the asker's under which it is planned and run.
inline Script some_settings(Dice& dice) {
  Script script;
  if (dice.once_in(2)) script.push_back(asks(kParallel));
  if (dice.once_in(4)) script.push_back(asks("SET enable_seqscan = off"));
  if (dice.once_in(6)) script.push_back(asks("SET jit = on; SET jit_above_cost = 0"));
  if (dice.once_in(6))
    script.push_back(asks("SET plan_cache_mode = " + dice.word({"force_generic_plan", "force_custom_plan"})));
  if (dice.once_in(4)) script.push_back(asks("SET client_min_messages = " + dice.word({"log", "debug1", "debug5"})));
  return script;
}

// The question, at once, prepared or declared, while `change` happens: before it runs, while it is planned, or in its
// first branch; by himself or in another session of his.
inline Script question_around(Dice& dice, const std::string& question, const std::string& change) {
  const Step changes = dice.once_in(2) ? asks(change) : beside(change);
  const Step first = asks_question(question);
  switch (dice.below(8)) {
    case 0:
      return {first, changes, first};
    case 1:
      return {asks("PREPARE q AS " + question), changes, asks_question("EXECUTE q")};
    case 2:
      return {asks("BEGIN"), asks("DECLARE c CURSOR FOR " + question), changes, asks_question("FETCH ALL FROM c"),
              asks("ROLLBACK")};
    case 3:
      return {asks("CREATE FUNCTION ddl(command text) RETURNS bool LANGUAGE plpgsql AS 'BEGIN EXECUTE command; RETURN "
                   "false; END'"),
              asks("SELECT 0 WHERE ddl($$" + change + "$$) UNION ALL " + question),
              asks("SELECT * FROM (" + question + ") AS q WHERE ddl($$" + change + "$$)")};
    case 4:
      return {asks(kWaitsAtGate), begins("SELECT waits(), q.* FROM (" + question + ") AS q"), beside(change),
              finishes()};
    default:
      return {asks("PREPARE q AS " + question), asks_question("EXECUTE q"), changes, asks_question("EXECUTE q"),
              asks_question("EXECUTE q")};
  }
}

}  // namespace dp::test
