-- Partitions that are here beside ones on other servers: these make parts of their rows, and so is done here; the same answers as over a table that is here.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_beside
\set server beside
\set parts on
\set ECHO none
\i :two_databases
\set ECHO all
\set columns 'id int, person int, ward text COLLATE "C", v float8, n int'
\c regress_beside1
CREATE TABLE r0 (:columns);
CREATE TABLE h0 (:columns);
\c regress_beside2
CREATE TABLE r1 (:columns);
CREATE TABLE h1 (:columns);
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_beside_owner;
-- By time, of which the last is here and the one before has partitions of both kinds; and by the unit.
CREATE TABLE ranged (:columns) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE r0 PARTITION OF ranged FOR VALUES FROM (MINVALUE) TO (1000) SERVER beside1 OPTIONS (schema_name 'public');
CREATE TABLE later PARTITION OF ranged FOR VALUES FROM (1000) TO (2000) PARTITION BY LIST (n);
CREATE FOREIGN TABLE r1 PARTITION OF later FOR VALUES IN (0, 1, 2, 3) SERVER beside2 OPTIONS (schema_name 'public');
CREATE TABLE rest PARTITION OF later DEFAULT;
CREATE TABLE last (n int, v float8, dropped int, ward text COLLATE "C", id int, person int);
ALTER TABLE last DROP COLUMN dropped;
ALTER TABLE ranged ATTACH PARTITION last FOR VALUES FROM (2000) TO (MAXVALUE);
CREATE INDEX last_id ON last (id);
CREATE TABLE hashed (:columns) PARTITION BY HASH (person);
CREATE FOREIGN TABLE h0 PARTITION OF hashed FOR VALUES WITH (MODULUS 3, REMAINDER 0) SERVER beside1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE h1 PARTITION OF hashed FOR VALUES WITH (MODULUS 3, REMAINDER 1) SERVER beside2 OPTIONS (schema_name 'public');
CREATE TABLE h2 PARTITION OF hashed FOR VALUES WITH (MODULUS 3, REMAINDER 2);
CREATE TABLE here (:columns);
INSERT INTO here SELECT i, nullif(i * i % 97, 4), (ARRAY['north', 'south', 'west'])[i * i % 97 % 3 + 1], i * i % 97 / 10.0, nullif(i % 9, 3) FROM generate_series(0, 4999) i;
INSERT INTO ranged TABLE here;
INSERT INTO hashed TABLE here;
ANALYZE here, last, rest, h2;
CREATE TABLE wards (ward text COLLATE "C" PRIMARY KEY, beds int);
INSERT INTO wards VALUES ('north', 10), ('south', 20), ('west', 10);
GRANT SELECT ON wards TO PUBLIC;
CREATE FUNCTION protect(VARIADIC limits text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY '{ranged,hashed,here}'::text[] LOOP
        EXECUTE format('SELECT dp.protect(%L, 9e9, %s)', t, array_to_string(limits, ', '));
    END LOOP;
END
$$;
SELECT protect('privacy_unit => ''''');
SELECT count(dp.declare_range(t, 'v', 0, 10)), count(dp.declare_range(t, 'n', 0, 10)), count(dp.public_values(t, 'ward', 'north', 'south', 'west')),
    count(dp.grant_budget(t, 'regress_beside_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6)) FROM unnest('{ranged,hashed,here}'::regclass[]) t;

-- What is run where: whole aggregates there, the same here, with the indexes and workers that there are.
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF, VERBOSE) ' || query LOOP
        CONTINUE WHEN line ~ 'Output: ' AND line !~ 'PARTIAL';
        RETURN NEXT regexp_replace(line, '\d+''::oid', 'N''::oid', 'g');
    END LOOP;
END
$$;
\pset format unaligned
SELECT plan_of($$ SELECT ward, dp_count('*', 1) FROM ranged WHERE v < 2 GROUP BY ward $$);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT plan_of($$ SELECT dp_count('*', 1), dp_sum(v, 0, 10, 1) FROM ranged WHERE id BETWEEN 500 AND 2003 AND n < 3 $$);
SELECT dp_count('*', 1e6), round(dp_sum(v, 0, 10, 1e6)) FROM ranged WHERE id BETWEEN 500 AND 2003 AND n < 3;
SELECT dp_count('*', 1e6), round(dp_sum(v, 0, 10, 1e6)) FROM here WHERE id BETWEEN 500 AND 2003 AND n < 3;
RESET enable_seqscan;
SET enable_indexscan = off;
RESET enable_bitmapscan;
SET enable_seqscan = off;
SELECT dp_count('*', 1e6), round(dp_sum(v, 0, 10, 1e6)) FROM ranged WHERE id BETWEEN 500 AND 2003 AND n < 3;
RESET enable_seqscan;
RESET enable_indexscan;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT plan_of($$ SELECT dp_sum(v, 0, 10, 1) FROM ranged WHERE id > 500 AND n > 4 $$);
SELECT dp_count('*', 1e6), round(dp_sum(v, 0, 10, 1e6)) FROM ranged WHERE id > 500 AND n > 4;
SELECT dp_count('*', 1e6), round(dp_sum(v, 0, 10, 1e6)) FROM here WHERE id > 500 AND n > 4;
RESET ALL;
SET client_min_messages = warning;
SET search_path = regress_beside, public;
SET ROLE regress_beside_owner;
-- Nothing is sent to a server that conditions leave out; then nothing is elsewhere.
SELECT count(*) FROM sent($$ SELECT dp_count('*', 1) FROM ranged WHERE id > 2500 $$);
\pset format aligned
RESET ROLE;
SET ROLE regress_beside_ana;
EXPLAIN (COSTS OFF, VERBOSE) SELECT dp_count('*', 1) FROM ranged;
EXPLAIN (COSTS OFF, FORMAT JSON) SELECT dp_count('*', 1) FROM hashed WHERE id > 7;
RESET ROLE;

CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN a.ranged = a.here AND a.hashed = a.here THEN left(a.here, 90) ELSE concat_ws(' IS NOT ', a.ranged, a.hashed, a.here) END
    FROM (SELECT answer(replace(query, '%', 'ranged')), answer(replace(query, '%', 'hashed')), answer(replace(query, '%', 'here'))) a (ranged, hashed, here)
$$;
INSERT INTO questions (text) VALUES
    ($$ SELECT count(*) FROM % $$),
    ($$ SELECT ward, count(*), sum(n), round(avg(v)::numeric) AS v FROM % GROUP BY ward HAVING count(*) > 10 $$),
    ($$ SELECT count(*) FILTER (WHERE n > 4) AS many, count(n) AS n FROM % WHERE v > 1 $$),
    ($$ SELECT dp_histogram(v, 0, 10, 2, 1e6) FROM % WHERE n > 1 $$),
    ($$ SELECT count(*) FROM % WHERE id > 2500 AND n = 5 $$),
    ($$ SELECT ward, count(*) FROM % WHERE id < 900 GROUP BY ward $$),
    ($$ SELECT w.beds, count(*) FROM % e JOIN wards w USING (ward) GROUP BY w.beds $$),
    ($$ SELECT count(*), round(sum(v)::numeric, -1) AS v FROM % e JOIN wards w USING (ward) WHERE w.beds = 10 $$),
    ($$ SELECT ward, count(*) FROM % GROUP BY ROLLUP (ward) $$);
SET ROLE regress_beside_ana;
SELECT number, same(text) FROM questions ORDER BY number;
RESET ROLE;

-- Units, by which one of the tables is partitioned; limits declared and chosen.
SET client_min_messages = error; -- another privacy unit
SET ROLE regress_beside_owner;
SELECT protect('privacy_unit => ''person''', 'max_rows_per_unit => 7');
\pset format unaligned
SELECT sent($$ SELECT dp_count('*', 1) FROM hashed $$);
\pset format aligned
SET ROLE regress_beside_ana;
SELECT number, same(text) FROM questions WHERE number NOT IN (3, 4) ORDER BY number;
SELECT same('SELECT count(DISTINCT person) AS p FROM %');
RESET ROLE;
SET ROLE regress_beside_owner;
SELECT protect('privacy_unit => ''person''', 'limits => ''auto''');
SET ROLE regress_beside_ana;
SELECT number, same(text) FROM questions WHERE number IN (1, 2, 3, 7, 8) ORDER BY number;
SELECT same($$ SELECT dp_sum(n, '-Infinity', 'Infinity', 1e6) AS n FROM % $$);
RESET ROLE;

-- Statistics do not decide who computes: each server that can is asked for parts, of few rows too.
SET ROLE regress_beside_owner;
SELECT protect('privacy_unit => ''''');
CREATE FOREIGN TABLE few (:columns) SERVER beside1 OPTIONS (schema_name 'public', table_name 'h0');
SELECT dp.protect('few', 9e9), dp.public_values('few', 'id', VARIADIC ARRAY(SELECT generate_series(1, 9)));
RESET ROLE;
UPDATE pg_class SET reltuples = 2, relpages = 1 WHERE oid = 'few'::regclass;
SET ROLE regress_beside_owner;
SELECT count(*) FROM sent($$ SELECT id, dp_count('*', 1) FROM few GROUP BY id $$) s WHERE s ~ 'shard_part';
-- One server that makes none: all rows are fetched.
RESET ROLE;
ALTER SERVER beside2 OPTIONS (DROP extensions);
SET ROLE regress_beside_owner;
SELECT count(*) FROM sent($$ SELECT dp_count('*', 1) FROM hashed $$) s WHERE s ~ 'shard_part';
SELECT dp_count('*', 1e6) FROM hashed;
RESET ROLE;

\set ECHO none
\i :two_servers_end
