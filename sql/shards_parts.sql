-- Servers that are told of pg_dp make parts of answers, which are added up here and drawn once.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_parts
\set server part
\set parts on
\set ECHO none
\i :two_databases
\set ECHO all
\c regress_part1
CREATE TABLE ev (id int, ward text, cost numeric(10,2), v float8, n int);
INSERT INTO ev SELECT i, (ARRAY['north', 'south', 'west'])[i % 3 + 1], i % 50 + 0.25, i % 7 / 2.0, nullif(i % 9, 3) FROM generate_series(0, 999) i;
\c regress_part2
CREATE TABLE ev (n int, id int, place text, cost numeric(10,2), v float8);
INSERT INTO ev SELECT nullif(i % 9, 3), i, (ARRAY['north', 'south', 'west'])[i % 3 + 1], i % 50 + 0.25, i % 7 / 2.0 FROM generate_series(1000, 1999) i;
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_parts_owner;
CREATE TABLE ev (id int, ward text, cost numeric(10,2), v float8, n int) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE ev1 PARTITION OF ev FOR VALUES FROM (0) TO (1000) SERVER part1 OPTIONS (schema_name 'public', table_name 'ev');
CREATE FOREIGN TABLE ev2 (ward text OPTIONS (column_name 'place'), n int, id int, cost numeric(10,2), v float8)
    SERVER part2 OPTIONS (schema_name 'public', table_name 'ev');
ALTER TABLE ev ATTACH PARTITION ev2 FOR VALUES FROM (1000) TO (2000);
CREATE TABLE here AS TABLE ev;
SELECT dp.protect('ev', 9e9), dp.protect('here', 9e9);
SELECT dp.public_values(t, 'ward', 'north', 'south', 'west') FROM unnest('{ev,here}'::regclass[]) t;
SELECT dp.declare_range(t, 'cost', 0, 100), dp.declare_range(t, 'v', 0, 10), dp.declare_range(t, 'n', 0, 10) FROM unnest('{ev,here}'::regclass[]) t;
SELECT dp.grant_budget(t, 'regress_parts_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6) FROM unnest('{ev,here}'::regclass[]) t;
RESET ROLE;

-- What is sent: whole aggregates, each to its server; and nothing to one that the conditions leave out.
SET ROLE regress_parts_owner;
\pset format unaligned
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF, VERBOSE) ' || query LOOP
        CONTINUE WHEN line ~ 'Output: (ev|\(|id)' AND line !~ 'Remote';
        RETURN NEXT regexp_replace(line, '\d+''::oid', 'N''::oid', 'g');
    END LOOP;
END
$$;
SELECT plan_of($$ SELECT ward, dp_count('*', 1), dp_sum(v, 0, 10, 1) FROM ev WHERE v < 2 AND ward IN ('north', 'south') GROUP BY ward $$);
SELECT plan_of($$ SELECT dp_count('*', 1) FILTER (WHERE v > 1) FROM ev WHERE id < 100 $$);
-- A condition that is not sent: parts are made here, of rows.
SELECT plan_of($$ SELECT dp_count('*', 1) FROM ev WHERE to_char(id, '999') = ' 100' $$);
\pset format aligned
-- A table that has rows here and, as its child, those of a server: one part of each.
CREATE TABLE root (LIKE ev);
INSERT INTO root (id) VALUES (1), (2);
CREATE FOREIGN TABLE child () INHERITS (root) SERVER part1 OPTIONS (schema_name 'public', table_name 'ev');
SELECT dp.protect('root', 9e9);
SELECT count(*) FILTER (WHERE p ~ 'shard_part') AS made, count(*) FILTER (WHERE p ~ 'Remote SQL.*shard_part') AS sent FROM plan_of($$ SELECT dp_count('*', 1e6) FROM root $$) p;
SELECT dp_count('*', 1e6) AS n FROM root;
SELECT dp.unprotect('root');
DROP TABLE root CASCADE;
RESET ROLE;

-- The same answers as over a table that is here.
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN there = here THEN left(there, 100) ELSE there || ' IS NOT ' || here END
    FROM (SELECT answer(replace(query, '%', 'ev')), answer(replace(query, '%', 'here'))) a (there, here)
$$;
INSERT INTO questions (text) VALUES
    ($$ SELECT count(*) FROM % $$),
    ($$ SELECT count(*), count(n), sum(n), round(avg(v)::numeric, 2) AS v FROM % $$),
    ($$ SELECT ward, count(*), round(sum(cost), -1) AS cost FROM % WHERE ward IN ('north', 'south', 'west') GROUP BY ward $$),
    ($$ SELECT ward, dp_count('*', 1e6), dp_count(n, 1e6) AS n FROM % GROUP BY ward $$),
    ($$ SELECT count(*) FILTER (WHERE v > 1) AS many, count(*) FILTER (WHERE n IS NULL) AS none FROM % $$),
    ($$ SELECT dp_sum(n, 0, 5, 1e6) AS n, dp_avg(v, 0, 10, 1e6)::numeric(6,3) AS v, round(dp_sum(cost, 0, 10.5, 1e6), 1) AS cost FROM % $$),
    ($$ SELECT dp_variance(v, 0, 10, 1e6)::numeric(6,2) AS s, dp_stddev(n, 0, 10, 1e6)::numeric(6,2) AS d, dp_var_pop(n, 0, 10, 1e6)::numeric(6,2) AS p, dp_stddev_pop(cost, 0, 100, 1e6)::numeric(6,2) AS c FROM % $$),
    ($$ SELECT dp_histogram(v, 0, 4, 4, 1e6) FROM % $$),
    ($$ SELECT dp_histogram(ward, ARRAY['north', 'west'], 1e6) FROM % $$),
    ($$ SELECT dp_median(v, 0, 10, 1e6)::numeric(6,2) AS m FROM % $$),
    ($$ SELECT dp_mode(ward, ARRAY['north', 'west'], 1e6) AS m FROM % WHERE ward <> 'west' $$),
    ($$ SELECT (dp_totals(v, 0, 10, 1e6)).count AS c FROM % $$),
    ($$ SELECT count(*) FROM % WHERE id < 100 $$),
    ($$ SELECT count(*) FROM % WHERE id > 5000 $$),
    ($$ SELECT count(*) FROM % WHERE id BETWEEN 500 AND 1499 AND ward = 'north' $$),
    ($$ SELECT count(*) FROM % WHERE to_char(id, '999') = ' 100' $$),
    ($$ SELECT id < 1000 AS low, count(*) FROM % GROUP BY 1 $$),
    ($$ SELECT ward, count(*) FROM % GROUP BY ward HAVING count(*) > 10 ORDER BY ward LIMIT 2 $$),
    ($$ SELECT count(*) FROM % WHERE n = (SELECT 4) $$),
    ($$ SELECT ward, count(*) FROM % GROUP BY GROUPING SETS ((ward), ()) $$),
    ($$ SELECT corr(v, n + v)::numeric(6,2) AS c, covar_samp(v, n + v)::numeric(6,1) AS s, regr_slope(v, n + v)::numeric(6,2) AS b, regr_count(n, v) AS k FROM % $$),
    ($$ SELECT ward, dp_covar_pop(v, n + v, 0, 10, 0, 20, 1e6)::numeric(6,1) AS s, (dp_regression(n + v, v, 0, 20, 0, 10, 1e6)).corr::numeric(6,2) AS r FROM % GROUP BY ward HAVING count(*) > 10 $$);
SET ROLE regress_parts_owner;
SELECT count(*) AS sent FROM sent($$ SELECT dp_corr(v, n, 0, 10, 0, 10, 1), dp_covar_pop(v, n, 0, 10, 0, 10, 1) FROM ev $$) s WHERE s ~ 'shard_part.*dp_corr.*shard_part.*dp_covar';
SET ROLE regress_parts_ana;
SELECT number, same(text) FROM questions ORDER BY number;
PREPARE asked(float8, int) AS SELECT dp_sum(v, 0, $1, 1e6)::numeric(10,1), dp_count('*', 1e6) FROM ev WHERE n < $2;
EXECUTE asked(10, 5);
EXECUTE asked(1, 8);
SET plan_cache_mode = force_generic_plan;
EXECUTE asked(10, 5);
RESET plan_cache_mode;
-- One draw and one charge for all servers.
SELECT count(DISTINCT n) > 1 AS noise FROM (SELECT dp_count('*', 0.1) FROM ev UNION ALL SELECT dp_count('*', 0.1) FROM ev UNION ALL SELECT dp_count('*', 0.1)
    FROM ev UNION ALL SELECT dp_count('*', 0.1) FROM ev UNION ALL SELECT dp_count('*', 0.1) FROM ev) a (n);
RESET ROLE;
SELECT count(*), sum(epsilon) FROM dp.ledger WHERE relation = 'ev'::regclass AND epsilon < 1;

-- Units with several rows: rows are fetched, and limited here.
SET client_min_messages = error;
SET ROLE regress_parts_owner;
SELECT dp.protect(t, 9e9, privacy_unit => 'n', max_rows_per_unit => 7) FROM unnest('{ev,here}'::regclass[]) t;
SELECT count(*) AS parts FROM plan_of($$ SELECT dp_count('*', 1e6) FROM ev $$) p WHERE p LIKE '%shard_part%';
SET ROLE regress_parts_ana;
SELECT same('SELECT count(*) FROM %');
RESET ROLE;

-- A single foreign table.
SET ROLE regress_parts_owner;
SELECT dp.unprotect('ev');
SELECT dp.protect('ev1', 9e9);
SELECT dp.grant_budget('ev1', 'regress_parts_ana', 9e9, allow_leaks => true);
SELECT plan_of($$ SELECT dp_count('*', 1e6) FROM ev1 $$);
SET ROLE regress_parts_ana;
SELECT dp_count('*', 1e6) FROM ev1;
RESET ROLE;

-- What makes parts may be called by whoever reads the rows, and is no way to those of others; what adds up is none for anybody.
GRANT USAGE ON SCHEMA dp_internal TO regress_parts_ana;
SELECT dp_internal.shard_part('*', 1::float8, 'dp_count(any,float8)'::text) FROM generate_series(1, 3);
SELECT dp_internal.shard_part(x::float8, 0::float8, 10::float8, 1::float8, 'dp_sum(float8,float8,float8,float8)'::text) FROM generate_series(1, 3) x;
SET ROLE regress_parts_ana;
SELECT dp_internal.shard_part('*', 1::float8, 'dp_count(any,float8)'::text) FROM ev1;
SELECT dp_count('*', 1), dp_internal.shard_part('*', 1::float8, 'dp_count(any,float8)'::text) FROM ev1;
SELECT dp_internal.shard_bigint('\x6470730102000000010000005f6470670500000000000000'::bytea, '*', 1::float8, 'dp_count("any",float8)'::regprocedure::oid);
SELECT dp_internal.shard_part('*', 1::float8, 'dp_counts(any)'::text);
SELECT dp_internal.shard_part('*', 1::float8, NULL::text);
-- Of no other types than the aggregate takes: a number would be read as another one, or as where something lies.
SELECT dp_internal.shard_part(x, 0::float8, 10::float8, 1::float8, 'dp_sum(float8,float8,float8,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_part(x::bigint, 0::float8, 10::float8, 1::float8, 'dp_sum(numeric,float8,float8,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_part(x, 0::float8, 10::float8, 1::float8, 1::float8, 'dp_sum(int4,float8,float8,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_part(x, ARRAY['a', 'b'], 1::float8, 'dp_histogram(anycompatible,anycompatiblearray,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_part('b'::text, ARRAY['a', 'b'], 1::float8, 'dp_histogram(anycompatible,anycompatiblearray,float8)'::text) FROM generate_series(1, 3) x;
SELECT dp_internal.shard_part('*', 1::float8, 'no name'::text);
RESET ROLE;
REVOKE USAGE ON SCHEMA dp_internal FROM regress_parts_ana;

-- Another version there, none, or one that may not be used.
\c regress_part1
REVOKE USAGE ON SCHEMA dp_internal FROM regress_parts_reader;
\c :before
SET search_path = regress_parts, public;
SET ROLE regress_parts_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM ev1 $$);
RESET ROLE;
\c regress_part1
GRANT USAGE ON SCHEMA dp_internal TO regress_parts_reader;
UPDATE pg_extension SET extversion = '0.0.9' WHERE extname = 'pg_dp';
\c :before
SET search_path = regress_parts, public;
SET ROLE regress_parts_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM ev1 $$);
RESET ROLE;
SELECT bool_or(closed) AS closed FROM dp.budgets WHERE relation = 'ev1'::regclass;
-- Told of nothing, the server sends rows.
ALTER SERVER part1 OPTIONS (DROP extensions);
SET ROLE regress_parts_ana;
SELECT told($$ SELECT dp_count('*', 1e6) FROM ev1 $$);
RESET ROLE;

\set ECHO none
\i :two_servers_end
\set ECHO all
