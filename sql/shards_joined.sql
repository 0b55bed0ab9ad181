-- Joins with public tables of which the other servers have copies: computed there. The same answers as over tables that are here.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_joined
\set server joined
\set parts on
\set ECHO none
\i :two_databases
\set ECHO all
\set columns 'id int, person int, ward int, v float8, n int'
\set wards 'id int PRIMARY KEY, region text COLLATE "C" NOT NULL, beds int CHECK (beds > 0)'
\set regions 'region text COLLATE "C" PRIMARY KEY, boss text COLLATE "C"'
\c regress_joined1
CREATE TABLE r0 (:columns);
CREATE TABLE h0 (:columns);
CREATE TABLE wards (:wards);
CREATE TABLE regions (:regions);
\c regress_joined2
CREATE TABLE r1 (:columns);
CREATE TABLE h1 (:columns);
-- In another order here, under another name.
CREATE TABLE stations (beds int CHECK (beds > 0), region text COLLATE "C" NOT NULL, extra text, id int PRIMARY KEY);
CREATE TABLE regions (:regions);
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_joined_owner;
CREATE TABLE rows (:columns) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE r0 PARTITION OF rows FOR VALUES FROM (0) TO (1000) SERVER joined1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE r1 PARTITION OF rows FOR VALUES FROM (1000) TO (2000) SERVER joined2 OPTIONS (schema_name 'public');
CREATE TABLE r2 PARTITION OF rows FOR VALUES FROM (2000) TO (3000);
CREATE TABLE hashed (:columns) PARTITION BY HASH (person);
CREATE FOREIGN TABLE h0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER joined1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE h1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER joined2 OPTIONS (schema_name 'public');
CREATE TABLE here (:columns);
CREATE TABLE persons (:columns);
-- Some rows have no ward, or one that is not known.
INSERT INTO here SELECT i, p, nullif(i % 13, 5), p / 10.0, nullif(i % 9, 3) FROM generate_series(0, 2999) i, LATERAL (SELECT i * i % 97) x (p);
INSERT INTO rows TABLE here;
INSERT INTO hashed TABLE here;
INSERT INTO persons TABLE here;
CREATE TABLE wards (:wards);
INSERT INTO wards SELECT i, (ARRAY['east', 'north', 'west'])[i % 3 + 1], i % 4 * 10 + 5 FROM generate_series(0, 10) i;
CREATE TABLE regions (:regions);
INSERT INTO regions VALUES ('east', 'Ann'), ('north', 'Bob'), ('west', 'Cid');
CREATE FOREIGN TABLE wards_1 (id int, region text COLLATE "C", beds int) SERVER joined1 OPTIONS (schema_name 'public', table_name 'wards');
CREATE FOREIGN TABLE wards_2 (id int, region text COLLATE "C", beds int) SERVER joined2 OPTIONS (schema_name 'public', table_name 'stations');
CREATE FOREIGN TABLE regions_1 (region text COLLATE "C", boss text COLLATE "C") SERVER joined1 OPTIONS (schema_name 'public', table_name 'regions');
CREATE FOREIGN TABLE regions_2 (region text COLLATE "C", boss text COLLATE "C") SERVER joined2 OPTIONS (schema_name 'public', table_name 'regions');
ANALYZE wards, regions;
GRANT SELECT ON wards, regions TO PUBLIC;
SELECT dp.protect(t, 9e9) FROM unnest('{rows,here}'::regclass[]) t;
SELECT dp.protect(t, 9e9, privacy_unit => 'person', max_rows_per_unit => 70) FROM unnest('{hashed,persons}'::regclass[]) t;
SELECT count(dp.declare_range(t, 'v', 0, 10)), count(dp.declare_range(t, 'n', 0, 10)), count(dp.grant_budget(t, 'regress_joined_ana', 9e9, allow_leaks => true,
    answer_epsilon => 1e6)) FROM unnest('{rows,here,hashed,persons}'::regclass[]) t;

-- Declared: only what has the same rows.
SELECT dp.declare_copies('wards', 'wards_1', 'wards_2');
INSERT INTO wards_1 TABLE wards;
INSERT INTO wards_2 TABLE wards;
INSERT INTO regions_1 TABLE regions;
INSERT INTO regions_2 TABLE regions;
UPDATE regions SET boss = 'Dan' WHERE region = 'west';
SELECT dp.declare_copies('regions', 'regions_1', 'regions_2');
UPDATE regions SET boss = 'Cid' WHERE region = 'west';
\pset format unaligned
SELECT sent($$ SELECT region, dp_count('*', 1) FROM rows JOIN wards w ON w.id = ward GROUP BY region $$);
SELECT dp.declare_copies('wards', 'wards_1', 'wards_2'), dp.declare_copies('regions', 'regions_1', 'regions_2');
TABLE dp.public_copy;
-- What is sent.
SELECT sent($$ SELECT region, dp_count('*', 1), dp_sum(v, 0, 10, 1) FILTER (WHERE beds > 10) FROM rows JOIN wards w ON w.id = ward WHERE v < 5 GROUP BY region $$);
EXPLAIN (COSTS OFF) SELECT region, dp_count('*', 1) FROM rows JOIN wards w ON w.id = ward GROUP BY region;
SELECT sent($$ SELECT region, dp_count('*', 1) FROM hashed JOIN wards w ON w.id = ward GROUP BY region $$);
-- What is no part is joined here, to the table that is here: sets of groups, and tables of which there is no copy on each server.
SELECT sent($$ SELECT region, dp_count('*', 1) FROM rows JOIN wards w ON w.id = ward GROUP BY ROLLUP (region) $$);
\pset format aligned
RESET ROLE;

CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN a.rows = a.here AND a.hashed = a.here AND a.persons = a.here THEN left(a.here, 110) ELSE concat_ws(' IS NOT ', a.rows, a.here, a.hashed, a.persons) END
    FROM (SELECT answer(replace(query, '%', 'rows')), answer(replace(query, '%', 'here')), answer(replace(query, '%', 'hashed')), answer(replace(query, '%', 'persons'))) a (rows, here, hashed, persons)
$$;
INSERT INTO questions (text) VALUES
    ($$ SELECT count(*) FROM % JOIN wards w ON w.id = ward $$),
    ($$ SELECT count(*), sum(n), round(avg(v)::numeric, 1) AS v FROM %, wards w WHERE w.id = ward AND region <> 'east' $$),
    ($$ SELECT region, count(*) FROM % JOIN wards w ON w.id = ward GROUP BY region $$),
    ($$ SELECT region, count(*), sum(n) FROM wards w JOIN % ON w.id = ward WHERE beds > 10 GROUP BY region $$),
    ($$ SELECT region, count(*) FROM % LEFT JOIN wards w ON w.id = ward GROUP BY region $$),
    ($$ SELECT count(*) FROM % LEFT JOIN wards w ON w.id = ward AND beds > 10 WHERE region IS NULL $$),
    ($$ SELECT beds, count(*), dp_sum(v, 0, 10, 1e6)::numeric(9,1) AS v FROM % JOIN wards w ON w.id = ward GROUP BY beds $$),
    ($$ SELECT boss, count(*) FROM % JOIN wards w ON w.id = ward JOIN regions USING (region) GROUP BY boss $$),
    ($$ SELECT boss, count(*) FROM % LEFT JOIN (wards w JOIN regions USING (region)) ON w.id = ward GROUP BY boss $$),
    ($$ SELECT a.region, b.region AS other, count(*) FROM % JOIN wards a ON a.id = ward JOIN wards b ON b.id = n GROUP BY a.region, b.region $$),
    ($$ SELECT count(*) FILTER (WHERE region = 'east') AS east, count(*) FILTER (WHERE beds = 5) AS few FROM % JOIN wards w ON w.id = ward $$),
    ($$ SELECT sum(n * beds) FROM % JOIN wards w ON w.id = ward $$),
    ($$ SELECT sum(100 / beds) AS s FROM % JOIN wards w ON w.id = ward $$),
    ($$ SELECT count(*) FROM % JOIN wards w ON w.id = ward AND to_char(ward, '9') = ' 1' $$),
    ($$ SELECT region, count(*) FROM % JOIN wards w ON w.id = ward GROUP BY GROUPING SETS ((region), ()) $$),
    ($$ SELECT count(*) FROM % WHERE EXISTS (SELECT FROM wards w WHERE w.id = ward AND region = 'east') $$),
    ($$ SELECT count(*) FROM % JOIN (SELECT region, max(id) AS id FROM wards GROUP BY region) w ON w.id = ward $$);
SET ROLE regress_joined_ana;
SELECT number, same(text) FROM questions ORDER BY number;
PREPARE asked(int) AS SELECT region, dp_count('*', 1e6) FROM rows JOIN wards w ON w.id = ward WHERE beds > $1 GROUP BY region ORDER BY 1;
EXECUTE asked(10);
EXECUTE asked(20);
SET plan_cache_mode = force_generic_plan;
EXECUTE asked(10);
RESET ROLE;

-- Each question looks at the copies: one that is another table by now is an error that names the server, for a charge that is kept.
CREATE FUNCTION charges() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM dp.ledger WHERE relation = 'rows'::regclass $$;
SELECT charges() AS were \gset
-- A copy whose key is no key any more would count rows twice.
SELECT there('ALTER TABLE wards DROP CONSTRAINT wards_pkey; INSERT INTO wards SELECT * FROM wards');
SET ROLE regress_joined_ana;
SELECT told($$ EXECUTE asked(10) $$);
SELECT told($$ SELECT dp_count('*', 1e6) FROM rows JOIN wards w ON w.id = ward $$);
RESET ROLE;
SELECT charges() - :were AS charged, bool_or(closed) AS closed FROM dp.budgets WHERE relation = 'rows'::regclass;
SET ROLE regress_joined_owner;
SELECT dp.declare_copies('wards', 'wards_1', 'wards_2');
RESET ROLE;
SELECT there('TRUNCATE wards; ALTER TABLE wards ADD PRIMARY KEY (id); INSERT INTO wards SELECT i, (ARRAY[$a$east$a$, $a$north$a$, $a$west$a$])[i % 3 + 1], i % 4 * 10 + 5 FROM generate_series(0, 10) i');
SELECT there('ALTER TABLE wards ALTER region DROP NOT NULL');
SET ROLE regress_joined_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM rows JOIN wards w ON w.id = ward $$);
RESET ROLE;
SELECT there('ALTER TABLE wards ALTER region SET NOT NULL; ALTER TABLE wards DROP CONSTRAINT wards_beds_check');
SET ROLE regress_joined_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM rows JOIN wards w ON w.id = ward $$);
RESET ROLE;
SELECT there('ALTER TABLE wards ADD CHECK (beds > 0); ALTER TABLE wards ALTER beds TYPE bigint');
SET ROLE regress_joined_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM rows JOIN wards w ON w.id = ward $$);
RESET ROLE;
SELECT there('ALTER TABLE wards ALTER beds TYPE int; ALTER TABLE wards RENAME TO w; CREATE VIEW wards AS TABLE w; GRANT SELECT ON wards TO regress_joined_reader');
SET ROLE regress_joined_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM rows JOIN wards w ON w.id = ward $$);
RESET ROLE;
SELECT there('DROP VIEW wards; ALTER TABLE w RENAME TO wards; ALTER TABLE wards RENAME region TO place');
SET ROLE regress_joined_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM rows JOIN wards w ON w.id = ward $$);
RESET ROLE;
SELECT there('ALTER TABLE wards RENAME place TO region');
SELECT charges() - :were AS charged, bool_or(closed) AS closed FROM dp.budgets WHERE relation = 'rows'::regclass;
SET ROLE regress_joined_ana;
EXECUTE asked(10);
RESET ROLE;

-- Who may declare what.
SET ROLE regress_joined_ana;
SELECT dp.declare_copies('wards', 'wards_1');
RESET ROLE;
SET ROLE regress_joined_owner;
SELECT dp.declare_copies('here', 'wards_1');
SELECT dp.declare_copies('wards', 'regions');
SELECT dp.declare_copies('wards', 'regions_1');
SELECT dp.declare_copies('wards', 'r0');
SELECT dp.declare_copies('wards', NULL);
CREATE FOREIGN TABLE narrow (id bigint, region text COLLATE "C", beds int) SERVER joined1 OPTIONS (schema_name 'public', table_name 'wards');
SELECT dp.declare_copies('wards', 'narrow');
-- Taken back, also while a plan waits.
SELECT dp.declare_copies('wards', VARIADIC '{}');
SET ROLE regress_joined_ana;
EXECUTE asked(10);
SET ROLE regress_joined_owner;
SELECT count(*) AS joined_there FROM sent($$ SELECT region, dp_count('*', 1) FROM rows JOIN wards w ON w.id = ward GROUP BY region $$) s WHERE s ~ 'JOIN';
SELECT dp.declare_copies('wards', 'wards_1', 'wards_2');
SELECT count(*) AS joined_there FROM sent($$ SELECT region, dp_count('*', 1) FROM rows JOIN wards w ON w.id = ward GROUP BY region $$) s WHERE s ~ 'JOIN';
-- Copies that lack a column, or that somebody else owns, are none until they are as they were; what is dropped is forgotten.
CREATE FUNCTION joined_there() RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM sent('SELECT region, dp_count(''*'', 1) FROM rows JOIN wards w ON w.id = ward GROUP BY region') s WHERE s ~ 'JOIN'
$$;
ALTER TABLE wards ADD COLUMN floor int;
SELECT joined_there();
ALTER TABLE wards DROP COLUMN floor;
SELECT joined_there();
RESET ROLE;
ALTER FOREIGN TABLE wards_1 OWNER TO CURRENT_USER;
SET ROLE regress_joined_owner;
SELECT joined_there();
RESET ROLE;
ALTER FOREIGN TABLE wards_1 OWNER TO regress_joined_owner;
SET ROLE regress_joined_owner;
SELECT joined_there();
DROP FOREIGN TABLE wards_2;
DROP TABLE regions;
SELECT copy::text FROM dp.public_copy;
-- Two protected tables on one server are joined here, whatever that costs.
CREATE FOREIGN TABLE one (:columns) SERVER joined1 OPTIONS (schema_name 'public', table_name 'h0');
SELECT dp.protect('one', 9e9, privacy_unit => 'person', max_rows_per_unit => 7);
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_nestloop = off;
SELECT sent($$ SELECT dp_count('*', 1) FROM one a JOIN one b USING (person) $$);
RESET ROLE;
-- ONLY: among its own rows a table may have a key that all of it, which copies have, has not; a partitioned table has none.
SELECT there('CREATE TABLE levels (id int NOT NULL, name text); GRANT SELECT, INSERT ON levels TO regress_joined_reader');
SET ROLE regress_joined_owner;
CREATE TABLE levels (id int PRIMARY KEY, name text);
CREATE TABLE levels_more () INHERITS (levels);
INSERT INTO levels SELECT i, 'level ' || i FROM generate_series(0, 12) i;
INSERT INTO levels_more TABLE levels;
GRANT SELECT ON levels TO PUBLIC;
CREATE FOREIGN TABLE levels_1 (id int, name text) SERVER joined1 OPTIONS (schema_name 'public', table_name 'levels');
INSERT INTO levels_1 TABLE levels;
SELECT dp.declare_copies('levels', 'levels_1');
CREATE FOREIGN TABLE alone (:columns) SERVER joined1 OPTIONS (schema_name 'public', table_name 'r0');
SELECT dp.protect('alone', 9e9), dp.grant_budget('alone', 'regress_joined_ana', 9e9, allow_leaks => true);
SET ROLE regress_joined_ana;
SELECT dp_count('*', 1e6) AS each, (SELECT dp_count('*', 1e6) FROM alone JOIN ONLY levels l ON l.id = ward) AS joined FROM alone WHERE ward IS NOT NULL;
SELECT dp_count('*', 1e6) FROM ONLY rows;
RESET ROLE;

\set ECHO none
\i :two_servers_end
\set ECHO all
