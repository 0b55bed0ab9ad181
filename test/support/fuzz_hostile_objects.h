// Hostile scripts about types, casts, SQL functions, views and collations of the asker's: named in a question, and
// dropped or altered before it runs, while it is planned, or in its first branch.
#pragma once

#include "support/fuzz_hostile_tables.h"

namespace dp::test {

struct Made {
  std::vector<std::string> create;
  std::vector<std::string> conditions;
  std::vector<std::string> changes;
};

inline const std::vector<Made> kTypes = {
    {{"CREATE TYPE mood AS ENUM ('sad', 'happy')"},
     {"(CASE WHEN id = 7 THEN 'sad'::mood END)::text = 'sad'",
      "(CASE WHEN id = 7 THEN 'sad'::mood ELSE 'happy' END) = 'sad'",
      "nullif('sad'::mood, CASE WHEN id = 7 THEN 'happy'::mood END) IS NULL",
      "greatest('sad'::mood, CASE WHEN id = 7 THEN 'happy'::mood END) > 'sad'",
      "(CASE WHEN id = 7 THEN 'sad'::mood END) = ANY (ARRAY['sad', 'happy']::mood[])",
      "CASE WHEN id = 7 THEN 'sad'::mood < 'happy'::mood END", "name = 'sad'::mood::text",
      "width_bucket(CASE WHEN id = 7 THEN 'sad'::mood END, ARRAY['sad', 'happy']::mood[]) = 1",
      "CASE WHEN id = 7 THEN enum_first(NULL::mood) END = 'sad'",
      "array_length(CASE WHEN id = 7 THEN '{sad}'::mood[] END, 1) = 1"},
     {"DROP TYPE mood", "DROP TYPE mood CASCADE", "ALTER TYPE mood RENAME VALUE 'sad' TO 'glad'",
      "ALTER TYPE mood ADD VALUE 'zz' BEFORE 'sad'", "ALTER TYPE mood RENAME TO gloom"}},
    {{"CREATE TYPE span AS RANGE (subtype = int4)"},
     {"CASE WHEN id = 7 THEN span(1, 9) END = span(1, 9)", "id <@ span(1, 9)",
      "(CASE WHEN id = 7 THEN span(1, 9) END)::text = ''", "CASE WHEN id = 7 THEN '[1,9)'::span END IS NULL",
      "CASE WHEN id = 7 THEN '[1,9)'::span > '[1,2)'::span END"},
     {"DROP TYPE span", "ALTER TYPE span RENAME TO spain"}},
    {{"CREATE TYPE pair AS (a int, b text)"},
     {"CASE WHEN id = 7 THEN ROW(1, 'a')::pair END = ROW(1, 'a')::pair",
      "(CASE WHEN id = 7 THEN ROW(1, 'a')::pair END)::text = ''", "CASE WHEN id = 7 THEN '(1,a)'::pair END IS NULL",
      "(CASE WHEN id = 7 THEN '(1,a)'::pair END).a = 1", "ROW(id, name)::pair = ROW(7, 'a')::pair",
      "ROW(id, name) < ROW(7, 'a')"},
     {"DROP TYPE pair", "ALTER TYPE pair ADD ATTRIBUTE c int", "ALTER TYPE pair DROP ATTRIBUTE b",
      "ALTER TYPE pair ALTER ATTRIBUTE a TYPE text"}},
    {{"CREATE FUNCTION noisy(v text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'saw %', v; "
      "RETURN true; END "
      "$$",
      "CREATE DOMAIN word AS text CHECK (noisy(VALUE))", "CREATE DOMAIN small AS int"},
     {"name::word = 'n1'", "CASE WHEN id = 7 THEN 'a'::word END = 'a'", "name = 'n1'::word", "id::small = 7",
      "CASE WHEN id = 7 THEN 7::small END = x", "CASE WHEN id = 7 THEN name::word END IS NULL", "id % 7::small = 1"},
     {"DROP DOMAIN word", "ALTER DOMAIN word ADD CHECK (length(VALUE) > 99) NOT VALID",
      "ALTER DOMAIN small ADD CHECK (VALUE <> 7) NOT VALID", "DROP DOMAIN small",
      "CREATE OR REPLACE FUNCTION noisy(v text) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN 1 / (length(v) - 1) > "
      "0; END'"}},
    {{"CREATE TYPE mood AS ENUM ('sad', 'happy')",
      "CREATE FUNCTION number(m mood) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'cast'; RETURN "
      "1; END $$",
      "CREATE CAST (mood AS int) WITH FUNCTION number(mood) AS IMPLICIT",
      "CREATE CAST (text AS mood) WITH INOUT AS IMPLICIT"},
     {"CASE WHEN id = 7 THEN 'sad'::mood END::int = 1", "id = 'sad'::mood",
      "CASE WHEN id = 7 THEN id = 'sad'::mood END", "name::mood = 'sad'",
      "CASE WHEN id = 7 THEN left('sad', 3)::mood END = 'sad'"},
     {"DROP CAST (mood AS int)", "DROP TYPE mood CASCADE",
      "CREATE OR REPLACE FUNCTION number(m mood) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1 / 0; END'"}},
    {{"CREATE TEMP TABLE seen (v text)",
      "CREATE FUNCTION pick(v int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT v = 7'",
      "CREATE FUNCTION sure() RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true'"},
     {"pick(id)", "NOT pick(x)", "CASE WHEN id = 7 THEN pick(x) END", "CASE WHEN id = 7 THEN sure() END",
      "pick(7) AND id = 7"},
     {"CREATE OR REPLACE FUNCTION pick(v int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT 1 / (v - 7) = 0'",
      "DROP FUNCTION pick", "DROP FUNCTION sure",
      "CREATE OR REPLACE FUNCTION pick(v int) RETURNS bool LANGUAGE sql AS 'INSERT INTO pg_temp.seen VALUES (v) "
      "RETURNING true'",
      "CREATE OR REPLACE FUNCTION sure() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'here'; RETURN true; "
      "END $$"}},
    {{"CREATE VIEW mine AS SELECT * FROM t WHERE id > 0", "CREATE TABLE few (wid int PRIMARY KEY)",
      "INSERT INTO few VALUES (7)"},
     {"id IN (SELECT wid FROM few)", "EXISTS (SELECT FROM mine)", "id = (SELECT max(wid) FROM few)",
      "tag = 'few'::regclass::text", "CASE WHEN id = 7 THEN 'few'::regclass::oid END > 0"},
     {"DROP TABLE few", "CREATE OR REPLACE VIEW mine AS SELECT * FROM t WHERE 1 / id > 0",
      "ALTER TABLE few ADD COLUMN more int", "CREATE TABLE t (id int, x int, ill bool, name text)"}},
};

inline const Made kCollations = {
    {"CREATE COLLATION c (provider = icu, locale = 'de', version = '1')",
     "CREATE COLLATION d (provider = icu, locale = 'sv')",
     "CREATE COLLATION n (provider = icu, locale = 'und', deterministic = false)"},
    {"CASE WHEN id = 7 THEN name < 'z' COLLATE c END", "CASE WHEN id = 7 THEN name < 'z' COLLATE d END",
     "name COLLATE c < 'z'", "CASE WHEN id = 7 THEN upper(name COLLATE d) END = 'A'", "name LIKE 'a%' COLLATE d",
     "CASE WHEN id = 7 THEN greatest(name, 'a' COLLATE d) END < 'z'", "CASE WHEN id = 7 THEN name = 'z' COLLATE n END",
     "CASE WHEN id = 7 THEN lower(name COLLATE c) LIKE 'a%' END", "name ILIKE 'a%' COLLATE d",
     "CASE WHEN id = 7 THEN tag < 'z' COLLATE d END", "CASE WHEN id = 7 THEN 'a' COLLATE d < 'b' END"},
    {"DROP COLLATION c; DROP COLLATION d", "ALTER COLLATION c REFRESH VERSION", "ALTER COLLATION d RENAME TO e",
     "DROP COLLATION d; CREATE COLLATION d (provider = icu, locale = 'sv', deterministic = false)"}};

inline Script about(Dice& dice, const Made& made) {
  Script script = some_settings(dice);
  for (const std::string& sql : made.create) script.push_back(asks(sql));
  const std::string condition = dice.one_of(made.conditions);
  return script + question_around(dice, question(dice, dice.once_in(3) ? for_missing(dice, condition) : condition),
                                  dice.one_of(made.changes));
}

inline Script types(Dice& dice) { return about(dice, dice.one_of(kTypes)); }

inline Script collations(Dice& dice) { return about(dice, kCollations); }

// Of the unit: its collation was changed by a curator, so that it warns where it is opened.
inline Script units(Dice& dice) {
  Script script = some_settings(dice);
  if (dice.once_in(2)) script.push_back(asks("SET enable_sort = off"));
  if (dice.once_in(2)) script.push_back(asks("SET enable_hashagg = off"));
  const std::string condition =
      dice.word({"v < 2", "person < 'p1'", "CASE WHEN v < 2 THEN person < 'z' END", "v < 2 AND person LIKE 'p%'",
                 "CASE WHEN v < 2 THEN upper(person) = 'P0' END", "v < -1"});
  const std::string call =
      dice.word({"dp_count('*', 1000)", "dp_count(v, 1000)", "dp_count(DISTINCT person, 1000)", "dp_sum(v, 0, 1, 1000)",
                 "dp_count(DISTINCT v, 1000)", "dp_count('*', 1000) FILTER (WHERE person > 'a')"});
  const bool grouped = dice.once_in(2);
  script.push_back(asks_within(std::string("SELECT ") + (grouped ? "v % 2 = 0 AS k, " : "") + call + " FROM u WHERE " +
                                   condition + (grouped ? " GROUP BY 1" : ""),
                               2.01));
  return script;
}

}  // namespace dp::test
