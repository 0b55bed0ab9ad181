-- Several quantiles of one column for one price: dp_quantiles, and percentile_cont and percentile_disc of lists.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('answer_quantiles');
CREATE ROLE regress_quantiles_ana;
CREATE TABLE scores (id int, team text, age int, points numeric(10, 2), ratio float8, day date);
INSERT INTO scores SELECT g, 't' || g % 2, g % 100, (g % 200) / 2.0, (g % 50) / 50.0, date '2026-01-01' + g % 100 FROM generate_series(1, 20000) g;

-- Over a table that may be read: near those of PostgreSQL, in the order in which they are asked, also where most values are the same.
SELECT dp_quantiles(age, ARRAY[0.755, 0.255, 0.505, 0.505], 0, 100, 1e5) AS ours, percentile_disc(ARRAY[0.755, 0.255, 0.505, 0.505]) WITHIN GROUP (ORDER BY age) AS exact FROM scores;
SELECT dp_quantiles(greatest(age - 70, 0), ARRAY[0.1, 0.5, 0.69, 0.805, 0.905], 0, 100, 1e5) AS ours, percentile_disc(ARRAY[0.1, 0.5, 0.69, 0.805, 0.905]) WITHIN GROUP (ORDER BY greatest(age - 70, 0)) AS exact FROM scores;
SELECT dp_quantiles(points, '{0, 1}', 0, 100, 1e5, 'exponential') AS ends, dp_quantiles(ratio, '{0.51}', 0, 1, 1e5) AS one, dp_quantiles(age::int2, '{0.305, 0.605}', 0, 100, 1e5) AS small, dp_quantiles(age::int8, '{0.305, 0.605}', 0, 100, 1e5) AS large FROM scores;
SELECT cardinality(dp_quantiles(age, array_fill(0.5, '{100}'), 0, 100, 1)), dp_quantiles(age, '{0.5, 0.6}', 0, 100, 1) IS NULL AS never FROM scores WHERE false;
-- What is no list of fractions.
SELECT dp_quantiles(age, ARRAY[0.5, NULL], 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, ARRAY[[0.5, 0.6]], 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, ARRAY[]::float8[], 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, array_fill(0.5, '{101}'), 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, ARRAY[0.5, 1.5], 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, ARRAY['NaN'::float8], 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, NULL::float8[], 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, 0.5, 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, ARRAY[ratio], 0, 100, 1) FROM scores;
SELECT dp_quantiles(age, ARRAY[0.5], 0, 100, 1, 'laplace') FROM scores;
SELECT dp_quantiles(age, ARRAY[0.1, 0.2], 0, 100, 1e-9) FROM scores;
SELECT dp_quantiles(age) FROM scores;

-- Over a protected one in ordinary SQL: one price however many there are.
SELECT dp.protect('scores', 1e7, privacy_unit => 'id', max_rows_per_unit => 1, answer_epsilon => 1e4) \g /dev/null
SELECT dp.declare_range('scores', 'age', 0, 100), dp.declare_range('scores', 'points', 0, 100), dp.declare_range('scores', 'ratio', 0, 1), dp.declare_range('scores', 'day', '2026-01-01', '2026-12-31'), dp.declare_values('scores', 'team', 't0', 't1') \g /dev/null
SELECT dp.grant_budget('scores', 'regress_quantiles_ana', 1e7, allow_leaks => true) \g /dev/null
SET ROLE regress_quantiles_ana;
SELECT percentile_disc(ARRAY[0.905, 0.105, 0.505]) WITHIN GROUP (ORDER BY age) AS ages, percentile_disc(ARRAY[0.095, 0.895]) WITHIN GROUP (ORDER BY age DESC) AS down FROM scores;
SELECT pg_typeof(percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY points)), pg_typeof(percentile_cont(ARRAY[0.5]) WITHIN GROUP (ORDER BY points)), pg_typeof(percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY age)) FROM scores;
SELECT team, (percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY age))[2] - (percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY age))[1] BETWEEN 48 AND 52 AS spread FROM scores WHERE team IS NOT NULL GROUP BY team ORDER BY team;
PREPARE asked(float8[]) AS SELECT percentile_disc($1) WITHIN GROUP (ORDER BY age) FROM scores;
EXECUTE asked('{0.255, 0.505}');
EXECUTE asked('{0.505}');
EXECUTE asked(NULL);
PREPARE down(float8[]) AS SELECT percentile_disc($1) WITHIN GROUP (ORDER BY age DESC) FROM scores;
EXECUTE down('{0.5}');
SELECT percentile_disc(ARRAY[0.5, 0.6]) WITHIN GROUP (ORDER BY day) FROM scores;
SELECT dp_quantiles(age, ARRAY[0.205, 0.405]) AS without_bounds, dp_quantiles(age, ARRAY[0.205, 0.405], 0, 200) AS without_epsilon FROM scores;
EXPLAIN (COSTS off) SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY ratio) FROM scores;
-- Several of one value under one condition are one list, whichever way they count; others are by themselves.
SELECT percentile_disc(0.255) WITHIN GROUP (ORDER BY age) AS low, percentile_disc(0.505) WITHIN GROUP (ORDER BY age) AS middle,
    percentile_cont(0.245) WITHIN GROUP (ORDER BY age DESC) BETWEEN 74 AND 76 AS high, percentile_disc(0.505) WITHIN GROUP (ORDER BY age) + 1 AS more FROM scores;
EXPLAIN (COSTS OFF) SELECT percentile_disc(0.255) WITHIN GROUP (ORDER BY age), percentile_cont(0.5) WITHIN GROUP (ORDER BY age), percentile_cont(0.5) WITHIN GROUP (ORDER BY points),
    percentile_cont(0.1) WITHIN GROUP (ORDER BY points) FILTER (WHERE age > 50), percentile_cont(0.2) WITHIN GROUP (ORDER BY points) FILTER (WHERE age > 50) FROM scores;
SELECT DISTINCT epsilon FROM dp.cost('SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY age), percentile_cont(0.75) WITHIN GROUP (ORDER BY age) FROM scores');
SELECT dp.private_form('SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY points), percentile_disc(0.75) WITHIN GROUP (ORDER BY points) FROM scores');
SELECT team, percentile_disc(0.255) WITHIN GROUP (ORDER BY age) < percentile_disc(0.755) WITHIN GROUP (ORDER BY age) AS rising FROM scores WHERE team IS NOT NULL
    GROUP BY team HAVING percentile_disc(0.505) WITHIN GROUP (ORDER BY age) > 0 ORDER BY team;
PREPARE ends(float8, float8) AS SELECT percentile_disc($1) WITHIN GROUP (ORDER BY age) AS low, percentile_disc($2) WITHIN GROUP (ORDER BY age) AS high FROM scores;
EXECUTE ends(0.105, 0.905);
SET plan_cache_mode = force_generic_plan;
EXECUTE ends(0.105, 0.905);
EXECUTE ends(0.105, 1.5);
EXECUTE ends(0.105, NULL);
RESET plan_cache_mode;
SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY id % 7), percentile_disc(0.75) WITHIN GROUP (ORDER BY id) BETWEEN 14990 AND 15010 AS no_range FROM scores;
RESET ROLE;
SELECT epsilon, count(*) FROM dp.ledger WHERE relation = 'scores'::regclass GROUP BY epsilon ORDER BY epsilon;
-- Of people with several rows, too.
CREATE TABLE visits AS SELECT g % 500 AS person, g % 100 AS age FROM generate_series(0, 9999) g;
SELECT dp.protect('visits', 1e7, privacy_unit => 'person', max_rows_per_unit => 20) \g /dev/null
SELECT dp_quantiles(age, ARRAY[0.255, 0.505, 0.755], 0, 100, 1e6) FROM visits;
-- What cannot be divided into its choices is refused before it is charged.
SELECT dp.protect('visits', 1e7, min_query_epsilon => 1e-9) \g /dev/null
SELECT count(*) AS charges FROM dp.ledger WHERE relation = 'visits'::regclass;
SELECT dp_quantiles(age, ARRAY[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], 0, 100, 3e-9) FROM visits;
SELECT count(*) AS charges FROM dp.ledger WHERE relation = 'visits'::regclass;
SET dp.allow_drop = on;
DROP OWNED BY regress_quantiles_ana;
DROP ROLE regress_quantiles_ana;
