-- dp_cumulative: rows below many edges from one release, by trees with Laplace noise and by square roots with Gaussian noise; and what
-- such an answer says. Epsilon 1e6 makes noise vanish; what is measured is rounded so that it differs once in a million runs.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CALL own_schema('answer_cumulative');
CREATE ROLE regress_cumulative_ana;
CREATE ROLE regress_cumulative_bob;
CREATE TABLE ages (id int, ward text, age int, cost float8, x numeric);
INSERT INTO ages SELECT g, 'w' || g % 3, g % 100, g % 50 / 10.0, g % 7 FROM generate_series(0, 9999) g;
CREATE FUNCTION below(float8) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM answer_cumulative.ages WHERE age < $1';

-- ---- what is counted: as count(*) counts, by both ways and all numbers of buckets
SELECT buckets, (c).tree, (c).counts = ARRAY(SELECT below(100.0 * i / buckets) FROM generate_series(1, buckets) i ORDER BY i) AS exact
    FROM (SELECT 1 AS buckets, dp_cumulative(age, 0, 100, 1, 1e6) AS c FROM ages
        UNION ALL SELECT 10, dp_cumulative(age, 0, 100, 10, 1e6) FROM ages UNION ALL SELECT 25, dp_cumulative(age, 0, 100, 25, 1e6) FROM ages
        UNION ALL SELECT 100, dp_cumulative(age, 0, 100, 100, 1e6, 'laplace') FROM ages UNION ALL SELECT 200, dp_cumulative(age, 0, 100, 200, 1e6) FROM ages
        UNION ALL SELECT 1, dp_cumulative(age, 0, 100, 1, 1e6, 'gaussian') FROM ages
        UNION ALL SELECT 100, dp_cumulative(age, 0, 100, 100, 1e6, 'gaussian') FROM ages
        UNION ALL SELECT 200, dp_cumulative(age, 0, 100, 200, 1e4, 'gaussian(delta=1e-6)') FROM ages) s ORDER BY (c).tree > 0, buckets, 2;
SELECT (dp_cumulative(cost, 0, 5, 5, 1e6)).*, (dp_cumulative(x, 0, 7, 7, 1e6)).counts AS numeric FROM ages;
SELECT dp_cumulative(v, 0, 4, 4, 1e6) AS outside FROM (VALUES (-7), (0), (1), (3.5), (4), (9), ('NaN'::float8), ('Infinity'), ('-Infinity'), (NULL)) v(v);
SELECT dp_cumulative(age, 0, 100, 2, 1e6) AS none FROM ages WHERE false;
SELECT dp_cumulative(age, 0, 100, 4, 1e6) FILTER (WHERE ward = 'w1') AS filter, dp_cumulative(DISTINCT age, 0, 100, 4, 1e6) AS distinct FROM ages;
SELECT ward, (dp_cumulative(age, 0, 100, 4, 1e6)).counts FROM ages GROUP BY ward ORDER BY ward;
SELECT ward, (dp_cumulative(age, 0, 100, 2, 1e6)).counts FROM ages GROUP BY ROLLUP (ward) ORDER BY ward;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT dp_cumulative(age, 0, 100, 4, 1e6) FROM ages;
SELECT dp_cumulative(age, 0, 100, 4, 1e6), (dp_cumulative(age, 0, 100, 4, 1e6, 'gaussian')).counts AS root, dp_cumulative(age, 0, 100, 4, 1e6) FILTER (WHERE id < 0) AS none FROM ages;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather;

-- ---- whole numbers on edges lie above them, in dp_histogram as well
SELECT dp_histogram(g, 0, 100, 100, 1e6) = array_fill(1::bigint, '{99}') || 2::bigint AS histogram, (dp_cumulative(g, 0, 100, 100, 1e6)).counts = ARRAY(SELECT CASE WHEN i < 100 THEN i ELSE 101 END::bigint FROM generate_series(1, 100) i) AS cumulative
    FROM generate_series(0, 100) g;
SELECT dp_histogram(g / 100.0, 0, 1, 100, 1e6) = array_fill(1::bigint, '{100}') AS hundredths, dp_histogram(g - 7, -7, 113, 120, 1e6) = array_fill(1::bigint, '{100}') || array_fill(0::bigint, '{20}') AS shifted FROM generate_series(0, 99) g;

-- ---- what it says
CREATE TABLE curves AS SELECT 'tree' AS kind, dp_cumulative(age, 0, 100, 100, 1e6) AS c FROM ages UNION ALL SELECT 'root', dp_cumulative(age, 0, 100, 100, 1e6, 'gaussian') FROM ages;
SELECT kind, dp_cumulative_count(c, 30) AS below, dp_cumulative_count(c, 30.5) AS between, dp_cumulative_count(c, -5) AS outside, dp_cumulative_count(c, 'Infinity') AS all,
    dp_cumulative_range(c, 18, 65) AS range, dp_cumulative_range(c, '-Infinity', 50) AS half, dp_cumulative_quantile(c, 0.5) AS median, dp_cumulative_quantile(c, 0.905) AS high,
    dp_cumulative_interval(c, 0.505) AS interval, dp_cumulative_error(c, 30) AS error, dp_cumulative_error(c, 18, 65) AS of_range FROM curves ORDER BY kind;
SELECT value, count, share, error FROM curves, dp_cumulative_points(c) WHERE kind = 'root' AND value IN (1, 50, 100) ORDER BY value;
SELECT (c).counts = (dp_cumulative_monotone(c)).counts AS same, pg_typeof(dp_cumulative_monotone(c)) FROM curves;
SELECT dp_cumulative_monotone((0, 4, '{5,3,-2,9}', 1, 2)), dp_cumulative_quantile((0, 4, '{0,-1,-2,0}', 1, 2), 0.5) AS nobody, dp_cumulative_quantile((0, 4, '{5,3,20,16}', 1, 2), 1) AS last;
SELECT dp_cumulative_count(NULL, 3), dp_cumulative_quantile((0, 4, '{1,2,3,4}', 1, 2), NULL);
SELECT dp_cumulative_error((0, 64, array_fill(9, '{64}'), 0, 10), 32) AS usual, dp_cumulative_error((0, 64, array_fill(9, '{64}'), 0, 10), 0, 32, 0.5) AS half,
    dp_cumulative_error((0, 64, array_fill(9, '{64}'), 8, 10), 32) AS tree, dp_cumulative_error((0, 64, array_fill(9, '{64}'), 0, 10), 16, 48, 0.95) AS range;
SELECT dp_cumulative_interval((0, 8, '{10,20,30,40,50,60,70,80}', 0, 2), 0.5, 0.99) AS surer, dp_cumulative_interval((0, 8, '{10,20,30,40,50,60,70,80}', 0, 2), 0.5, 0.5) AS half;

-- ---- how far it is off: hundreds of answers about nobody, the root of the mean square over all edges, against the theory
CREATE FUNCTION off(buckets int, answers int, mechanism dp_mechanism) RETURNS float8 LANGUAGE sql AS $$
    SELECT sqrt(avg(n::float8 ^ 2)) FROM (SELECT unnest((dp_cumulative(NULL, 0, 1, buckets, 1, mechanism)).counts) AS n FROM generate_series(1, answers) g GROUP BY g) s $$;
SELECT buckets, off(buckets, answers, 'auto') / tree BETWEEN 0.75 AND 1.3 AS tree, off(buckets, answers, 'gaussian') / root BETWEEN 0.75 AND 1.3 AS root
    FROM (VALUES (32, 400, 4.85, 1.91), (128, 300, 7.02, 2.35), (512, 200, 10.1, 2.8)) v(buckets, answers, tree, root);
-- What is said of errors holds in 95 of 100 cases; 6,400 of each, which are not independent.
SELECT kind, avg((abs(p.count) <= p.error)::int) > 0.9 AS holds
    FROM (SELECT 'tree' AS kind, dp_cumulative(NULL, 0, 1, 32, 1) AS c FROM generate_series(1, 200) g GROUP BY g
        UNION ALL SELECT 'root', dp_cumulative(NULL, 0, 1, 32, 1, 'gaussian') FROM generate_series(1, 200) g GROUP BY g) s, dp_cumulative_points(c) p
    GROUP BY kind ORDER BY kind;

-- ---- what is refused
SELECT dp_cumulative(age, 0, 100, 0, 1) FROM ages;
SELECT dp_cumulative(age, 0, 100, 4097, 1) FROM ages;
SELECT dp_cumulative(age, 0, 100, NULL, 1) FROM ages;
SELECT dp_cumulative(age, 0, 100, id, 1) FROM ages;
SELECT dp_cumulative(age, 100, 0, 10, 1) FROM ages;
SELECT dp_cumulative(age, 0, 'Infinity', 10, 1) FROM ages;
SELECT dp_cumulative(age, 0, 100, 10, 0) FROM ages;
SELECT dp_cumulative(age, 0, 100, 10, 1, 'staircase') FROM ages;
SELECT dp_cumulative(age, 0, 100, 10, 1, 'permute_and_flip') FROM ages;
SELECT dp_cumulative(age, 0, 100, 10) FROM ages;
SELECT dp_cumulative(age, 0, 100) FROM ages;
SELECT dp_cumulative(ward, 0, 100, 10, 1) FROM ages;
SELECT dp_cumulative(age, 0, 100, 10, 1) OVER () FROM ages;
SELECT dp_cumulative_count((0, 4, '{1,2,3,4}', 2, 2), 1);
SELECT dp_cumulative_count((0, 4, '{1,2,NULL,4}', 1, 2), 1);
SELECT dp_cumulative_count((0, 4, '{}', 1, 2), 1);
SELECT dp_cumulative_count((0, 4, '{{1,2},{3,4}}', 1, 2), 1);
SELECT dp_cumulative_count((NULL, 4, '{1,2}', 1, 2), 1);
SELECT dp_cumulative_count((4, 0, '{1,2}', 1, 2), 1);
SELECT dp_cumulative_range((0, 4, '{1,2,3,4}', 1, 2), 3, 2);
SELECT dp_cumulative_quantile((0, 4, '{1,2,3,4}', 1, 2), 1.5);
SELECT dp_cumulative_error((0, 4, '{1,2,3,4}', 1, 2), 0, 1, 1);

-- ---- over a protected table, by a role without any privilege on it
SELECT dp.protect('ages', 9e9), dp.public_values('ages', 'ward', 'w0', 'w1', 'w2'), dp.grant_budget('ages', 'regress_cumulative_ana', 9e9, allow_leaks => true),
    dp.grant_budget('ages', 'regress_cumulative_bob', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_cumulative_ana;
SELECT epsilon FROM dp.cost('SELECT dp_cumulative(age, 0, 100, 100, 0.5), dp_error(dp_cumulative(age, 0, 100, 100, 0.5)) FROM ages');
EXPLAIN (COSTS OFF) SELECT dp_cumulative_quantile(dp_cumulative(age, 0, 100, 100, 0.5), 0.5) FROM ages;
SELECT ward, dp_cumulative_quantile(c, 0.5) BETWEEN 45 AND 55 AS median, dp_cumulative_count(c, 25) BETWEEN 800 AND 870 AS count, (c).tree
    FROM (SELECT ward, dp_cumulative(age, 0, 100, 100, 1e6) AS c FROM ages GROUP BY ward) s WHERE ward IS NOT NULL ORDER BY ward;
SELECT dp_error(dp_cumulative(age, 0, 100, 64, 1)) BETWEEN 10 AND 20 AS error FROM ages;
SET dp.epsilon = 1e6;
SELECT (dp_cumulative(age, 0, 100, 4)).counts FROM ages;
RESET dp.epsilon;
SELECT dp_cumulative(100 / age, 0, 100, 4, 1e6) FROM ages;
EXPLAIN (COSTS OFF) SELECT dp_cumulative(100 / age, 0, 100, 4, 1) FROM ages;
-- Made finer, shared, coarser: the same counts, nearer.
SELECT (dp_cumulative(age, 0, 100, 20, 0.01)).tree FROM ages;
SELECT dp_last_release() AS r \gset
SELECT aggregate, mechanism, epsilon FROM dp.releases WHERE release_id = :r;
SELECT aggregate, epsilon, jsonb_object_keys(answer) AS key FROM dp_answer(:r) ORDER BY 3;
SELECT epsilon, (c).counts = ARRAY(SELECT 500::bigint * i FROM generate_series(1, 20) i) AS exact, (c).tree, dp_cumulative_quantile(c, 0.5) AS median
    FROM (SELECT epsilon, jsonb_populate_record(NULL::dp_cumulative, answer) AS c FROM dp_relax_release(:r, 1e6)) s;
SELECT lower, upper FROM dp_errors(:r);
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'ages'::regclass ORDER BY seq;

-- ---- the same question again, and the whole by its groups, are free; curves of levels stay what they are where totals are made to add up
CREATE TABLE again AS TABLE ages;
SELECT dp.protect('again', 9e9, reuse => '1 day'), dp.public_values('again', 'ward', 'w0', 'w1', 'w2'), dp.grant_budget('again', 'regress_cumulative_ana', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_cumulative_ana;
SELECT ward, (dp_cumulative(age, 0, 100, 50, 1e6)).counts[25] FROM again WHERE ward IN ('w0', 'w1') GROUP BY ward ORDER BY ward;
SELECT ward, dp_cumulative_quantile(dp_cumulative(age, 0, 100, 50, 1e6), 0.5) AS median, dp_error(dp_cumulative(age, 0, 100, 50, 1e6)) AS error FROM again WHERE ward IN ('w0', 'w1') GROUP BY ward ORDER BY ward;
SELECT (dp_cumulative(age, 0, 100, 50, 1e6)).counts[25], dp_error(dp_cumulative(age, 0, 100, 50, 1e6)) AS error FROM again WHERE ward IN ('w0', 'w1');
SET dp.consistent = on;
SELECT ward, (dp_cumulative(age, 0, 100, 2, 1e6)).counts, dp_count('*', 1e6) AS rows FROM again WHERE ward IN ('w0', 'w1') GROUP BY ROLLUP (ward) ORDER BY ward;
RESET dp.consistent;
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'again'::regclass ORDER BY seq;

-- ---- privacy units with several rows, together and in groups
CREATE TABLE stays AS SELECT g % 1000 AS person, g % 2 AS season, g % 50 AS day FROM generate_series(0, 9999) g;
SELECT dp.protect('stays', 9e9, privacy_unit => 'person', max_rows_per_unit => 4), dp.public_values('stays', 'season', 0, 1) \g /dev/null
SELECT (dp_cumulative(day, 0, 50, 5, 1e6)).counts[5] AS rows FROM stays;
SELECT season, (dp_cumulative(day, 0, 50, 5, 1e6)).counts[5] AS rows FROM stays GROUP BY season ORDER BY season;
SELECT dp_count('*', 1e6) AS rows, (dp_cumulative(day, 0, 50, 5, 1e6)).counts[5] AS below FROM stays;
-- Noise is for all rows of a person: four times as much.
SELECT round(((dp_cumulative(day, 0, 50, 5, 0.01)).noise / 141.4 / 4)::numeric, 2) AS "times" FROM stays;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
SELECT (dp_cumulative(day, 0, 50, 5, 1e6)).counts[5] AS rows FROM stays;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather;
-- Where nobody has said how many rows of a person count, it is chosen, as for dp_histogram.
CREATE TABLE walks AS TABLE stays;
SELECT dp.protect('walks', 9e9, privacy_unit => 'person') \g /dev/null
SELECT (dp_cumulative(day, 0, 50, 5, 1e6)).counts[5] AS rows FROM walks;
SET dp.max_rows_per_unit = 2;
SELECT (dp_cumulative(day, 0, 50, 5, 1e6)).counts[5] AS rows FROM walks;
RESET dp.max_rows_per_unit;

-- ---- accounts that count divergences: auto is the root, and goes on to other levels for the difference
CREATE TABLE trips AS SELECT g AS id, g % 100 AS km FROM generate_series(0, 9999) g;
SELECT dp.protect('trips', 10, 2e-6, accountant => 'renyi', conversion_delta => 1e-6) \g /dev/null
SELECT dp.grant_budget('trips', 'regress_cumulative_ana', 10, 2e-6, conversion_delta => 1e-6, allow_leaks => true) \g /dev/null
SET ROLE regress_cumulative_ana;
EXPLAIN (COSTS OFF) SELECT dp_cumulative(km, 0, 100, 100, 0.1) FROM trips;
SELECT (c).tree, dp_cumulative_quantile(c, 0.5) BETWEEN 45 AND 55 AS median, dp_cumulative_range(c, 20, 80) BETWEEN 5700 AND 6300 AS range, round((c).noise::numeric, 2) AS noise
    FROM (SELECT dp_cumulative(km, 0, 100, 100, 0.1) AS c FROM trips) s;
SELECT dp_last_release() AS r \gset
SELECT aggregate, epsilon, answer ->> 'tree' AS tree, round((answer ->> 'noise')::numeric, 2) AS noise, abs((answer #>> '{counts,49}')::int - 5000) < 100 AS near FROM dp_relax_release(:r, 0.2);
SELECT epsilon, round((answer ->> 'noise')::numeric, 2) AS noise FROM dp_relax_release(:r, 0.05);
-- Of few buckets Gaussian noise is not half of that of Laplace; said, the way stays as it is said.
SELECT (dp_cumulative(km, 0, 100, 2, 0.1)).tree AS few, (dp_cumulative(km, 0, 100, 100, 0.1, 'geometric')).tree AS said FROM trips;
RESET ROLE;
SELECT kind, epsilon, losses FROM dp.ledger WHERE relation = 'trips'::regclass ORDER BY seq;
SET dp.allow_drop = on;
DROP OWNED BY regress_cumulative_ana, regress_cumulative_bob;
DROP ROLE regress_cumulative_ana, regress_cumulative_bob;
