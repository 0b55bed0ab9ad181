// Hostile scripts about what is denied: raw statements, of which planning, printing or counting plans must tell
// nothing.
#pragma once

#include "support/fuzz_hostile_tables.h"

namespace dp::test {

// Whether the generic plan is the cheaper one depends on how many rows of his own have the value, and on how many of t.
inline Script bisects(const std::string& condition, int own) {
  const std::string n = std::to_string(own);
  Script script{asks("CREATE TEMP TABLE mine" + n + " AS SELECT CASE WHEN i <= " + n +
                     " THEN 7 ELSE i % 2 END AS y FROM generate_series(1, 60) i; ANALYZE mine" + n),
                asks("PREPARE bisect" + n + "(int) AS SELECT costly(id) FROM t WHERE " + condition +
                     " UNION ALL SELECT costly(y) FROM mine" + n + " WHERE y = $1")};
  for (int i = 0; i < 7; ++i) script.push_back(asks("EXECUTE bisect" + n + "(7)"));
  return script;
}

inline Step makes_costly() {
  return asks(
      "CREATE FUNCTION costly(v int) RETURNS bool LANGUAGE plpgsql IMMUTABLE COST 1000000 AS 'BEGIN RETURN true; END'");
}

// Of a prepared statement, which is denied each time.
inline Script choices(Dice& dice) {
  return Script{makes_costly()} +
         bisects(dice.word({"x = $1", "id = $1", "x < $1", "x = $1 AND ill", "x IN ($1, 8)", "name = 'n' || $1"}),
                 5 + dice.below(40));
}

inline Script denied(Dice& dice) {
  const std::string condition =
      dice.word({"x = 7", "x = 7 AND ill", "id = 7", "x < 7", "id BETWEEN 5 AND 9", "name = 'n1'", "name LIKE 'n%'",
                 "length(name) = 600", "name = repeat('a', 600)", "x IN (7, 3)", "price > 1", "doc @> '[]'", "ill",
                 "ctid = '(0,7)'", "x = (SELECT 7)", "x = ANY ('{7,8}')", "id = (SELECT max(wid) FROM w)", "true"});
  const std::string join =
      dice.word({"", "", " JOIN w ON wid = x", " JOIN mine ON y = x", " NATURAL JOIN (SELECT 7 AS x) AS s"});
  const std::string from = " FROM t" + join + " WHERE " + condition;
  const std::string read =
      dice.word({"SELECT id" + from, "SELECT count(*)" + from, "SELECT x, count(*)" + from + " GROUP BY x",
                 "SELECT min(id), max(id)" + from, "SELECT DISTINCT x" + from + " ORDER BY x LIMIT 3",
                 "SELECT (SELECT count(*)" + from + ")", "WITH c AS (SELECT *" + from + ") SELECT * FROM c",
                 "SELECT 1 WHERE EXISTS (SELECT" + from + ")", "SELECT * FROM t TABLESAMPLE SYSTEM (50)",
                 "SELECT dp_count('*', 1000), (SELECT count(*)" + from + ") FROM t",
                 "SELECT dp_count('*', 1000) + 0 * (SELECT count(*)" + from + ") FROM u",
                 "SELECT * FROM mine, LATERAL (SELECT count(*)" + from + " AND x = y) AS l",
                 "SELECT y FROM mine WHERE y IN (SELECT x" + from + ")", "SELECT id" + from + " FOR UPDATE OF t",
                 "SELECT * FROM inlined()", "SELECT * FROM hidden WHERE " + with(condition, "ctid", "id::text"),
                 "TABLE t", "SELECT id, row_number() OVER ()" + from});
  Script script{
      makes_costly(),
      asks(
          "CREATE TEMP TABLE mine AS SELECT i % 9 AS y FROM generate_series(1, 90) i; ANALYZE mine; CREATE VIEW hidden "
          "AS SELECT * FROM t"),
      asks("CREATE FUNCTION inlined() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT id" + with(from, "'", "''") +
           "'"),
      asks("SET client_min_messages = " + dice.word({"notice", "log", "debug1", "debug5"}))};
  for (const std::string setting : {"debug_print_plan", "debug_print_parse", "debug_print_rewritten", "enable_seqscan",
                                    "jit", "debug_pretty_print", "trace_sort", "log_planner_stats"}) {
    if (dice.once_in(3)) script.push_back(asks("SET " + setting + " = " + dice.word({"on", "off"})));
  }
  switch (dice.below(8)) {
    case 0:
      return script + Script{asks("EXPLAIN (VERBOSE) " + read), asks("EXPLAIN (ANALYZE, TIMING OFF) " + read),
                             asks("EXPLAIN (GENERIC_PLAN) " + read)};
    case 1:
      return script + Script{asks("CREATE TEMP TABLE copied AS " + read),
                             asks("CREATE MATERIALIZED VIEW kept AS " + read), asks("BEGIN"),
                             asks("DECLARE c CURSOR FOR " + read), asks("ROLLBACK")};
    case 2:
      return script + Script{asks("SELECT dp.admissible($$ " + read + " $$, 'hostile_asker')"),
                             asks("SELECT dp.cost($$ " + read + " $$)")};
    case 3:
      return script +
             Script{asks("DO $d$ BEGIN PERFORM * FROM (" + read +
                         ") AS q; EXCEPTION WHEN insufficient_privilege THEN RAISE NOTICE '%', sqlerrm; END $d$")};
    case 4: {
      script.push_back(asks("PREPARE q AS " + read));
      for (int i = 0; i < 3; ++i) script.push_back(asks("EXECUTE q"));
      return script;
    }
    case 5:
      return script + Script{asks("INSERT INTO mine " + read),
                             asks("UPDATE mine SET y = 0 FROM t WHERE y = x AND " + condition),
                             asks("DELETE FROM mine USING t WHERE y = x AND " + condition),
                             asks("MERGE INTO mine USING t ON y = x AND " + condition + " WHEN MATCHED THEN DELETE"),
                             asks("UPDATE t SET x = 0 WHERE " + condition),
                             asks("DELETE FROM t WHERE " + condition),
                             asks("LOCK TABLE t IN ACCESS SHARE MODE"),
                             asks("ANALYZE VERBOSE t"),
                             asks("CREATE INDEX ON t (x)"),
                             asks("EXPLAIN DELETE FROM t WHERE " + condition)};
    default:
      return script + Script{asks(read), asks("EXPLAIN " + read)};
  }
}

}  // namespace dp::test
