-- Privacy units in parallel plans without group keys: each process keeps the units whose rows it reads, and the leader adds up what
-- they ship (src/aggregate/unit/shipped_units.h). At an epsilon at which noise is nothing the answers are those of a serial plan, and
-- limits hold for what a unit has in all processes together.
CALL own_schema('unit_parallel');
SET client_min_messages = warning;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- Rows of a unit lie far apart, so that every process reads some of them. 5,003 units; some rows have no value, some belong to nobody.
CREATE TABLE stays (unit int, x int, v float8, n numeric, name text, id uuid) WITH (parallel_workers = 2);
INSERT INTO stays SELECT u, nullif(i % 23 - 5, 0), i % 101 / 8.0, i % 19 / 4.0, 'the person of the number ' || u, md5(u::text)::uuid
  FROM generate_series(1, 40000) i, LATERAL (SELECT nullif(i * 7919 % 5004, 0) - 2500 AS u) u;
INSERT INTO stays SELECT 77, 3, 3, 3, 'the person of the number 77', md5('77')::uuid FROM generate_series(1, 5000);
ANALYZE stays;
SELECT dp.protect('stays', 9e9, privacy_unit => 'unit', max_rows_per_unit => 5);
SELECT * FROM plan_of($$ SELECT dp_count('*', 1e6), dp_avg(x, -5, 20, 1e6) FROM stays $$);
SELECT * FROM plan_of($$ SELECT dp_median(x, -5, 20, 1e6) FROM stays $$, 'Aggregate|Gather');
-- The same questions of one process and of several, by work_mem: in one value, and in files
CREATE FUNCTION ask(workers int, memory text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  answers text;
BEGIN
  PERFORM set_config('max_parallel_workers_per_gather', workers::text, true), set_config('work_mem', memory, true);
  EXECUTE 'SELECT a::text FROM (' || query || ') AS a' INTO answers;
  RETURN answers;
END $$;
CREATE TABLE question (number int, query text, serial text);
INSERT INTO question VALUES
  (1, 'SELECT dp_count(''*'', 1e6) FROM stays'),
  (2, 'SELECT dp_count(''*'', 1e6), dp_count(x, 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6), round((dp_sum(v, 0, 10, 1e6) + 0.06)::numeric), '
      'round(dp_sum(n, 0, 4, 1e6) + 0.06), dp_avg(v, 0, 10, 1e6)::numeric(20, 2), dp_variance(x, -5, 20, 1e6)::numeric(20, 1), '
      'dp_stddev(v, 0, 15, 1e6)::numeric(20, 2) FROM stays'),
  (3, 'SELECT dp_count(''*'', 1e6) FILTER (WHERE unit = 77), dp_sum(x, 0, 10, 1e6) FILTER (WHERE x > 5), dp_count(x, 1e6) FROM stays'),
  (4, 'SELECT dp_count(x, 1e6), dp_sum(x, 0, 10, 1e6) FROM stays WHERE unit = 77'),
  (5, 'SELECT dp_count(''*'', 1e6), dp_sum(x, 0, 10, 1e6), dp_histogram(x, 0, 10, 2, 1e6) FROM stays WHERE x > 1000'),
  (6, 'SELECT dp_count(''*'', 1e6) FROM stays WHERE unit IS NULL'),
  (7, 'SELECT dp_histogram(sign(unit)::int, -1, 1, 3, 1e6), dp_count(''*'', 1e6), dp_median(unit % 1 + 7, 0, 10, 1e6)::numeric(20, 1) FROM stays');
UPDATE question SET serial = ask(0, '64MB', query);
SELECT number, serial, ask(2, '64MB', query) = serial AS parallel, ask(2, '64kB', query) = serial AS in_files FROM question ORDER BY 1;
SELECT sum(least(rows, 5)), sum(least(total, 50)) FROM (
  SELECT count(*) AS rows, sum(clamp(x, 0, 10)) AS total FROM stays WHERE unit IS NOT NULL GROUP BY unit) u;
-- The leader reads no row; no worker is there; PostgreSQL wants workers where none is of use
SET parallel_leader_participation = off;
SELECT bool_and(ask(2, '64kB', query) = serial) AS by_workers FROM question;
RESET parallel_leader_participation;
SET max_parallel_workers = 0;
SELECT bool_and(ask(2, '64kB', query) = serial) AS by_the_leader FROM question;
RESET max_parallel_workers;
SELECT count(set_config(name, 'on', false)) FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query');
SELECT bool_and(ask(2, '64kB', query) = serial) AS forced FROM question;
SELECT count(set_config(name, 'off', false)) FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query');
-- More memory than any machine has
SET hash_mem_multiplier = 1000;
SELECT bool_and(ask(0, '2147483647kB', query) = serial) AS in_all_memory FROM question;
RESET hash_mem_multiplier;
-- Units by their bytes
SELECT dp.protect('stays', 9e9, privacy_unit => 'name', max_rows_per_unit => 5);
UPDATE question SET query = replace(query, 'DISTINCT unit', 'DISTINCT name');
SELECT bool_and(ask(2, '64kB', query) = serial AND ask(2, '64MB', query) = serial) AS texts FROM question;
SELECT dp.protect('stays', 9e9, privacy_unit => 'id', max_rows_per_unit => 5);
UPDATE question SET query = replace(query, 'DISTINCT name', 'DISTINCT id');
SELECT bool_and(ask(2, '64kB', query) = serial AND ask(2, '64MB', query) = serial) AS uuids FROM question;
-- Units longer than a block of what is shipped, and one that is empty
CREATE TABLE wordy (unit text, x int) WITH (parallel_workers = 2);
INSERT INTO wordy SELECT repeat(md5((i % 40)::text), 300 * (i % 40)), i FROM generate_series(0, 1999) i;
SELECT dp.protect('wordy', 9e9, privacy_unit => 'unit', max_rows_per_unit => 5);
SELECT ask(2, memory, 'SELECT dp_count(''*'', 1e6), dp_count(DISTINCT unit, 1e6), dp_sum(x, 0, 10, 1e6) FROM wordy') FROM unnest('{64kB,64MB}'::text[]) memory;
SELECT sum(least(rows, 5)), count(*), sum(least(total, 50)) FROM (SELECT count(*) AS rows, sum(least(x, 10)) AS total FROM wordy GROUP BY unit) u;
-- Processes of which each has other units: the leader has no places for all of them.
CREATE TABLE parts (unit int, x int) PARTITION BY RANGE (unit);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (50000) WITH (parallel_workers = 0);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (50000) TO (100000) WITH (parallel_workers = 0);
CREATE TABLE parts_3 PARTITION OF parts FOR VALUES FROM (100000) TO (200000) WITH (parallel_workers = 0);
INSERT INTO parts SELECT i / 2, i % 23 FROM generate_series(0, 299999) i;
ANALYZE parts;
SELECT dp.protect('parts', 9e9, privacy_unit => 'unit', max_rows_per_unit => 2);
SELECT * FROM plan_of('SELECT dp_sum(x, 0, 10, 1e6) FROM parts', 'Aggregate|Gather|Append|Scan on');
SELECT ask(2, memory, 'SELECT dp_sum(x, 0, 10, 1e6), dp_count(''*'', 1e6), dp_avg(x, 0, 22, 1e6)::numeric(20, 3) FROM parts') FROM unnest('{512kB,64MB}'::text[]) memory;
SELECT sum(least(x, 10)), count(*), avg(x)::numeric(20, 3) FROM parts;
-- Places by a hash (unit_places.h), which are shipped as they are: of units that all processes have, and of others in each, for all of which the
-- leader has places, or only for some, or for some of those of each process (330 kB), or nobody has any.
SELECT bool_and(ask(workers, memory, query) = serial) AS of_all FROM
  (SELECT 'SELECT dp_count(''*'', 1e6), dp_sum(x, 0, 10, 1e6), round((dp_sum(v, 0, 10, 1e6) + 0.06)::numeric) FROM stays') q(query),
  LATERAL (SELECT concat('(', sum(least(rows, 5)), ',', sum(least(total, 50)), ',', round(sum(least(amounts, 50))::numeric + 0.06), ')') FROM (
    SELECT count(*) AS rows, coalesce(sum(clamp(x, 0, 10)), 0) AS total, sum(clamp(v, 0, 10)) AS amounts FROM stays WHERE id IS NOT NULL GROUP BY id) u) e(serial),
  unnest('{0,2}'::int[]) workers, unnest('{64kB,256kB,64MB}'::text[]) memory;
CREATE TABLE named (unit text, x int, part int) PARTITION BY LIST (part);
CREATE TABLE named_1 PARTITION OF named FOR VALUES IN (1) WITH (parallel_workers = 0);
CREATE TABLE named_2 PARTITION OF named FOR VALUES IN (2) WITH (parallel_workers = 0);
CREATE TABLE named_3 PARTITION OF named FOR VALUES IN (3) WITH (parallel_workers = 0);
INSERT INTO named SELECT 'the person of the number ' || unit, x, least(3, 1 + unit / 50000) FROM parts;
ANALYZE named;
SELECT dp.protect('named', 9e9, privacy_unit => 'unit', max_rows_per_unit => 2);
SELECT * FROM plan_of('SELECT dp_count(''*'', 1e6) FROM named', 'Aggregate|Gather|Append|Scan on');
SELECT ask(2, memory, 'SELECT dp_count(''*'', 1e6) FROM named') AS counted, ask(2, memory, 'SELECT dp_count(''*'', 1e6), dp_sum(x, 0, 10, 1e6) FROM named') AS of_two
FROM unnest('{64kB,330kB,512kB,1MB,64MB}'::text[]) memory;
-- Which row of a unit counts, if one may: each is as likely, whichever process reads it. Of 20,000 units each has a row of value 0 in the
-- first quarter of the table and three of value 1 behind it: 5,000 on average, and six standard deviations are 367.
CREATE TABLE choice WITH (parallel_workers = 2) AS SELECT i % 20000 AS unit, (i >= 20000)::int AS x FROM generate_series(0, 79999) i;
SELECT dp.protect('choice', 9e9, privacy_unit => 'unit', max_rows_per_unit => 1);
SET work_mem = '256kB';
SELECT h[1] + h[2] AS units, h[1] BETWEEN 4633 AND 5367 AS alike FROM (SELECT dp_histogram(x, ARRAY[0, 1], 1e6) AS h FROM choice) s;
RESET work_mem;
SELECT count(DISTINCT h) > 1 AS differ FROM (SELECT ask(2, '64MB', 'SELECT dp_histogram(x, ARRAY[0, 1], 1e6) FROM choice') AS h FROM generate_series(1, 4)) s;
-- Values that were given to the statement
PREPARE bounded(float8, float8, int) AS SELECT dp_sum(x, $1, $2, 1e6), dp_count('*', 1e6) FROM stays WHERE x < $3;
SET plan_cache_mode = force_generic_plan;
EXECUTE bounded(0, 10, 5);
EXECUTE bounded(0, 2, 100);
RESET plan_cache_mode;
SELECT sum(least(coalesce(a, 0), 50)), sum(least(b, 10)) FROM (
  SELECT sum(clamp(x, 0, 10)) FILTER (WHERE x < 5) AS a, sum(clamp(x, 0, 2)) AS b FROM stays WHERE unit IS NOT NULL GROUP BY unit) u;
-- What is shipped in files leaves none, nor does a worker that has too much for its disk, nor one that is cancelled.
CREATE FUNCTION left_behind() RETURNS bigint LANGUAGE sql AS
  $$ SELECT count(*) FROM pg_ls_dir('base/pgsql_tmp', true, false) name WHERE name LIKE 'pgsql\_tmp' || pg_backend_pid() || '.%.fileset' $$;
CREATE TABLE crowd WITH (parallel_workers = 1) AS SELECT (i::bigint * 7919) % 150001 AS unit, i % 23 AS x FROM generate_series(1, 300000) i;
SELECT dp.protect('crowd', 9e9, privacy_unit => 'unit', max_rows_per_unit => 2);
SET parallel_leader_participation = off;
SET max_parallel_workers_per_gather = 1;
SET work_mem = '64kB';
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6), dp_count(DISTINCT unit, 1e6) FROM crowd;
SELECT left_behind();
SELECT sum(least(rows, 2)), sum(least(total, 20)), count(*) FROM (SELECT count(*) AS rows, sum(least(x, 10)) AS total FROM crowd GROUP BY unit) u;
\set VERBOSITY sqlstate
SET temp_file_limit = '1MB';
SELECT dp_count('*', 1e6) FROM crowd;
RESET temp_file_limit;
SET statement_timeout = '5ms';
SELECT dp_count('*', 1e6) FROM crowd;
RESET statement_timeout;
\set VERBOSITY default
SELECT left_behind();
-- By hand they do nothing, in parallel plans either.
CREATE TABLE nobodys WITH (parallel_workers = 2) AS SELECT * FROM generate_series(1, 1000) unit;
SELECT dp_internal.units_bigint(''::text, unit, 1e6::float8, 'dp_count("any", float8)'::regprocedure::oid) FROM nobodys;
-- An analyst's answer comes from workers as well.
CREATE ROLE regress_unit_parallel;
GRANT SELECT ON crowd TO regress_unit_parallel;
SELECT dp.grant_budget('crowd', 'regress_unit_parallel', 9e8, allow_leaks => true);
SET ROLE regress_unit_parallel;
SELECT dp_count('*', 1e6), dp_sum(x, 0, 10, 1e6) FROM crowd;
RESET ROLE;
SET dp.allow_drop = on;
DROP SCHEMA unit_parallel CASCADE;
DROP ROLE regress_unit_parallel;
