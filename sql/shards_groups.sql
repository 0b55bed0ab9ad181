-- Groups of privacy units on servers that have all rows of a unit: each is told which groups there are, and shares a unit's limits among them;
-- where limits are chosen it sends the totals under each. The same answers as over a table that is here.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_groups
\set server groups
\set parts on
\set ECHO none
\i :two_databases
\set ECHO all
\set columns 'id int, person int, region text COLLATE "C", ward text COLLATE "C", m regress_groups.mood, day date, v float8, cost numeric(10,2), n int'
\c regress_groups1
CREATE SCHEMA regress_groups;
-- Labels have other numbers here than there.
CREATE TYPE regress_groups.other AS ENUM ('a', 'b', 'c');
CREATE TYPE regress_groups.mood AS ENUM ('low', 'high');
GRANT USAGE ON SCHEMA regress_groups TO regress_groups_reader;
CREATE TABLE h0 (:columns);
CREATE TABLE whole (:columns);
\c regress_groups2
CREATE SCHEMA regress_groups;
CREATE TYPE regress_groups.mood AS ENUM ('low', 'high');
GRANT USAGE ON SCHEMA regress_groups TO regress_groups_reader;
CREATE TABLE h1 (:columns);
CREATE TABLE h2 (:columns);
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_groups_owner;
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE TABLE hashed (:columns) PARTITION BY HASH (person);
CREATE FOREIGN TABLE h0 PARTITION OF hashed FOR VALUES WITH (MODULUS 3, REMAINDER 0) SERVER groups1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE h1 PARTITION OF hashed FOR VALUES WITH (MODULUS 3, REMAINDER 1) SERVER groups2 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE h2 PARTITION OF hashed FOR VALUES WITH (MODULUS 3, REMAINDER 2) SERVER groups2 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE whole (:columns) SERVER groups1 OPTIONS (schema_name 'public');
CREATE TABLE here (:columns);
-- A person has one region, several wards; some rows and persons have none.
INSERT INTO here SELECT i, nullif(p, 4), (ARRAY['east', 'north', 'south', NULL])[p % 4 + 1], nullif((ARRAY['A', 'B', 'C'])[i % 3 + 1], CASE WHEN i % 50 = 0 THEN 'A' END),
    (ARRAY['low', 'high'])[p % 2 + 1]::mood, date '2026-01-01' + p, p / 10.0, p + 0.25, nullif(p % 9, 3)
FROM generate_series(0, 2999) i, LATERAL (SELECT i * i % 97) x (p);
INSERT INTO hashed TABLE here;
INSERT INTO whole TABLE here;
CREATE FUNCTION protect(unit text, VARIADIC limits text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY '{hashed,whole,here}'::text[] LOOP
        EXECUTE format('SELECT dp.protect(%L, 9e9, privacy_unit => %L, %s)', t, unit, array_to_string(limits, ', '));
    END LOOP;
END
$$;
SELECT protect('person', 'max_rows_per_unit => 7');
SELECT count(dp.declare_range(t, 'v', 0, 10)), count(dp.declare_range(t, 'n', 0, 10)), count(dp.declare_range(t, 'cost', 0, 100)), count(dp.public_values(t, 'ward', 'A', 'B', 'C', 'D')),
    count(dp.public_values(t, 'region', 'east', 'north', 'south', 'it''s "\ west')), count(dp.public_values(t, 'n', 0, 1, 2, 4)), count(dp.declare_range(t, 'day', date '2026-01-01', date '2026-04-30')),
    count(dp.grant_budget(t, 'regress_groups_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6)) FROM unnest('{hashed,whole,here}'::regclass[]) t;
RESET ROLE;

-- What is sent: the key, the unit, the limits of a unit, and which groups there are.
SET ROLE regress_groups_owner;
\pset format unaligned
SELECT sent($$ SELECT region, dp_count('*', 1), dp_sum(v, 0, 10, 1) FILTER (WHERE n > 1) FROM hashed WHERE v < 2 GROUP BY region $$);
SELECT sent($$ SELECT region, ward, dp_avg(v, 0, 10, 1) FROM whole GROUP BY 1, 2 $$);
-- What depends on a setting is computed here, from rows; groups that are chosen, and sets of groups, are limited here.
SELECT sent($$ SELECT to_char(day, 'MM') = '01', dp_count('*', 1) FROM whole GROUP BY 1 $$);
SELECT count(*) AS parts FROM sent($$ SELECT region, ward, dp_count('*', 1) FROM hashed GROUP BY ROLLUP (region, ward) $$) p WHERE p ~ 'shard_';
SELECT count(*) AS parts FROM sent($$ SELECT region, dp_histogram(v, 0, 10, 2, 1) FROM hashed GROUP BY region $$) p WHERE p ~ 'shard_';
\pset format aligned
RESET ROLE;

CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN a.hashed = a.here AND a.whole = a.here THEN left(a.here, 90) ELSE concat_ws(' IS NOT ', a.hashed, a.whole, a.here) END
    FROM (SELECT answer(replace(query, '%', 'hashed')), answer(replace(query, '%', 'whole')), answer(replace(query, '%', 'here'))) a (hashed, whole, here)
$$;
INSERT INTO questions (text) VALUES
    ($$ SELECT region, count(*) FROM % GROUP BY region $$),
    ($$ SELECT region, count(*), count(n) AS n, round(sum(cost), -1) AS cost, round(avg(v)::numeric, 2) AS v FROM % GROUP BY region HAVING count(*) > 10 $$),
    ($$ SELECT m, dp_count('*', 1e6), dp_sum(n, -3, 5, 1e6) AS n, dp_variance(v, 0, 10, 1e6)::numeric(6,2) AS s FROM % GROUP BY m HAVING count(*) > 10 $$),
    ($$ SELECT region, m, count(*), dp_sum(v, -1, 4, 1e6)::numeric(9,1) AS v FROM % WHERE cost > 20 GROUP BY region, m $$),
    ($$ SELECT date_trunc('month', day::timestamp) AS month, count(*) FROM % WHERE day BETWEEN '2026-01-01' AND '2026-04-30' GROUP BY 1 $$),
    ($$ SELECT n > 4 AS many, count(*) FILTER (WHERE v > 1), count(*) AS c FROM % GROUP BY 1 $$),
    ($$ SELECT n, count(*), count(DISTINCT person) AS p FROM % GROUP BY n $$),
    ($$ SELECT region, (dp_totals(n, 0, 9, 1e6)).count AS c FROM % GROUP BY region $$),
    ($$ SELECT region, stddev(v)::numeric(5,1) AS s FROM % WHERE region IN ('east', 'north') GROUP BY region HAVING count(*) > 10 $$),
    ($$ SELECT region, count(*) FROM % WHERE id > 50000 GROUP BY region $$),
    ($$ SELECT sum(c) FROM (SELECT ward, count(*) AS c FROM % GROUP BY ward) q $$),
    ($$ SELECT region, count(*) FROM % WHERE to_char(id, '9999') LIKE '%%1' GROUP BY region $$),
    ($$ SELECT corr(v, n + v)::numeric(6,2) AS c, covar_samp(v, n + v)::numeric(6,1) AS s, regr_slope(v, n + v)::numeric(6,2) AS b, regr_count(n, v) AS k FROM % $$),
    ($$ SELECT region, (dp_covar_pop(v, n + v, 0, 10, 0, 20, 1e6) + 0.03)::numeric(6,1) AS s, (dp_regression(n + v, v, 0, 20, 0, 10, 1e6)).corr::numeric(6,2) AS r FROM % GROUP BY region HAVING count(*) > 10 $$);
SET ROLE regress_groups_owner;
SELECT count(*) AS sent FROM sent($$ SELECT region, dp_corr(v, n, 0, 10, 0, 10, 1), dp_covar_pop(v, n, 0, 10, 0, 10, 1) FROM hashed GROUP BY region $$) s WHERE s ~ 'shard_groups.*dp_corr.*shard_groups.*dp_covar';
SET ROLE regress_groups_ana;
SELECT number, same(text) FROM questions ORDER BY number;
SET dp.max_rows_per_unit = 2;
SELECT number, same(text) FROM questions WHERE number IN (1, 3, 7, 11) ORDER BY number;
RESET dp.max_rows_per_unit;
PREPARE asked(float8, int) AS SELECT region, dp_sum(v, 0, $1, 1e6)::numeric(10,1), dp_count('*', 1e6) FROM hashed WHERE n < $2 GROUP BY region;
PREPARE asked_here(float8, int) AS SELECT region, dp_sum(v, 0, $1, 1e6)::numeric(10,1), dp_count('*', 1e6) FROM here WHERE n < $2 GROUP BY region;
EXECUTE asked(3, 5);
EXECUTE asked_here(3, 5);
SET plan_cache_mode = force_generic_plan;
EXECUTE asked(4, 3);
EXECUTE asked_here(4, 3);
RESET plan_cache_mode;
-- What the session says of texts changes nothing of what is sent.
SET DateStyle = 'SQL, DMY';
SET IntervalStyle = 'sql_standard';
SET client_encoding = 'LATIN1';
SELECT same($$ SELECT date_trunc('month', day::timestamp) AS month, count(*) FROM % WHERE day BETWEEN '01/01/2026' AND '30/04/2026' GROUP BY 1 $$);
RESET ALL;
SET client_min_messages = warning;
SET search_path = regress_groups, public;
RESET ROLE;

-- Limits of groups, and of rows in each: a person who has wards A, B and C counts in two of them.
SET client_min_messages = error; -- other limits
SET ROLE regress_groups_owner;
SELECT protect('person', 'max_groups_per_unit => 2', 'max_rows_per_group => 3');
SET ROLE regress_groups_ana;
SELECT number, same(text) FROM questions WHERE number IN (1, 2, 3) ORDER BY number;
RESET ROLE;

-- Limits that are chosen, by groups and without; sums without bounds; limits of some beside.
SET ROLE regress_groups_owner;
SELECT protect('person', 'limits => ''auto''');
\pset format unaligned
SELECT sent($$ SELECT dp_count('*', 1), dp_sum(v, 0, 10, 1) FROM whole $$);
SELECT sent($$ SELECT region, dp_count('*', 1), dp_sum(n, '-Infinity', 'Infinity', 1) FROM whole GROUP BY region $$);
SELECT sent($$ SELECT dp_histogram(v, 0, 10, 2, 1) FROM whole $$);
SELECT sent($$ SELECT region, dp_histogram(ward, ARRAY['A', 'B', 'C'], 1) FROM whole GROUP BY region $$);
SELECT plan_of('SELECT region, dp_histogram(v, 0, 10, 2, 1) FROM hashed GROUP BY region', 'Parts|Rows|Limit');
\pset format aligned
SET ROLE regress_groups_ana;
SELECT same($$ SELECT count(*), sum(n), round(avg(v)::numeric, 2) AS v FROM % $$);
SELECT same($$ SELECT dp_count('*', 1e6), dp_sum(n, '-Infinity', 'Infinity', 1e6) AS n, round(dp_variance(v, 0, 10, 1e6)::numeric, 2) AS s, count(DISTINCT person) AS p FROM % $$);
SELECT same($$ SELECT dp_sum(n, -5, 5, 1e6) AS n, dp_sum(cost, 0, 50, 1e6)::numeric(9,0) AS c FROM % WHERE v < 3 $$);
SELECT same($$ SELECT count(*) FROM % WHERE id > 50000 $$);
SELECT number, same(text) FROM questions WHERE number IN (1, 2, 3, 7, 10, 12, 13) ORDER BY number;
SELECT same($$ SELECT region, dp_sum(n, '-Infinity', 'Infinity', 1e6) AS n, round(dp_sum(cost, -10, 50, 1e6), -2) AS c FROM % GROUP BY region $$);
SELECT same($$ SELECT dp_histogram(v, 0, 10, 2, 1e6) AS h FROM % $$);
SELECT same($$ SELECT dp_histogram(ward, ARRAY['A', 'B', 'C'], 1e6) AS h FROM % WHERE n > 2 $$);
SELECT same($$ SELECT dp_histogram(v, 0, 10, 5, 1e6) AS h FROM % WHERE id > 50000 $$);
SELECT same($$ SELECT region, dp_histogram(v, 0, 10, 2, 1e6) AS h FROM % GROUP BY region $$);
SELECT same($$ SELECT region, dp_histogram(ward, ARRAY['A', 'B', 'C'], 1e6) FILTER (WHERE v < 5) AS h FROM % GROUP BY region $$);
SELECT same($$ SELECT dp_count('*', 1e6), dp_histogram(ward, ARRAY['A', 'B', 'C'], 1e6) AS h FROM % $$);
-- Conditions that exclude each other have one limit and pay once, of which servers are told: one bin of theirs has a unit with all that it has. So
-- they do where some have no row on a server. Of the same rows limits are chosen from the same counts.
SELECT same($$ SELECT count(*) FILTER (WHERE n < 3) AS few, count(*) FILTER (WHERE n > 5) AS many FROM % $$);
SELECT same($$ SELECT region, count(*) FILTER (WHERE n < 3) AS few, count(*) FILTER (WHERE n > 5) AS many FROM % GROUP BY region $$);
SELECT same($$ SELECT count(*) FILTER (WHERE person = 3) AS one, count(*) FILTER (WHERE person = 8) AS other, sum(n) FILTER (WHERE person <= 9) AS some, sum(n) FILTER (WHERE person > 9) AS others FROM % $$);
SELECT same($$ SELECT round(avg(v)::numeric, 3) AS v, round(avg(cost), 3) AS cost, count(*) AS n, round(avg(v) FILTER (WHERE n < 3)::numeric, 3) AS few, round(avg(v) FILTER (WHERE n > 5)::numeric, 3) AS many FROM % $$);
SELECT plan_of('SELECT count(*) FILTER (WHERE n < 3), count(*) FILTER (WHERE n > 5) FROM hashed', 'Epsilon|One Release|One Choice');
SELECT plan_of('SELECT region, count(*), avg(v), avg(cost) FROM hashed GROUP BY region', 'Epsilon|One Release|One Choice');
-- The limits are those that are chosen here.
SET dp.epsilon = 100;
SELECT same($$ SELECT dp_error(count(*) FILTER (WHERE ward = 'A')) AS a, dp_error(count(*) FILTER (WHERE ward = 'B')) AS b FROM % $$);
SELECT same($$ SELECT region, dp_error(count(*) FILTER (WHERE ward = 'A')) AS a, dp_error(count(*) FILTER (WHERE ward = 'B')) AS b FROM % GROUP BY region $$);
RESET dp.epsilon;
RESET ROLE;

-- Where a unit is on two servers, and where keys depend on each other, rows are fetched.
SET client_min_messages = error;
SET ROLE regress_groups_owner;
CREATE TABLE by_id (:columns) PARTITION BY HASH (id);
CREATE FOREIGN TABLE by_id0 PARTITION OF by_id FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER groups1 OPTIONS (schema_name 'public', table_name 'h0');
CREATE FOREIGN TABLE by_id1 PARTITION OF by_id FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER groups2 OPTIONS (schema_name 'public', table_name 'h1');
SELECT dp.protect('by_id', 9e9, privacy_unit => 'person', max_rows_per_unit => 7), dp.public_values('by_id', 'region', 'east', 'north', 'south');
SELECT count(*) AS parts FROM sent($$ SELECT region, dp_count('*', 1) FROM by_id GROUP BY region $$) p WHERE p ~ 'shard_';
SELECT count(*) AS parts FROM sent($$ SELECT n, n > 1 AS many, dp_count('*', 1) FROM hashed GROUP BY 1, 2 $$) p WHERE p ~ 'shard_';
RESET ROLE;
SET ROLE regress_groups_ana;
SELECT same($$ SELECT n, n > 1 AS many, count(*) AS c FROM % GROUP BY 1, 2 $$);
RESET ROLE;

-- Rows of a unit that belong to another partition count nowhere: nobody has more than 7.
SET ROLE regress_groups_owner;
SELECT protect('person', 'max_rows_per_unit => 7');
RESET ROLE;
\c regress_groups1
INSERT INTO h0 SELECT i, p * p % 97, 'east', 'A', 'low', '2026-01-01', 9, 9, 9 FROM generate_series(1, 10) i, generate_series(0, 96) p WHERE p * p % 97 NOT IN (SELECT person FROM h0 WHERE person IS NOT NULL UNION SELECT 4);
\c :before
SET client_min_messages = warning;
SET search_path = regress_groups, public;
SET ROLE regress_groups_ana;
SELECT same(text) FROM questions WHERE number = 1;
RESET ROLE;

-- By itself it may be called of one group of the node and one unit, with what another server sends. Values come in the order of that one.
SELECT dp_internal.shard_row(x, u, 0::bigint, 0::bigint, 9::bigint, '\x64706b010300000001000000010000003301000000310100000032'::bytea),
    dp_internal.shard_groups('*', 1::float8, 9::bigint, 'dp_count(any,float8)'::text) AS of_3_1_2_none FROM (VALUES (1, 1), (1, 2), (2, 1), (3, 1), (3, 2), (3, 3)) r (x, u);
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x64706b0101000000000000000900000031'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, NULL::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x64706b0101000000000000000100000031'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x64706b0101000000000000000100000078'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x64706b01ffffff7f00000000'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x::text, x, 0::bigint, 0::bigint, 3::bigint, '\x64706b01010000000000000001000000ff'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x64706b010100000000000000010000003100'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, 'x'::text), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x GROUP BY x;
SELECT dp_internal.shard_row(x, x::numeric, 0::bigint, 0::bigint, 3::bigint, '\x'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x'::bytea), dp_count('*', 1) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_row(x, x, 0::bigint, 0::bigint, 3::bigint, '\x'::bytea), dp_internal.shard_groups(x, 0::float8, 1::float8, 1::float8, 3::bigint, 'dp_histogram(int4,int4,int4,int4,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_groups_bigint(dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text), 1::bigint, '*', 1::float8, 1::oid) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_groups_bigint('\x00'::bytea, 1::bigint, '*'::text, 1::float8, 'dp_count("any", float8)'::regprocedure::oid) FROM generate_series(1, 3) x;
GRANT USAGE ON SCHEMA dp_internal TO regress_groups_ana;
SET ROLE regress_groups_ana;
SELECT dp_internal.shard_row(region, person, 0::bigint, 0::bigint, 3::bigint, '\x'::bytea), dp_internal.shard_groups('*', 1::float8, 3::bigint, 'dp_count(any,float8)'::text) FROM hashed;
RESET ROLE;
REVOKE USAGE ON SCHEMA dp_internal FROM regress_groups_ana;

\set ECHO none
\i :two_servers_end
\set ECHO all
