// Tables of which weird statements are made: twice, in a database where visit, pat, ev and broad are protected, and in
// one without the extension, which knows what is right. Whatever groups there are have rows, no unit has more rows than
// it may have, and no value lies beyond its range: what is answered is right but for the noise, which vanishes.
#pragma once

#include "support/session.h"

namespace dp::test {

inline constexpr const char* kAsker = "weird_asker";
inline constexpr const char* kStranger = "weird_stranger";

// What both databases have.
inline const std::vector<std::string> kWeirdTables = {
    "CREATE TYPE pair AS (x int, y text)",
    "CREATE TABLE ward (ward_id int PRIMARY KEY, gone int, name text, beds int NOT NULL)", "ALTER TABLE ward DROP gone",
    "INSERT INTO ward VALUES (1, 'North', 12), (2, 'South', 30), (3, 'East', 7), (4, NULL, 1)",
    // Protected in one of them.
    "CREATE TABLE pat (id int PRIMARY KEY, gone int, name text NOT NULL, age int NOT NULL, region text NOT NULL)",
    "ALTER TABLE pat DROP gone",
    "INSERT INTO pat SELECT i, 'p' || i, i * 37 % 90, chr(97 + i % 3) FROM generate_series(1, 60) i",
    "CREATE TABLE visit (gone int, id int PRIMARY KEY, patient_id int NOT NULL REFERENCES pat, ward_id int NOT NULL, "
    "stay int NOT NULL, k text NOT NULL, twice int GENERATED ALWAYS AS (stay * 2) STORED, lost text, at date NOT NULL, "
    "cost numeric NOT NULL, c pair)",
    "ALTER TABLE visit DROP gone, DROP lost",
    "INSERT INTO visit (id, patient_id, ward_id, stay, k, at, cost, c) SELECT i, 1 + i % 60, "
    "CASE WHEN i % 10 < 4 THEN 1 WHEN i % 10 < 7 THEN 2 WHEN i % 10 < 9 THEN 3 ELSE 4 END, i * 7 % 31, "
    "CASE WHEN i % 7 < 4 THEN 'a' ELSE 'b' END, date '2024-01-01' + i % 90, i % 100 + 0.5, ROW(i % 5, 'y' || i % "
    "3)::pair "
    "FROM generate_series(1, 240) i",
    "CREATE TABLE ev (id int, n int NOT NULL, k text NOT NULL) PARTITION BY RANGE (id)",
    "CREATE TABLE ev_1 PARTITION OF ev FOR VALUES FROM (0) TO (60)",
    "CREATE TABLE ev_2 (k text NOT NULL, extra int, id int, n int NOT NULL)", "ALTER TABLE ev_2 DROP extra",
    "ALTER TABLE ev ATTACH PARTITION ev_2 FOR VALUES FROM (60) TO (1000)",
    "INSERT INTO ev SELECT i, i % 9, chr(97 + i % 2) FROM generate_series(1, 120) i",
    // Of anybody.
    "CREATE TABLE own (k int, gone int, t text DEFAULT 'd', n numeric, twice int GENERATED ALWAYS AS (k * 2) STORED)",
    "ALTER TABLE own DROP gone",
    "INSERT INTO own (k, t, n) VALUES (1, 'a', 1.5), (2, 'b', NULL), (3, NULL, 3), (NULL, 'z', 7)",
    "CREATE TABLE comp (id int, p pair, list int[], doc jsonb, words text[])",
    "INSERT INTO comp SELECT i, ROW(i, 'y' || i % 2)::pair, ARRAY[i, i + 1], jsonb_build_object('a', i, 'l', "
    "jsonb_build_array(i, 'x')), ARRAY['u', 'v' || i] FROM generate_series(1, 6) i",
    "CREATE TABLE base (id int, a int)", "CREATE TABLE heir (b text) INHERITS (base)",
    "INSERT INTO base SELECT i, i % 4 FROM generate_series(1, 5) i",
    "INSERT INTO heir SELECT i, i % 3, 'h' FROM generate_series(6, 9) i", "CREATE TABLE noted (k int, what text)",
    "CREATE TABLE ruled (k int, t text)", "INSERT INTO ruled VALUES (1, 'r'), (2, 's')",
    "CREATE RULE also AS ON INSERT TO ruled DO ALSO INSERT INTO noted VALUES (new.k, new.t)",
    "CREATE RULE instead AS ON UPDATE TO ruled DO INSTEAD INSERT INTO noted SELECT w.ward_id, old.t || new.t FROM ward "
    "w "
    "WHERE w.ward_id = new.k",
    "CREATE VIEW own_small AS SELECT k, t, n FROM own WHERE k < 3 WITH CHECK OPTION",
    "CREATE VIEW own_joined AS SELECT o.k, o.t, w.name FROM own o LEFT JOIN ward w ON w.ward_id = o.k",
    "CREATE MATERIALIZED VIEW kept AS SELECT ward_id AS id, name, beds * 2 AS b FROM ward",
    "CREATE VIEW adults WITH (security_invoker = on) AS SELECT id, name AS called, age, region FROM pat WHERE age >= "
    "18",
    "CREATE VIEW barred WITH (security_invoker = on, security_barrier = on) AS SELECT * FROM visit WHERE stay > 2",
    "CREATE VIEW by_ward WITH (security_invoker = on) AS SELECT ward_id, count(*) AS n, sum(stay) AS s FROM visit "
    "GROUP BY ward_id",
    "CREATE VIEW in_all WITH (security_invoker = on) AS SELECT count(*) AS n, sum(stay) AS s FROM visit",
    "CREATE FUNCTION plain_rows(low int) RETURNS TABLE (w int, b int) LANGUAGE sql STABLE AS 'SELECT ward_id, beds "
    "FROM "
    "ward WHERE beds > low'",
    "CREATE FUNCTION atomic_rows(low int) RETURNS TABLE (w int, b int) LANGUAGE sql STABLE BEGIN ATOMIC SELECT "
    "ward_id, "
    "beds FROM ward WHERE beds > low; END",
    "CREATE FUNCTION answers(low int) RETURNS TABLE (w int, n bigint) LANGUAGE sql STABLE AS 'SELECT ward_id, count(*) "
    "FROM visit WHERE stay >= low GROUP BY ward_id'",
    "DO $$ BEGIN EXECUTE 'CREATE TABLE wide (' || (SELECT string_agg('c' || i || ' int', ', ') FROM generate_series(1, "
    "1600) i) || ')'; EXECUTE 'CREATE TABLE broad (' || (SELECT string_agg('c' || i || ' int', ', ') FROM "
    "generate_series(1, 1600) i) || ')'; END $$",
    "INSERT INTO wide (c1, c2, c1600) SELECT i, i % 3, i * 2 FROM generate_series(1, 9) i",
    "INSERT INTO broad (c1, c2, c1600) SELECT i, i % 3, i * 2 FROM generate_series(1, 90) i",
    "ALTER TABLE broad ALTER c2 SET NOT NULL",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ward, own, comp, base, heir, noted, ruled, own_small, own_joined, wide TO "
    "PUBLIC",
    "GRANT SELECT ON kept, adults, barred, by_ward, in_all TO PUBLIC", "ANALYZE"};

inline const std::vector<std::string> kWeirdPolicies = {
    "SELECT dp.protect('pat', 9e9, privacy_unit => 'id', max_rows_per_unit => 1, answer_epsilon => 1e5), "
    "dp.protect('visit', 9e9, privacy_unit => 'patient_id', max_rows_per_unit => 40, answer_epsilon => 1e5), "
    "dp.protect('ev', 9e9, answer_epsilon => 1e5), dp.protect('broad', 9e9, answer_epsilon => 1e5)",
    "SELECT dp.declare_range('pat', 'age', 0, 90), dp.declare_range('visit', 'stay', 0, 31), "
    "dp.declare_range('visit', 'cost', 0, 100), dp.declare_range('visit', 'at', '2024-01-01', '2024-04-01'), "
    "dp.declare_range('ev', 'n', 0, 9), dp.declare_range('broad', 'c1', 0, 100), "
    "dp.declare_range('visit', 'twice', 0, 62), dp.declare_range('broad', 'c1600', 0, 200), "
    "dp.declare_range('visit', 'id', 0, 240), dp.declare_range('visit', 'patient_id', 1, 60), "
    "dp.declare_range('pat', 'id', 1, 60), dp.declare_range('ev', 'id', 0, 120), "
    "dp.declare_range('broad', 'c1000', 0, 9)",
    "SELECT dp.declare_values('visit', 'ward_id', 1, 2, 3, 4), dp.declare_values('visit', 'k', 'a', 'b'), "
    "dp.declare_values('pat', 'region', 'a', 'b', 'c'), dp.declare_values('ev', 'k', 'a', 'b'), "
    "dp.declare_values('broad', 'c2', 0, 1, 2)"};

inline const std::vector<std::string> kProtected = {"pat", "visit", "ev", "broad"};

inline void grant_weird(Session& admin) {
  for (const std::string& table : kProtected) {
    admin.run("SELECT dp.grant_budget('" + table + "', '" + kAsker + "', 9e9, 0.1, allow_leaks => true)");
  }
}

// `admin`: in the database with the extension; the other one is named with _plain behind.
inline std::string make_weird_databases(Session& admin) {
  const std::string plain = admin.value("SELECT current_database()") + "_plain";
  admin.run("DROP DATABASE IF EXISTS " + plain);
  admin.run("CREATE DATABASE " + plain);
  for (const char* const role : {kAsker, kStranger}) make_role(admin, role);
  Session there("dbname=" + plain);
  for (const std::string& sql : kWeirdTables) {
    admin.run(sql);
    there.run(sql);
  }
  for (const std::string& sql : kWeirdPolicies) admin.run(sql);
  grant_weird(admin);
  return plain;
}

}  // namespace dp::test
