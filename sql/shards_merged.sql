-- Units whose rows are on several servers, and many on each: these send the part of each unit, and the coordinator limits what these are together; the same
-- answers as over a table that is here.
\getenv folder PG_ABS_SRCDIR
\set two_databases :folder '/test/support/two_databases.sql'
\set two_servers :folder '/test/support/two_servers.sql'
\set two_servers_end :folder '/test/support/two_servers_end.sql'
\set name regress_merged
\set server merged
\set parts on
\set ECHO none
\i :two_databases
\set ECHO all
\set columns 'id int, person int, who text COLLATE "C", ward text COLLATE "C", v float8, n int'
\c regress_merged1
CREATE TABLE r0 (:columns);
\c regress_merged2
CREATE TABLE r1 (:columns);
\set ECHO none
\i :two_servers
\set ECHO all
SET ROLE regress_merged_owner;
CREATE TABLE ranged (:columns) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE r0 PARTITION OF ranged FOR VALUES FROM (MINVALUE) TO (2000) SERVER merged1 OPTIONS (schema_name 'public');
CREATE FOREIGN TABLE r1 PARTITION OF ranged FOR VALUES FROM (2000) TO (4000) SERVER merged2 OPTIONS (schema_name 'public');
CREATE TABLE last PARTITION OF ranged FOR VALUES FROM (4000) TO (MAXVALUE);
CREATE TABLE here (:columns);
-- A person has one ward; some rows have none, and some no person.
INSERT INTO here SELECT i, nullif(p, 4), 'p' || p, (ARRAY['north', 'south', 'west'])[p % 4 + 1], p / 10.0, nullif(i % 9, 3) FROM generate_series(0, 5999) i, LATERAL (SELECT i * i % 61) x (p);
INSERT INTO ranged TABLE here;
ANALYZE here, last;
CREATE FUNCTION protect(VARIADIC limits text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY '{ranged,here}'::text[] LOOP
        EXECUTE format('SELECT dp.protect(%L, 9e9, %s)', t, array_to_string(limits, ', '));
    END LOOP;
END
$$;
SELECT protect('privacy_unit => ''person''', 'max_rows_per_unit => 100');
SELECT count(dp.declare_range(t, 'v', 0, 10)), count(dp.declare_range(t, 'n', 0, 10)), count(dp.public_values(t, 'ward', 'north', 'south', 'west')),
    count(dp.public_values(t, 'n', 0, 1, 2, 4)), count(dp.grant_budget(t, 'regress_merged_ana', 9e9, allow_leaks => true, answer_epsilon => 1e6)) FROM unnest('{ranged,here}'::regclass[]) t;
RESET ROLE;

-- What is sent: the part of each unit.
SET ROLE regress_merged_owner;
\pset format unaligned
SELECT sent($$ SELECT dp_count('*', 1), dp_sum(v, 0, 10, 1) FILTER (WHERE n > 1) FROM ranged WHERE v < 5 $$);
SELECT sent($$ SELECT dp_count('*', 1) FROM ranged WHERE id < 100 $$);
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM ranged;
\pset format aligned
-- What a limit does not make worth it, groups, and what keeps rows: these are fetched.
SET dp.max_rows_per_unit = 15;
SELECT count(*) AS parts FROM sent($$ SELECT dp_count('*', 1) FROM ranged $$) p WHERE p ~ 'shard_';
RESET dp.max_rows_per_unit;
SELECT count(*) AS parts FROM sent($$ SELECT ward, dp_count('*', 1) FROM ranged GROUP BY ward $$) p WHERE p ~ 'shard_';
SELECT count(*) AS parts FROM sent($$ SELECT dp_histogram(v, 0, 10, 2, 1) FROM ranged $$) p WHERE p ~ 'shard_';
SELECT count(*) AS parts FROM sent($$ SELECT dp_count(DISTINCT n, 1) FROM ranged $$) p WHERE p ~ 'shard_';
RESET ROLE;

CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN a.ranged = a.here THEN left(a.here, 100) ELSE concat_ws(' IS NOT ', a.ranged, a.here) END
    FROM (SELECT answer(replace(query, '%', 'ranged')), answer(replace(query, '%', 'here'))) a (ranged, here)
$$;
INSERT INTO questions (text) VALUES
    ($$ SELECT count(*) FROM % $$),
    ($$ SELECT dp_count(n, 1e6), dp_sum(n, -3, 5, 1e6) AS n, dp_avg(v, 0, 10, 1e6)::numeric(6,2) AS v FROM % $$),
    ($$ SELECT dp_variance(v, 0, 10, 1e6)::numeric(6,1) AS s, dp_stddev(n, 0, 10, 1e6)::numeric(6,1) AS d, (dp_totals(n, 0, 9, 1e6)).count AS c FROM % $$),
    ($$ SELECT count(DISTINCT person) AS p FROM % $$),
    ($$ SELECT dp_count('*', 1e6) FROM % WHERE v > 1 AND n <> 2 AND id > 500 $$),
    ($$ SELECT ward, dp_count('*', 1e6) AS count, dp_count(n, 1e6) AS n FROM % GROUP BY ward HAVING dp_count('*', 1e6) > 10 $$),
    ($$ SELECT ward, dp_sum(n, 0, 5, 1e6) AS n FROM % WHERE ward IN ('north', 'south') GROUP BY ward $$),
    ($$ SELECT sum(c) FROM (SELECT n, count(*) AS c FROM % GROUP BY n) q $$),
    ($$ SELECT count(*) FROM % WHERE to_char(id, '9999') LIKE '%%1' $$),
    ($$ SELECT count(*) FROM % WHERE id > 50000 $$),
    ($$ SELECT corr(v, n + v)::numeric(6,2) AS c, covar_samp(v, n + v)::numeric(6,1) AS s, regr_slope(v, n + v)::numeric(6,2) AS b, regr_count(n, v) AS k FROM % $$);
SET ROLE regress_merged_owner;
SELECT count(*) AS sent FROM sent($$ SELECT dp_corr(v, n, 0, 10, 0, 10, 1), dp_covar_pop(v, n, 0, 10, 0, 10, 1) FROM ranged $$) s WHERE s ~ 'shard_part.*dp_corr.*shard_part.*dp_covar';
SET ROLE regress_merged_ana;
SELECT number, same(text) FROM questions ORDER BY number;
PREPARE asked(float8, int) AS SELECT dp_sum(v, 0, $1, 1e6)::numeric(10,1), dp_count('*', 1e6) FROM ranged WHERE n < $2;
PREPARE asked_here(float8, int) AS SELECT dp_sum(v, 0, $1, 1e6)::numeric(10,1), dp_count('*', 1e6) FROM here WHERE n < $2;
EXECUTE asked(3, 5);
EXECUTE asked_here(3, 5);
RESET ROLE;
-- A limit of rows in each group is one where there is none; units are texts.
SET client_min_messages = error; -- other limits
SET ROLE regress_merged_owner;
SELECT protect('privacy_unit => ''who''', 'max_rows_per_unit => NULL', 'max_groups_per_unit => 1', 'max_rows_per_group => 64');
SELECT sent($$ SELECT dp_count('*', 1) FROM ranged $$);
SET ROLE regress_merged_ana;
SELECT number, same(text) FROM questions WHERE number IN (1, 2, 3, 7) ORDER BY number;
RESET ROLE;
-- It may not be called by itself.
SELECT dp_internal.unit_of_parts('\x6470730102000000010000005f6470670500000000000000'::bytea, '*', 1::float8, 'dp_count("any",float8)'::regprocedure::oid);

\set ECHO none
\i :two_servers_end
