-- What is kept of a statement's draws for its release counts against work_mem and goes to disk beyond that; nothing of it is lost.
CALL own_schema('release_spill');
SET client_min_messages = warning;
CREATE TABLE crowded AS SELECT i AS id, i % 20000 AS k, i % 7 AS x FROM generate_series(0, 39999) i;
SELECT dp.protect('crowded', 9e9, 0.5, group_epsilon => 1e6, group_delta => 1e-9);
SET work_mem = '64kB';
CREATE TABLE kept AS SELECT k, dp_count('*', 1e6) AS n, dp_avg(x, 0, 6, 1e6) AS mean FROM crowded GROUP BY k;
SELECT count(*), min(n), max(n) FROM kept;
-- Group by group what was said then.
SELECT count(*), count(*) FILTER (WHERE (answer #>> '{}')::float8 = CASE WHEN aggregate LIKE 'dp_count%' THEN n ELSE mean END) AS same
FROM dp_answer(dp_last_release()) JOIN kept ON k = (group_key ->> 'k')::int;
-- Groups that do not leave draw as well: every other one is of a single row.
CREATE TABLE thin AS SELECT i AS id, CASE WHEN i < 40000 THEN i % 8000 * 2 ELSE i % 8000 * 2 + 1 END AS k FROM generate_series(0, 47999) i;
SELECT dp.protect('thin', 9e9, 0.5, group_epsilon => 1e6, group_delta => 1e-9);
CREATE TABLE few AS SELECT k, dp_count('*', 1e6) AS n, dp_avg(id, 0, 48000, 1e6) AS mean FROM thin GROUP BY k;
SELECT count(*), bool_and(n = 5) AS fives, bool_and(k % 2 = 0) AS even FROM few;
SELECT count(*) = 2 * (SELECT count(*) FROM few) AS groups,
    bool_and((answer #>> '{}')::float8 = CASE WHEN aggregate LIKE 'dp_count%' THEN n ELSE mean END) AS same
FROM dp_answer(dp_last_release()) JOIN few ON k = (group_key ->> 'k')::int;
RESET work_mem;

-- More than the default is a superuser's to set.
CREATE ROLE regress_spill_ana;
SET ROLE regress_spill_ana;
SET dp.keep_releases = 1000001;
SET dp.keep_releases = 1000000;
SELECT set_config('dp.keep_releases', '30000000', false);
ALTER ROLE regress_spill_ana SET dp.keep_releases = 30000000;
RESET ROLE;
SET dp.keep_releases = 1000001;
-- The workers of a session that has it go by it.
-- force_parallel_mode was its name before 16.
SELECT name AS forced_parallel FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SET :forced_parallel = on;
SET ROLE regress_spill_ana;
SELECT count(*) FROM generate_series(1, 3);
SHOW dp.keep_releases;
RESET ROLE;
RESET :forced_parallel;
RESET dp.keep_releases;
ALTER ROLE regress_spill_ana SET dp.keep_releases = 2000000;
DROP ROLE regress_spill_ana;
DROP TABLE crowded, kept, thin, few;
