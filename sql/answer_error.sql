-- dp_error: how far the answer beside it may be off. The same draw and the same charge.
CALL own_schema('answer_error');
SET client_min_messages = warning;
CREATE ROLE regress_error_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL, cost float8);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 100, i % 50 FROM generate_series(1, 6000) i;
SELECT dp.protect('stay', 1e9, 1e-3, answer_epsilon => 1);
SELECT dp.grant_budget('stay', 'regress_error_ana', 1e9, 1e-3, allow_leaks => true);
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c');
SELECT dp.declare_range('stay', 'cost', 0, 50), dp.declare_range('stay', 'age', 0, 100);
CREATE FUNCTION spent(OUT charges bigint, OUT epsilon numeric) RETURNS record LANGUAGE sql SECURITY DEFINER
    AS $$ SELECT count(*), sum(l.epsilon) FROM dp.ledger l WHERE l.relation = 'answer_error.stay'::regclass $$;
SET ROLE regress_error_ana;

-- Of counts and sums it depends on epsilon and the bounds alone: what dp_interval says, too.
SELECT dp_error(count(*)) AS count, dp_error(count(*), 0.5) AS half, dp_error(sum(age)) AS sum, dp_error(sum(age), 0.5) AS half_sum FROM stay;
SELECT upper AS count FROM dp_interval(0, 'auto', 1, 0.95);
SELECT * FROM spent();
SELECT ward, dp_error(dp_count('*', 0.1)) AS count, dp_error(dp_sum(cost, 0, 50, 0.1, 'laplace'), 0.9) > 1000 AS sum,
    dp_error(dp_histogram(age, 0, 100, 4, 0.1)) AS each FROM stay GROUP BY ward ORDER BY ward;
SELECT * FROM spent();
-- The same call: the answer beside it, above it, in ORDER BY, HAVING, windows and subqueries. One charge of 1 each.
SELECT abs(count(*) - 6000) <= 5 * dp_error(count(*)) AS near, count(*) - dp_error(count(*)) < count(*) AS below FROM stay;
SELECT ward FROM stay GROUP BY ward HAVING dp_error(count(*)) < 100 ORDER BY dp_error(avg(cost)) * 0, ward LIMIT 2;
SELECT ward, rank() OVER (ORDER BY dp_error(count(*), 0.8)) AS rank FROM stay GROUP BY ward ORDER BY ward;
SELECT max(e) AS most FROM (SELECT ward, count(*) AS n, dp_error(count(*)) AS e FROM stay GROUP BY ward) t;
SELECT ward, GROUPING(ward) AS all_of_them, dp_error(count(*)) AS error FROM stay GROUP BY ROLLUP (ward) ORDER BY 2, 1;
SELECT dp_error(count(*) FILTER (WHERE age > 50)) AS filtered, dp_error(count(DISTINCT ward)) AS different FROM stay;
SELECT * FROM spent();
PREPARE of(float8, float8) AS SELECT dp_error(dp_count('*', $1), $2) AS error FROM stay;
EXECUTE of(1, 0.95);
EXECUTE of(0.5, 0.9);
SET plan_cache_mode = force_generic_plan;
EXECUTE of(0.5, 0.9);
DEALLOCATE of;
RESET plan_cache_mode;
-- Averages and variances: from the released numbers, so that it holds the exact answer.
SELECT abs(avg(cost) - 24.5) <= dp_error(avg(cost), 0.999999) AS mean, dp_error(avg(cost), 0.999999) BETWEEN 0.01 AND 2 AS width,
    abs(dp_variance(cost, 0, 50, 1) - 208.37) <= dp_error(dp_variance(cost, 0, 50, 1), 0.999999) AS variance,
    abs(stddev(cost) - 14.435) <= dp_error(stddev(cost), 0.999999) AS deviation FROM stay;
SELECT dp_error(avg(cost), 0.999999) BETWEEN 24.9 AND 50 AS open FROM stay WHERE age = 101;
-- The interval of dp_errors.
SELECT dp_count(*) AS n, dp_avg(cost) AS mean, dp_error(dp_count(*), 0.9) AS error, dp_error(dp_avg(cost), 0.9) AS of_mean FROM stay \gset
SELECT (upper::numeric - lower::numeric) / 2 = :error AS same FROM dp_errors(dp_last_release(), 0.9) WHERE answer::numeric = :n;
SELECT abs(greatest(upper::numeric - :mean, :mean - lower::numeric) - :of_mean) < 1e-9 AS same
    FROM dp_errors(dp_last_release(), 0.9) WHERE answer::numeric BETWEEN 0 AND 50;
-- Choices, bounds and noise that depends on the answer tell nothing of it.
SELECT dp_error(percentile_cont(0.5) WITHIN GROUP (ORDER BY age)) AS median, dp_error(mode() WITHIN GROUP (ORDER BY ward)) AS mode,
    dp_error(dp_bounds(age)) AS bounds, dp_error(dp_count('*', 0.5, 'truncated_gg(p=2, lower=0, upper=10000)')) AS truncated FROM stay;
SELECT dp.private_form('SELECT dp_error(count(*)), dp_error(avg(age), 0.9) FROM stay');

-- What is not an answer.
\set VERBOSITY terse
SELECT dp_error(5);
SELECT dp_error(n) FROM (SELECT count(*) AS n FROM stay) t;
SELECT dp_error(count(*) + 1) FROM stay;
SELECT dp_error(min(age)), count(*) FROM stay;
SELECT dp_error(count(*), 1) FROM stay;
SELECT dp_error(count(*), NULL) FROM stay;
SELECT dp_error(count(*), age / 100.0) FROM stay GROUP BY age;
SELECT dp_error(count(*), avg(age)) FROM stay;
SELECT dp_error(string_agg(ward, '')) FROM stay;
\set VERBOSITY default
SELECT dp_error(age) FROM stay;
SELECT * FROM spent();
-- A function of the same name that somebody made is none.
CREATE FUNCTION pg_temp.dp_error(anyelement) RETURNS float8 LANGUAGE sql AS 'SELECT -1.0::float8';
SELECT pg_temp.dp_error(count(*)) AS somebodys FROM stay;
DROP FUNCTION pg_temp.dp_error(anyelement);
RESET ROLE;
-- Who reads the rows has exact answers, and private ones.
SELECT dp_error(dp_count('*', 1)) AS error FROM stay;
SELECT dp_error(count(*)) FROM stay;
CREATE TABLE open AS SELECT 1 AS a;
SELECT dp_error(dp_count('*', 1)) FROM open;

-- An answer that is shown again has the error with which it was drawn, and one that was made finer that of its level.
SELECT dp.protect('stay', 1e9, 1e-3, answer_epsilon => 1, reuse => '1 day');
SET ROLE regress_error_ana;
CREATE TEMP TABLE drawn AS SELECT ward, dp_count('*', 2) AS n, dp_error(dp_count('*', 2)) AS error,
    dp_error(dp_avg(cost, 0, 50, 2)) AS of_mean FROM stay WHERE age > 20 GROUP BY ward;
SELECT d.error, s.error AS again, d.n = s.n AND d.of_mean = s.of_mean AS same FROM drawn d JOIN (SELECT ward, dp_count('*', 1) AS n,
    dp_error(dp_count('*', 1)) AS error, dp_error(dp_avg(cost, 0, 50, 1)) AS of_mean FROM stay WHERE age > 20 GROUP BY ward) s USING (ward) ORDER BY ward;
SELECT dp_error(dp_avg(cost, 0, 50, 2)) = (SELECT of_mean FROM drawn WHERE ward = 'b') AS same FROM stay WHERE age > 20 AND ward = 'b' GROUP BY ward;
EXPLAIN (COSTS OFF) SELECT ward, dp_count('*', 1), dp_error(dp_count('*', 1)) FROM stay WHERE age > 20 GROUP BY ward;
EXPLAIN (COSTS OFF) SELECT ward, dp_count('*', 4) FROM stay WHERE age > 20 GROUP BY ward;
CREATE TEMP TABLE finer AS SELECT ward, dp_error(dp_count('*', 4)) AS error, dp_error(dp_avg(cost, 0, 50, 4)) AS of_mean FROM stay WHERE age > 20 GROUP BY ward;
SELECT f.error, f.of_mean < d.of_mean AS closer FROM finer f JOIN drawn d USING (ward) ORDER BY ward;
SELECT f.of_mean = s.of_mean AS same, f.error = s.error AS also FROM finer f JOIN (SELECT ward, dp_error(dp_avg(cost, 0, 50, 3)) AS of_mean,
    dp_error(dp_count('*', 3)) AS error FROM stay WHERE age > 20 GROUP BY ward) s USING (ward);
SELECT l.kind, l.epsilon FROM dp.ledger l WHERE l.role = 'regress_error_ana'::regrole ORDER BY seq DESC LIMIT 2;
RESET ROLE;
DROP TABLE stay, open, drawn, finer CASCADE;
DROP ROLE regress_error_ana;
