// The tables of test/fault/fuzz.cpp, their neighbours, and the words of its queries.
#pragma once

#include "support/fuzz_generator.h"
#include "support/session.h"

namespace dp::test {

inline constexpr const char* kColumns =
    R"(id int NOT NULL, i int, s int2, b int8, n numeric, m numeric(10, 2), f float8, r float4, t text, u text COLLATE "C",
  v varchar(8), c bpchar, d date, ts timestamp, tz timestamptz, iv interval, tm time, e fuzz_mood NOT NULL, flag bool, k text COLLATE "POSIX",
  ref int REFERENCES public.fuzz_wards, arr int[], texts text[], doc jsonb, by bytea, uu uuid)";

// Each column goes through its values at a pace of its own.
inline constexpr const char* kRows = R"(
INSERT INTO fuzz_rows SELECT x,
  (ARRAY[0, 1, -1, 2147483647, -2147483648, NULL, 7, 42, 100, 3])[1 + x % 10],
  (ARRAY[0, 1, -1, 32767, -32768, NULL, 5]::int2[])[1 + x % 7],
  (ARRAY[0, 1, -1, 9223372036854775807, -9223372036854775808, NULL, 12345678901]::int8[])[1 + x / 2 % 7],
  (ARRAY['0', '1.00', '1.0', '-1', 'NaN', 'Infinity', '-Infinity', '1e400', '1e-400', NULL, '0.5', '42']::numeric[])[1 + x % 12],
  (ARRAY['0', '1.5', '-99999999.99', '99999999.99', NULL]::numeric[])[1 + x % 5],
  (ARRAY['0', '-0', '1', 'NaN', 'Infinity', '-Infinity', '1e308', '-1e308', '5e-324', NULL, '0.1', '42']::float8[])[1 + x % 12],
  (ARRAY['0', '-0', '1', 'NaN', 'Infinity', '3e38', '1e-45', NULL]::float4[])[1 + x % 8],
  (ARRAY['', 'a', 'A', 'b', 'a ', '1', '1e400', 'NaN', '2024-02-30', '2024-02-29', E'x\\', '%', 'é', '😀', NULL, repeat('long', 300),
         ' 12 ', 'infinity', '{"k": 1}'])[1 + x % 19],
  (ARRAY['a', 'b', '', NULL])[1 + x % 4], (ARRAY['a', 'b', '12345678', NULL, ''])[1 + x % 5],
  (ARRAY['a', 'a ', 'a  ', 'b', '', NULL]::bpchar[])[1 + x % 6],
  (ARRAY['2024-02-29', 'infinity', '-infinity', '4714-11-24 BC', '5874897-12-31', NULL, '1970-01-01']::date[])[1 + x % 7],
  (ARRAY['2024-02-29 23:59:59.999999', 'infinity', '-infinity', '4714-11-24 00:00:00 BC', '294276-12-31 23:59:59', NULL]::timestamp[])[1 + x % 6],
  (ARRAY['2024-02-29 23:59:59+00', 'infinity', '-infinity', '4714-11-24 00:00:00+00 BC', '294276-12-31 23:59:59+00', NULL]::timestamptz[])[1 + x / 2 % 6],
  (ARRAY['1 day', '24 hours', '-178000000 years', '178000000 years', '0', NULL, '1 mon', '30 days']::interval[])[1 + x % 8],
  (ARRAY['00:00', '24:00', '12:34:56.789', NULL]::time[])[1 + x % 4],
  (ARRAY['sad', 'happy']::fuzz_mood[])[1 + x % 2], (ARRAY[true, false, NULL])[1 + x % 3], (ARRAY['a', 'b', 'z', NULL])[1 + x / 3 % 4],
  (ARRAY[1, 2, NULL])[1 + x % 3],
  CASE x % 5 WHEN 0 THEN NULL WHEN 1 THEN '{}' WHEN 2 THEN '{1,NULL,3}' WHEN 3 THEN '{{1,2},{3,4}}' ELSE '[5:6]={7,8}' END::int[],
  CASE x % 4 WHEN 0 THEN NULL WHEN 1 THEN '{}' WHEN 2 THEN '{a,NULL}' ELSE '{a,b}' END::text[],
  (ARRAY['null', '1', '"a"', '{"k": 1, "a": [1, 2]}', '{"k": "x"}', '[]', '[1, "a", null]', '1e300', NULL]::jsonb[])[1 + x % 9],
  (ARRAY['', '\x00ff', '\x61', NULL]::bytea[])[1 + x % 4], ('00000000-0000-0000-0000-00000000000' || x % 3)::uuid
FROM generate_series(0, 71) x)";

inline constexpr const char* kConstants[][2] = {
    {"integer", "0,1,-1,2147483647,-2147483648,3,42"},
    {"smallint", "0,1,-1,32767,-32768"},
    {"bigint", "0,1,-1,9223372036854775807,-9223372036854775808"},
    {"numeric", "0,1,-1,NaN,Infinity,-Infinity,1e400,1e-400,0.5,1.00"},
    {"double precision", "0,-0,1,NaN,Infinity,-Infinity,1e308,5e-324,0.5,-1"},
    {"real", "0,1,NaN,Infinity,3e38"},
    {"text", ",a,A,%,a%,_,\\,x\\,month,day,hour,year,epoch,century,bogus,1,é,k,2024-01-31,UTC"},
    {"character varying", "a,"},
    {"character", "a,a ,b,"},
    {"boolean", "t,f"},
    {"date", "2024-02-29,infinity,-infinity,4714-11-24 BC,5874897-12-31,1970-01-01"},
    {"timestamp without time zone", "2024-02-29 12:00,infinity,-infinity,4714-11-24 00:00:00 BC,294276-12-31 23:59:59"},
    {"timestamp with time zone",
     "2024-02-29 12:00+00,infinity,-infinity,4714-11-24 00:00:00+00 BC,294276-12-31 23:59:59+00"},
    {"interval", "1 day,0,178000000 years,-178000000 years,1 mon"},
    {"time without time zone", "00:00,24:00,12:34:56"},
    {"jsonb", "1,null,[]"},
    {"uuid", "00000000-0000-0000-0000-000000000001"},
    {"bytea", ",\\x00,\\x61"},
    {"integer[]", "{},{1},{NULL}"},
    {"text[]", "{},{a},{k}"},
};

// Operators and casts that fail on some rows: refused, or replaced by total ones, all the same.
inline const std::multimap<std::string, Function> kFailing = {
    {"integer", {"(", " + ", ")", {"integer", "integer"}}},
    {"integer", {"(", " / ", ")", {"integer", "integer"}}},
    {"integer", {"(", "", ")::int", {"text"}}},
    {"integer", {"(", "", ")::int", {"double precision"}}},
    {"numeric", {"(", " / ", ")", {"numeric", "numeric"}}},
    {"numeric", {"power(", ", ", ")", {"numeric", "integer"}}},
    {"double precision", {"(", " * ", ")", {"double precision", "double precision"}}},
    {"double precision", {"sqrt(", "", ")", {"double precision"}}},
    {"text", {"(", " || ", ")", {"text", "text"}}},
    {"text", {"repeat(", ", ", ")", {"text", "smallint"}}},
    {"boolean", {"(", " ~ ", ")", {"text", "text"}}},
    {"boolean", {"(", "", ")::bool", {"text"}}},
    {"boolean", {"((", "", ")[1] = 1)", {"integer[]"}}},
    {"boolean", {"(ARRAY[", ", ", "] IS NULL)", {"integer[]", "integer[]"}}},
    {"date", {"(", " + ", ")", {"date", "integer"}}},
    {"date", {"(", "", ")::date", {"text"}}},
    {"timestamp without time zone", {"date_trunc(", ", ", ")", {"text", "timestamp without time zone"}}},
    {"integer", {"fuzz_noisy(", "", ")", {"integer"}}},
    {"text", {"(", "", ")::fuzz_word", {"text"}}},
};

inline Vocabulary vocabulary(Session& admin) {
  Vocabulary words;
  for (const auto& [type, list] : kConstants) {
    std::vector<std::string>& constants = words.constants[type];
    for (std::size_t begin = 0, end; begin != std::string::npos; begin = end == std::string::npos ? end : end + 1) {
      end = std::string(list).find(',', begin);
      constants.push_back(std::string(list).substr(begin, end == std::string::npos ? end : end - begin));
    }
  }
  const Result columns = admin.run(
      "SELECT format_type(atttypid, NULL), attname FROM pg_attribute WHERE attrelid = 'one.t'::regclass AND attnum > "
      "0");
  for (int i = 0; i < columns.rows(); ++i) words.columns[columns.value(i, 0)].push_back(columns.value(i, 1));
  const Result functions = admin.run(R"(
    SELECT format_type(prorettype, NULL), quote_ident(nspname) || '.' || quote_ident(proname), array_to_string(ARRAY(
      SELECT CASE format_type(a, NULL) WHEN 'anyarray' THEN 'integer[]' WHEN 'anycompatiblearray' THEN 'integer[]' WHEN 'anyelement' THEN 'integer'
        WHEN 'anycompatible' THEN 'integer' WHEN 'anyenum' THEN 'fuzz_mood' ELSE format_type(a, NULL) END
      FROM unnest(proargtypes) WITH ORDINALITY AS x (a, place) ORDER BY place), ',')
    FROM dp.total_functions() f JOIN pg_proc p ON p.oid = f.function JOIN pg_namespace s ON s.oid = pronamespace
    WHERE NOT provariadic > 0 ORDER BY p.oid)");
  for (int i = 0; i < functions.rows(); ++i) {
    Function function{functions.value(i, 1) + "(", ", ", ")", {}};
    bool known = true;
    std::string types = functions.value(i, 2) + ",";
    for (std::size_t end; (end = types.find(',')) != std::string::npos; types.erase(0, end + 1)) {
      function.arguments.push_back(types.substr(0, end));
      known = known && (words.columns.contains(function.arguments.back()) ||
                        words.constants.contains(function.arguments.back()));
    }
    if (known) words.functions[functions.value(i, 0)].push_back(function);
  }
  for (const auto& [type, function] : kFailing) words.failing[type].push_back(function);
  return words;
}

// Who a row belongs to: the missing person, 0, from row kOrdinary on, otherwise `per` rows to each person, some to
// nobody. In types of which equal values look different, and others.
inline constexpr int kOrdinary = 48;

inline std::string persons(const std::string& prefix, int per) {
  const std::string person =
      "CASE WHEN id >= 48 THEN 0 WHEN id % 16 <> 15 THEN id / " + std::to_string(per) + " + 1 END";
  return "SELECT x AS " + prefix +
         "i, CASE WHEN x = 0 THEN '0.' || repeat('0', id % 3 + 1) ELSE x::text END::numeric AS " + prefix +
         "n, CASE WHEN x = 0 AND id % 2 = 0 THEN '-0' ELSE x::float8 END AS " + prefix + "f, 'p' || x AS " + prefix +
         "t, ('p' || x || CASE WHEN x = 0 THEN repeat(' ', id % 3) ELSE '' END)::bpchar AS " + prefix +
         "b FROM (SELECT " + person + " AS x) AS y";
}

// The tables of a schema: here, or foreign tables of a server that makes parts, which has the rows in a schema of its
// own. There t has a partition and one here, or lies beside the others. A foreign table refers to nothing and has no
// key.
inline void create_tables(Session& admin, const std::string& schema) {
  const bool beside = schema.starts_with("beside_"), on_server = beside || schema.starts_with("shards_");
  const std::string rows = on_server ? schema + "_rows" : schema;
  admin.run("CREATE SCHEMA " + schema + "; GRANT USAGE ON SCHEMA " + schema + " TO fuzz_asker");
  if (on_server) admin.run("CREATE SCHEMA " + rows);
  admin.run("SET search_path = " + rows + ", public");
  admin.run(std::string("CREATE TABLE t (") + kColumns +
            ", pi int, pn numeric, pf float8, pt text COLLATE \"C\", pb bpchar)");
  admin.run(
      "CREATE TABLE d (dx int, dy int, dk text, qi int, qn numeric, qf float8, qt text COLLATE \"C\", qb bpchar); "
      "CREATE TABLE e (ei int PRIMARY KEY, ev int)");
  admin.run("SET search_path = " + schema + ", public");
  if (!on_server) return;
  admin.run("IMPORT FOREIGN SCHEMA " + rows + (beside ? "" : " EXCEPT (t)") + " FROM SERVER fuzz_server INTO " +
            schema);
  if (beside) return;
  admin.run("CREATE TABLE t (LIKE " + rows + ".t) PARTITION BY HASH (pi)");
  admin.run(
      "CREATE FOREIGN TABLE t0 PARTITION OF t FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER fuzz_server OPTIONS "
      "(schema_name '" +
      rows + "', table_name 't')");
  admin.run("CREATE TABLE t1 PARTITION OF t FOR VALUES WITH (MODULUS 2, REMAINDER 1)");
}

// Schemas one and two hold tables whose rows are units of their own, units_one and units_two those of units with many
// rows. In each stands t; d, with other rows of the same persons, and e, with one row of each. The same once more with
// shards_ before their names, of tables whose rows are on another server (which is this one), and those of units with
// beside_ before them, of tables that are joined there along the unit. That server has a copy of the public table.
inline void set_up(Session& admin) {
  admin.run(
      "CREATE TYPE fuzz_mood AS ENUM ('sad', 'ok', 'happy'); CREATE TABLE fuzz_wards (id int PRIMARY KEY); INSERT INTO "
      "fuzz_wards VALUES (1), (2), (3); "
      "GRANT SELECT ON fuzz_wards TO PUBLIC");
  admin.run(
      "CREATE FUNCTION fuzz_noisy(x anyelement) RETURNS anyelement LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RAISE NOTICE "
      "''saw %'', x; RETURN x; END'");
  admin.run("CREATE DOMAIN fuzz_word AS text CHECK (fuzz_noisy(VALUE) IS NOT NULL)");
  make_role(admin, "fuzz_asker");
  // Public: of most of its columns, and of some pairs, no two rows have the same values.
  admin.run(
      "CREATE TABLE fuzz_public (wid int PRIMARY KEY, wname text COLLATE \"C\" UNIQUE, wa int, wb int2, wflag bool, "
      "wnum numeric UNIQUE, UNIQUE (wa, wb))");
  admin.run(
      "INSERT INTO fuzz_public SELECT x, (ARRAY['a', 'b', '', 'c'])[x + 1], x % 3, x / 3, x % 2 = 0, (ARRAY['0', "
      "'1.00', '-1', '42', 'NaN'])[x + 1]::numeric FROM generate_series(0, 8) x");
  admin.run("GRANT SELECT ON fuzz_public, fuzz_wards TO fuzz_asker");
  // Total forms that nobody has to write are on the list of functions, too.
  admin.run("GRANT USAGE ON SCHEMA dp_internal TO fuzz_asker");
  admin.run(std::string("CREATE TABLE fuzz_rows (") + kColumns + ")");
  admin.run(kRows);
  admin.run("CREATE EXTENSION postgres_fdw");
  admin.run(
      "DO $$ BEGIN EXECUTE format('CREATE SERVER fuzz_server FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port "
      "%L, dbname %L, extensions ''pg_dp'', async_capable ''true'')', split_part(current_setting("
      "'unix_socket_directories'), ',', 1), current_setting('port'), current_database()); END $$; CREATE USER MAPPING "
      "FOR CURRENT_USER SERVER fuzz_server");
  admin.run(
      "CREATE SCHEMA fuzz_copies; CREATE TABLE fuzz_copies.fuzz_public (LIKE fuzz_public INCLUDING ALL); INSERT INTO "
      "fuzz_copies.fuzz_public TABLE fuzz_public");
  admin.run(
      "CREATE SCHEMA fuzz_there; IMPORT FOREIGN SCHEMA fuzz_copies FROM "
      "SERVER fuzz_server INTO fuzz_there; SELECT dp.declare_copies('fuzz_public', 'fuzz_there.fuzz_public')");
  for (const std::string schema : {"one", "two", "units_one", "units_two", "shards_one", "shards_two",
                                   "shards_units_one", "shards_units_two", "beside_units_one", "beside_units_two"}) {
    create_tables(admin, schema);
    for (const std::string table : {"t", "d", "e"}) {
      admin.run(
          "SELECT dp.protect('" + table +
          "', 9e9, 0.9, group_epsilon => 1e5, group_delta => 1e-9, min_query_epsilon => 1e-9), dp.grant_budget('" +
          table + "', 'fuzz_asker', 9e9, 0.9, allow_leaks => true)");
    }
    admin.run(
        "SELECT dp.protect('e', 9e9, 0.9, privacy_unit => 'ei', min_query_epsilon => 1e-9), dp.public_values('d', "
        "'dk', 'a', 'b')");
    admin.run("SELECT dp.public_values('t', 'k', 'a', 'b'), dp.public_values('t', 'i % 3', 0, 1, 2)");
    admin.run(
        "CREATE VIEW v WITH (security_invoker) AS SELECT * FROM t WHERE coalesce(s, 0) < 1000; GRANT SELECT ON v TO "
        "fuzz_asker");
  }
  admin.run("SET search_path = public");
}

inline void fill(Session& admin, const std::string& schema, int per, const std::string& without) {
  admin.run("SET search_path = " + schema + ", public; TRUNCATE t, d, e");
  admin.run("INSERT INTO t SELECT r.*, p.* FROM fuzz_rows r, LATERAL (" + persons("p", per) + ") AS p WHERE NOT (" +
            without + ")");
  admin.run(
      "INSERT INTO d SELECT id % 5, 71 - id, (ARRAY['a', 'b', 'z'])[1 + id % 3], q.* FROM generate_series(0, 71) AS "
      "id, LATERAL (" +
      persons("q", 1) + ") AS q WHERE NOT (" + without + ")");
  admin.run("INSERT INTO e SELECT id, id % 7 FROM generate_series(" + std::string(without == "false" ? "0" : "1") +
            ", 60) AS id");
  admin.run("ANALYZE t, d, e; SET search_path = public");
}

// Tables and neighbours for the world, as the role is to find them; their names begin with `where`.
inline void make_tables(Session& admin, const World& world, const std::string& where) {
  if (!world.has_units()) {
    fill(admin, where + "one", 1, "id >= 48");
    return fill(admin, where + "two", 1, "id >= 48 OR " + world.missing);
  }
  fill(admin, where + "units_one", world.rows_of_others, "false");
  fill(admin, where + "units_two", world.rows_of_others, world.missing);
  for (const std::string& schema : {where + "units_one", where + "units_two"}) {
    for (const std::string& unit : {"t.p" + world.letter, "d.q" + world.letter, std::string("e.ei")}) {
      admin.run("SELECT dp.protect('" + schema + "." + unit.substr(0, 1) +
                "', 9e9, 0.9, group_epsilon => 1e5, group_delta => 1e-9, min_query_epsilon => 1e-9, privacy_unit => '" +
                unit.substr(2) + "', " + world.limits() + ")");
    }
    if (!where.starts_with("beside_")) continue;
    admin.run("SET search_path = " + schema +
              ", public; SELECT dp.declare_colocated('t', 'd', 'e'); RESET search_path");
  }
}

}  // namespace dp::test
