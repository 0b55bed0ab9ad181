-- Histograms and curves where no curator has said how many rows of a person count: a limit is chosen for the buckets of all groups together.
CALL own_schema('limits_of_histograms');
SET client_min_messages = error;
CREATE ROLE regress_buckets_ana;
CREATE TYPE mood AS ENUM ('good', 'fair', 'bad');
CREATE TABLE visits (id serial PRIMARY KEY, person int NOT NULL, name text NOT NULL, ward int NOT NULL, age int, mood mood NOT NULL);
-- From one row of a person to 45, in three wards and many buckets; some outside of them, some without an age.
INSERT INTO visits (person, name, ward, age, mood)
    SELECT p, 'person ' || p, (p + r) % 3, nullif((p * 7 + r * 13) % 110 - 5, 33), (ARRAY['good', 'fair', 'bad']::mood[])[1 + (p + r / 2) % 3]
    FROM generate_series(0, 1999) AS p, generate_series(1, 45) AS r WHERE r <= CASE WHEN p % 100 = 0 THEN 45 ELSE 1 + p % 6 END;
ANALYZE visits;
SELECT dp.protect('visits', 9e9, privacy_unit => 'person', answer_epsilon => 1e6);
SELECT dp.public_values('visits', 'ward', 0, 1, 2);
SELECT dp.grant_budget('visits', 'regress_buckets_ana', 8e9, allow_leaks => true);
\getenv folder PG_ABS_SRCDIR
\set spent :folder '/test/support/spent.sql'
\i :spent
-- Exact numbers, for comparison.
CREATE VIEW exact AS SELECT ward, count(*) AS n,
    ARRAY(SELECT count(v.id) FROM generate_series(1, 10) AS b LEFT JOIN visits AS v ON width_bucket(CASE v.age WHEN 100 THEN 99 ELSE v.age END, 0, 100, 10) = b AND (g.ward IS NULL OR v.ward = g.ward) GROUP BY b ORDER BY b) AS ages,
    ARRAY(SELECT count(v.id) FROM unnest(ARRAY['good', 'bad']::mood[]) WITH ORDINALITY AS m (mood, i) LEFT JOIN visits AS v ON v.mood = m.mood AND (g.ward IS NULL OR v.ward = g.ward) GROUP BY i ORDER BY i) AS moods,
    count(*) FILTER (WHERE age < 50) AS below
    FROM visits AS g GROUP BY GROUPING SETS ((), (ward));
GRANT SELECT ON exact TO regress_buckets_ana;

SET ROLE regress_buckets_ana;
CREATE FUNCTION pg_temp.differences(answers text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT format(''%%s: %%s %%s'', coalesce(e.ward::text, ''all''), d.key, d.value)
        FROM (%s) AS a JOIN exact AS e ON e.ward IS NOT DISTINCT FROM a.ward,
        LATERAL (SELECT x.key, x.value FROM jsonb_each_text(to_jsonb(a)) AS x JOIN jsonb_each_text(to_jsonb(e)) AS y USING (key) WHERE x.value <> y.value) AS d', answers);
END $$;
-- At a large epsilon nothing is cut, and the answers are exact.
EXPLAIN (COSTS OFF) SELECT dp_histogram(age, 0, 100, 10, 1e6) FROM visits;
SELECT * FROM pg_temp.differences('SELECT NULL::int AS ward, dp_histogram(age, 0, 100, 10, 1e6) AS ages FROM visits');
SELECT * FROM pg_temp.differences('SELECT NULL::int AS ward, dp_histogram(mood, ARRAY[''good'', ''bad'']::mood[]) AS moods FROM visits');
SELECT * FROM pg_temp.differences('SELECT NULL::int AS ward, dp_cumulative_count(c, 50) AS below FROM (SELECT dp_cumulative(age, -5, 105, 110, 1e6) AS c FROM visits) AS v');
SELECT * FROM pg_temp.differences('SELECT ward, dp_histogram(age, 0, 100, 10, 1e6) AS ages FROM visits GROUP BY ward');
SELECT * FROM pg_temp.differences('SELECT ward, dp_cumulative_count(c, 50) AS below FROM (SELECT ward, dp_cumulative(age, -5, 105, 110, 1e6) AS c FROM visits GROUP BY ward) AS v');
SELECT * FROM pg_temp.differences('SELECT ward, dp_histogram(mood, ARRAY[''good'', ''bad'']::mood[]) AS moods, count(*) AS n, dp_histogram(age, 0, 100, 10) AS ages FROM visits GROUP BY ROLLUP (ward)');
SELECT dp_histogram(age, 0, 100, 4, 1e6) FILTER (WHERE ward = 1), dp_histogram(age, 0, 100, 4, 1e6) FILTER (WHERE ward = 1 AND person = 100) AS of_one, count(*) FROM visits;
-- Nobody; a bucket without anybody.
SELECT dp_histogram(age, 200, 300, 3, 1e6) AS none, dp_histogram(age, 0, 100, 2, 1e6) FILTER (WHERE person < 0) AS nobody FROM visits;
SELECT ward, dp_histogram(age, 200, 300, 3, 1e6) FROM visits WHERE person < 0 GROUP BY ward ORDER BY ward;
-- In workers, with the leader and without; on disk.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;
SELECT * FROM pg_temp.differences('SELECT NULL::int AS ward, dp_histogram(age, 0, 100, 10, 1e6) AS ages FROM visits');
SELECT * FROM pg_temp.differences('SELECT ward, dp_histogram(age, 0, 100, 10, 1e6) AS ages FROM visits GROUP BY ward');
SET parallel_leader_participation = on;
SET work_mem = '64kB';
SELECT * FROM pg_temp.differences('SELECT NULL::int AS ward, dp_histogram(age, 0, 100, 10, 1e6) AS ages FROM visits');
SET max_parallel_workers_per_gather = 0;
SELECT * FROM pg_temp.differences('SELECT ward, dp_histogram(age, 0, 100, 10, 1e6) AS ages FROM visits WHERE ward < 3 GROUP BY ward');
RESET work_mem;
-- The price is the whole of epsilon, once, with the choice in it. The noise goes by the limit: 48 cuts
-- nothing of the persons with 45 rows, and 6 nothing of the others; errors are whole numbers, so that it is read as 6 or 7.5.
CALL from_now();
SELECT cardinality(dp_histogram(age, 0, 100, 10, 0.5)) FROM visits;
SELECT epsilon FROM spent();
CALL from_now();
SELECT count(h) FROM (SELECT ward, dp_histogram(age, 0, 100, 10, 0.5) AS h FROM visits GROUP BY ward) AS v;
SELECT epsilon FROM spent();
SELECT round(dp_error(dp_histogram(age, 0, 100, 10, 10)) * 7.5 / ln(20)) AS limit FROM visits;
SELECT round(dp_error(dp_histogram(age, 0, 100, 10, 10)) * 7.5 / ln(20)) AS limit FROM visits WHERE person % 100 > 0;
SELECT dp_histogram(age, 0, 100, 50000, 1) FROM visits GROUP BY ward;
SELECT dp_histogram(age, 0, 100, 10, 1, 'staircase') FROM visits;
-- What it is of a heat map.
SELECT dp_histogram(age, ward, 0, 100, 2, 0, 3, 3, 1) FROM visits;
RESET ROLE;

-- A person beyond the limit has its shares in all buckets together: one row, where all others have one.
CREATE TABLE shares (person int NOT NULL, x int NOT NULL);
INSERT INTO shares SELECT i, i % 10 FROM generate_series(1, 200) AS i UNION ALL SELECT 0, i % 10 FROM generate_series(1, 45) AS i;
-- What one person changes of the whole answer: 100 and 100 persons have a row in one of two buckets, eight have one in each; with nine the
-- choice between the limits 1 and 2 would turn, if it was made by exact numbers.
CREATE TABLE of_eight (person int NOT NULL, x int NOT NULL);
INSERT INTO of_eight SELECT i, i % 2 FROM generate_series(1, 200) AS i UNION ALL SELECT 1000 + i, b FROM generate_series(1, 8) AS i, generate_series(0, 1) AS b;
CREATE TABLE of_nine (person int NOT NULL, x int NOT NULL);
INSERT INTO of_nine SELECT * FROM of_eight UNION ALL VALUES (2000, 0), (2000, 1);
SELECT dp.protect(t, 1e9, privacy_unit => 'person') FROM unnest('{shares,of_eight,of_nine}'::regclass[]) AS t;
ANALYZE shares, of_eight, of_nine;
SET dp.keep_releases = 0;
CREATE TEMP TABLE answers (of regclass, h bigint[], error float8);
CREATE PROCEDURE ask(call text, of regclass, times int) LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1 .. times LOOP
        EXECUTE format('INSERT INTO answers SELECT %2$L, %1$s, dp_error(%1$s) FROM %2$s', call, of);
    END LOOP;
END $$;
CALL ask('dp_histogram(x, 0, 10, 10, 1)', 'shares', 1500);
CALL ask('dp_histogram(x, 0, 2, 2, 1)', 'of_eight', 6000);
CALL ask('dp_histogram(x, 0, 2, 2, 1)', 'of_nine', 6000);
-- 201, and 210 if each bucket had a limit of its own; known to 0.2.
SELECT avg((SELECT sum(x) FROM unnest(h) AS x)) BETWEEN 199.5 AND 203.5 AS shared FROM answers WHERE of = 'shares'::regclass AND error < 5;
-- Errors of 4 and 8 at limits of 1 and 2: ln(20) / 0.75 for each. `choice`: that alone, at a quarter of epsilon. `within`: both together, where
-- under the limit 2 both buckets are e^(3/8) likelier to be above what they are with nine, which is seen.
SELECT round(e.error) AS error, c.ratio BETWEEN exp(-0.25) * 0.83 AND exp(0.25) * 1.2 AS choice, b.ratio BETWEEN exp(-1) * 0.7 AND exp(1) * 1.4 AS within, b.ratio > 1.35 OR e.error = 4 AS seen
    FROM (VALUES (4.0), (8.0)) AS e (error),
    LATERAL (SELECT count(*) FILTER (WHERE of = 'of_nine'::regclass)::float8 / count(*) FILTER (WHERE of = 'of_eight'::regclass) AS ratio FROM answers WHERE round(answers.error) = e.error) AS c,
    LATERAL (SELECT count(*) FILTER (WHERE of = 'of_nine'::regclass)::float8 / count(*) FILTER (WHERE of = 'of_eight'::regclass) AS ratio FROM answers
        WHERE round(answers.error) = e.error AND least(h[1], h[2]) >= CASE e.error WHEN 4 THEN 104 ELSE 109 END) AS b;
