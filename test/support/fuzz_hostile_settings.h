// Hostile scripts about settings: changed by functions of the asker's above the noise while a question is planned or
// runs.
#pragma once

#include "support/fuzz_hostile_tables.h"

namespace dp::test {

// Above the noise: run while the rest is planned.
inline Step makes_setter() {
  return asks(
      "CREATE FUNCTION sets(name text, value text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS "
      "$$ BEGIN PERFORM set_config(name, value, false); RETURN 1; END $$");
}

struct Setting {
  std::string name, before, after;
  std::string zero;  // a number, which is 0 after the change and something else before it
};

inline const std::vector<Setting> kSettable = {
    {"extra_float_digits", "1", "0", "length((0.1::float8 + 0.2::float8)::text) - 3"},
    {"extra_float_digits", "1", "0", "length((0.1::float4 + 0.7::float4)::text) - 3"},
    {"bytea_output", "hex", "escape", "length('\\x6161'::bytea::text) - 2"},
    {"datestyle", "ISO, DMY", "German", "position('.' in '2024-02-29'::date::text) - 3"},
    {"timezone", "UTC", "Etc/GMT+11", "dp_try_int(extract(hour FROM '2024-02-29 12:00+00'::timestamptz)) - 1"},
    {"timezone", "UTC", "Etc/GMT+11", "length('2024-02-29 12:00+00'::timestamptz::text) - 22"},
    {"intervalstyle", "postgres", "iso_8601", "length('1 day'::interval::text) - 3"},
    {"quote_all_identifiers", "off", "on", "length('pg_class'::regclass::text) - 10"},
    {"search_path", "{side}_own, {side}, public", "pg_catalog", "length('{side}.w'::regclass::text) - 8"},
    {"default_text_search_config", "simple", "english", "length(to_tsvector('cats')::text) - 7"},
    {"client_min_messages", "notice", "debug5", "1"},
    {"debug_print_plan", "off", "on", "1"},
    {"debug_print_rewritten", "off", "on", "1"},
    {"enable_partitionwise_aggregate", "off", "on", "1"},
    {"work_mem", "4MB", "64kB", "1"},
    {"statement_timeout", "0", "1000000", "1"},
    {"row_security", "on", "off", "1"},
    {"force_parallel_mode", "off", "on", "1"},
    {"dp.keep_releases", "100", "0", "1"},
};

inline std::string uses(Dice& dice, const std::string& number) {
  const std::string n = "(" + number + ")", is_zero = "CASE WHEN " + n + " = 0 THEN 1 ELSE 0 END";
  return dice.word({"id % " + n + " = 1", "id / " + n + " = 1", "substr(name, 1, " + n + " - 1) = ''",
                    "split_part(name, 'n', " + n + ") = ''", "name LIKE left(E'aaa\\\\\\\\', 3 + " + is_zero + ")",
                    "replace(name, 'a', repeat('b', 1 + " + is_zero + ")) = ''",
                    "width_bucket(id, CASE WHEN " + n + " = 0 THEN ARRAY[1, NULL] ELSE ARRAY[1, 2] END) = 1",
                    "extract(CASE WHEN " + n + " = 0 THEN 'bogus' ELSE 'year' END FROM moment) = 1",
                    "id::bigint % " + n + " = 1", "x = 1 / " + n, "moment::text LIKE '%29%'", "price::text = '1'",
                    "by::text = '\\x00'", "length(price::text) = 3", "ip::text = ''"});
}

inline Script settings(Dice& dice) {
  const Setting setting = dice.one_of(kSettable);
  const std::string use = uses(dice, setting.zero), arguments = "('" + setting.name + "', '" + setting.after + "')";
  const std::string text =
      question(dice, dice.once_in(2) ? for_missing(dice, use) : "CASE WHEN id = 7 THEN " + use + " END");
  Script script =
      some_settings(dice) + Script{makes_setter(),
                                   asks("CREATE FUNCTION ran(name text, value text) RETURNS bool LANGUAGE plpgsql AS "
                                        "$$ BEGIN PERFORM set_config(name, value, false); RETURN false; END $$"),
                                   asks("SELECT set_config('" + setting.name + "', '" + setting.before + "', false)")};
  const std::string change = "SELECT sets" + arguments;
  const std::vector<Script> ways = {
      {asks("SELECT sets" + arguments + ", q.* FROM (" + text + ") AS q")},
      {asks("SELECT * FROM (" + text + ") AS q WHERE sets" + arguments + " = 1")},
      {asks("SELECT * FROM (" + text + ") AS q LIMIT sets" + arguments)},
      {asks("SELECT * FROM (" + text + ") AS q, (VALUES (sets" + arguments + ")) AS v")},
      {asks("SELECT 0 WHERE ran" + arguments + " UNION ALL " + text)},
      {asks("SELECT * FROM (" + text + ") AS q WHERE ran" + arguments + " OR true")},
      {asks("PREPARE q AS SELECT sets" + arguments + ", q.* FROM (" + text + ") AS q"), asks("EXECUTE q"),
       asks("EXECUTE q")},
      {asks("EXPLAIN (VERBOSE) SELECT sets" + arguments + ", q.* FROM (" + text + ") AS q")},
      {asks("SELECT dp.cost($$ SELECT sets" + arguments + ", q.* FROM (" + text + ") AS q $$)"), asks_question(text)},
      {asks("SELECT dp.admissible($$ SELECT sets" + arguments + ", q.* FROM (" + text + ") AS q $$, 'hostile_asker')"),
       asks_question(text)},
      {asks("CREATE FUNCTION wrapped() RETURNS int LANGUAGE sql IMMUTABLE SET " + setting.name + " = '" +
            setting.after + "' AS 'SELECT 1'"),
       asks("SELECT wrapped(), q.* FROM (" + text + ") AS q")},
  };
  if (dice.once_in(4)) return script + question_around(dice, text, change);
  return script + dice.one_of(ways);
}

}  // namespace dp::test
