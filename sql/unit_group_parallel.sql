-- Privacy units in groups that are known, in parallel plans: each process ships its records of units and groups, the leader shares the limits
-- of a unit among its groups once it has them all (src/aggregate/unit/shipped_groups.h). At an epsilon at which noise is nothing the answers
-- are those of a serial plan.
CALL own_schema('unit_group_parallel');
SET client_min_messages = warning;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- Rows of a unit lie far apart, so that every process reads some of them. Nobody has more than five in a group, nor more than 8 in all, so that
-- none is left out by chance; some rows have no value, some belong to nobody, some to no group.
CREATE TABLE stays (unit int, g int, w text, h numeric, x int, v float8, name text, id uuid) WITH (parallel_workers = 2);
INSERT INTO stays SELECT u, nullif(i % 5, 4), (ARRAY['north', 'south', 'east', 'nowhere'])[1 + i % 4], (i % 3) + CASE WHEN i % 2 = 0 THEN 0.0 ELSE 0.00 END, nullif(i % 23 - 5, 0), i % 101 / 8.0,
    'the person of the number ' || u, md5(u::text)::uuid
  FROM generate_series(1, 40000) i, LATERAL (SELECT nullif(i % 5004, 0) - 2500 AS u) u;
ANALYZE stays;
CREATE PROCEDURE protect(unit text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM dp.protect('stays', 9e9, privacy_unit => unit, max_rows_per_unit => 8);
  PERFORM dp.public_values('stays', 'g', 0, 1, 2, 3, 7), dp.public_values('stays', 'w', 'north', 'south', 'east', 'west'), dp.public_values('stays', 'h', 0::numeric, 1::numeric, 2::numeric);
END $$;
CALL protect('unit');
SELECT * FROM plan_of($$ SELECT g, dp_count('*', 1e6), dp_avg(x, -5, 20, 1e6) FROM stays GROUP BY g $$);
CREATE FUNCTION ask(workers int, memory text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  answers text;
BEGIN
  PERFORM set_config('max_parallel_workers_per_gather', workers::text, true), set_config('work_mem', memory, true);
  EXECUTE 'SELECT string_agg(a::text, '' '' ORDER BY a::text) FROM (' || query || ') AS a' INTO answers;
  RETURN answers;
END $$;
CREATE TABLE question (number int, query text, serial text);
INSERT INTO question VALUES
  (1, 'SELECT g, dp_count(''*'', 1e6) FROM stays WHERE g IS NOT NULL GROUP BY g'),
  (2, 'SELECT w, dp_count(''*'', 1e6), dp_count(x, 1e6), dp_sum(x, 0, 10, 1e6), round((dp_sum(v, 0, 10, 1e6) + 0.06)::numeric), dp_avg(v, 0, 10, 1e6)::numeric(20, 2), '
      'dp_variance(x, -5, 20, 1e6)::numeric(20, 1), (dp_totals(x, 0, 10, 1e6)).count FROM stays GROUP BY w HAVING dp_count(''*'', 1e6) > 100'),
  (3, 'SELECT g, w, h, dp_count(''*'', 1e6), dp_sum(x, 0, 10, 1e6) FROM stays WHERE g IS NOT NULL GROUP BY g, w, h'),
  (4, 'SELECT h, dp_count(''*'', 1e6) FILTER (WHERE x > 5) FROM stays GROUP BY h HAVING h < 2'),
  (5, 'SELECT g, w, dp_count(''*'', 1e6) FROM stays WHERE g IN (1, 2) AND w <> ''south'' AND x > 1000 GROUP BY g, w'),
  (6, 'SELECT w, dp_count(''*'', 1e6) FROM stays WHERE unit IS NULL GROUP BY w'),
  (7, 'SELECT g, dp_count(''*'', 1e6) FROM stays GROUP BY g');
UPDATE question SET serial = ask(0, '64MB', query);
SELECT number, length(serial) > 15 AS asked, ask(2, '64MB', query) = serial AS parallel, ask(2, '64kB', query) = serial AS in_files FROM question ORDER BY 1;
-- What the limits leave, and the superuser's own count.
SELECT serial = (SELECT string_agg(format('(%s,%s)', g, n), ' ' ORDER BY format('(%s,%s)', g, n)) FROM (SELECT g, count(*) AS n FROM stays WHERE g IS NOT NULL AND unit IS NOT NULL GROUP BY g
  UNION ALL VALUES (7, 0)) plain) AS plain FROM question WHERE number = 1;
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
-- Units by their bytes
CALL protect('name');
SELECT bool_and(ask(2, '64kB', query) = serial AND ask(2, '64MB', query) = serial) AS texts FROM question;
CALL protect('id');
SELECT bool_and(ask(2, '64kB', query) = serial AND ask(2, '64MB', query) = serial) AS uuids FROM question;
-- Limits hold over all processes together: three of the rows of a unit count, in whatever groups they are.
SELECT dp.protect('stays', 9e9, privacy_unit => 'unit', max_rows_per_unit => 3);
SELECT ask(2, memory, 'SELECT sum(n) FROM (SELECT w, dp_count(''*'', 1e6) AS n FROM stays WHERE w <> ''nowhere'' GROUP BY w) s') FROM unnest('{64kB,64MB}'::text[]) memory;
SELECT sum(least(n, 3)) FROM (SELECT count(*) AS n FROM stays WHERE w <> 'nowhere' AND unit IS NOT NULL GROUP BY unit) u;
-- Groups that are not shown take no share of them.
SELECT ask(2, memory, 'SELECT sum(n) FROM (SELECT w, dp_count(''*'', 1e6) AS n FROM stays GROUP BY w HAVING w IN (''north'', ''east'')) s') FROM unnest('{64kB,64MB}'::text[]) memory;
SELECT sum(least(n, 3)) FROM (SELECT count(*) AS n FROM stays WHERE w IN ('north', 'east') AND unit IS NOT NULL GROUP BY unit) u;
-- Also where each process sends a file, and the leader reads of all of them what a part of the units has: as many as its memory holds.
CREATE TABLE many WITH (parallel_workers = 2) AS
  SELECT i % 30000 AS unit, i / 30000 AS g, i * 10007 % 1000003 AS x, i * 20011 % 1000033 AS y FROM generate_series(0, 89999) i;
ANALYZE many;
SELECT dp.protect('many', 9e9, privacy_unit => 'unit', max_rows_per_unit => 1), dp.public_values('many', 'g', 0, 1, 2);
SET parallel_leader_participation = off;
SELECT memory, ask(2, memory, 'SELECT sum(n), count(a), count(v + w) FROM (SELECT g, dp_count(''*'', 1e6) AS n, dp_avg(x + y, 0, 2e6, 1e6) AS a, '
    'dp_variance(x, 0, 1e6, 1e6) AS v, dp_variance(y, 0, 1e6, 1e6) AS w FROM many GROUP BY g) s') FROM unnest('{256kB,512kB,1MB,2MB}'::text[]) memory;
RESET parallel_leader_participation;
SELECT dp.protect('stays', 9e9, privacy_unit => 'unit', max_rows_per_unit => 8);
-- More values than are worth sending: the leader runs the plan alone.
CREATE TABLE wordy (unit int, a text NOT NULL) WITH (parallel_workers = 2);
INSERT INTO wordy SELECT i % 5000, repeat(md5((i % 6000)::text), 7) FROM generate_series(1, 20000) i;
ANALYZE wordy;
SELECT dp.protect('wordy', 9e9, privacy_unit => 'unit', max_rows_per_unit => 8), dp.public_values('wordy', 'a', VARIADIC ARRAY(SELECT DISTINCT a FROM wordy));
SELECT * FROM plan_of($$ SELECT a, dp_count('*', 1e6) FROM wordy GROUP BY a $$, 'Aggregate|Gather|Scan on');
SELECT count(*), sum(n), max(n) FROM (SELECT a, dp_count('*', 1e6) AS n FROM wordy GROUP BY a) s;
-- Values that were given to the statement, and a key that is computed
PREPARE bounded(int, text) AS SELECT w, dp_count('*', 1e6) FROM stays WHERE x < $1 AND w <> $2 GROUP BY w ORDER BY 1;
SET plan_cache_mode = force_generic_plan;
EXECUTE bounded(10, 'nowhere');
EXECUTE bounded(10, 'south');
RESET plan_cache_mode;
SELECT x > 3 AS more, dp_count('*', 1e6) FROM stays WHERE w <> 'nowhere' AND x IS NOT NULL GROUP BY 1 ORDER BY 1;
SELECT dp.unprotect('stays'), dp.unprotect('wordy'), dp.unprotect('many');
