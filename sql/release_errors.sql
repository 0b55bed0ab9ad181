-- dp_errors: each stored answer with an interval; and EXPLAIN, which shows the expected error beforehand.
SET client_min_messages = warning;
CALL own_schema('errors');
CREATE ROLE regress_errors_ana;
CREATE ROLE regress_errors_eve;
CREATE TABLE stays (ward text, days int, cost float8, price numeric, big bigint);
INSERT INTO stays SELECT 'w' || i % 2, i % 10, i % 100, i % 100, i % 10 FROM generate_series(1, 1000) i;
SELECT dp.protect('stays', 9e9) \g /dev/null
SELECT dp.public_values('stays', 'ward', 'w0', 'w1') \g /dev/null
SELECT dp.grant_budget('stays', 'regress_errors_ana', 9e9, allow_leaks => true) \g /dev/null
SELECT dp.grant_budget('stays', 'regress_errors_eve', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_errors_ana;
-- Beforehand: of what does not depend on the data; for an average by the rows that count.
EXPLAIN (COSTS OFF) SELECT dp_count('*', 0.5), dp_sum(days, 0, 9, 0.5), dp_avg(cost, 0, 100, 0.5), dp_histogram(days, 0, 9, 3, 0.5) FROM stays;
EXPLAIN (COSTS OFF) SELECT dp_stddev(days, 0, 9, 0.5), dp_median(days, 0, 9, 0.5), dp_bounds(days, 0.5) FROM stays;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 0.5, 'gaussian(delta=1e-6)') FROM stays;
SELECT round(expected_abs_error::numeric, 2) AS count, (SELECT round(expected_abs_error::numeric, 2) FROM dp_describe('geometric', 0.5, 9, true)) AS sum
FROM dp_describe('geometric', 0.5, 1, true);

-- Where there is no noise to speak of, the ends are the answer.
SELECT ward, dp_count('*', 1e6) AS count, dp_sum(days, 0, 9, 1e6) AS sum, dp_sum(big, 0, 9, 1e6) AS big, dp_histogram(days, 0, 9, 3, 1e6) AS histogram FROM stays GROUP BY ward ORDER BY ward;
SELECT group_key ->> 'ward' AS ward, aggregate, answer, lower, upper FROM dp_errors(dp_last_release()) ORDER BY 1, 2;
-- With noise: of sums and counts that of dp_interval, of each number of a histogram as well.
SELECT dp_count('*', 0.5) > -1e9 AS asked, dp_sum(days, 0, 9, 0.5) > -1e9 AS sum, dp_sum(big, 0, 9, 0.5) > -1e9 AS big, dp_histogram(days, 0, 9, 3, 0.5) IS NULL AS histogram,
    dp_sum(cost, 0, 100, 0.5) > -1e9 AS cost, dp_sum(price, 0, 100, 0.5) > -1e9 AS price FROM stays;
SELECT aggregate, CASE WHEN jsonb_typeof(answer) = 'array'
        THEN (answer -> 0)::int - (lower -> 0)::int ELSE (answer::numeric - lower::numeric)::int END AS below,
    CASE WHEN jsonb_typeof(answer) = 'array'
        THEN (upper -> 2)::int - (answer -> 2)::int ELSE (upper::numeric - answer::numeric)::int END AS above
FROM dp_errors(dp_last_release()) ORDER BY aggregate;
SELECT 5 - lower AS count, (SELECT 5 - lower FROM dp_interval(5, 'geometric', 0.5, sensitivity => 9)) AS sum FROM dp_interval(5, 'geometric', 0.5);
SELECT aggregate, answer::int - lower::int AS below FROM dp_errors(dp_last_release(), 0.5) WHERE aggregate ~ 'count|days, 0, 9, 0';
SELECT 5 - lower AS count, (SELECT 5 - lower FROM dp_interval(5, 'geometric', 0.5, 0.5, sensitivity => 9)) AS sum FROM dp_interval(5, 'geometric', 0.5, 0.5);
-- Averages, variances, deviations: wider than need be, around the answer and inside the bounds; none for bounds and for what is chosen.
SELECT dp_avg(cost, 0, 100, 5) > 0 AS average, dp_variance(cost, 0, 100, 5) > 0 AS variance, dp_stddev(cost, 0, 100, 5) > 0 AS stddev,
    dp_bounds(cost, 5) IS NULL AS bounds FROM stays;
SELECT aggregate, lower::numeric < answer::numeric AND answer::numeric < upper::numeric AS around,
    lower::numeric >= 0 AND CASE WHEN aggregate ~ 'variance' THEN upper::numeric <= 5000 ELSE upper::numeric <= 100 END AS inside
FROM dp_errors(dp_last_release()) WHERE jsonb_typeof(answer) = 'number' ORDER BY aggregate;
SELECT aggregate, lower, upper FROM dp_errors(dp_last_release()) WHERE jsonb_typeof(answer) = 'array';
-- A finer level has narrower ones.
CREATE TEMP TABLE coarse AS SELECT * FROM dp_errors(dp_last_release());
SELECT count(*) FROM dp_relax_release(dp_last_release(), 50, 'dp_avg(cost, 0, 100, 5)');
SELECT f.upper::float8 - f.lower::float8 < (c.upper::float8 - c.lower::float8) / 5 AS narrower, f.epsilon
FROM dp_errors(dp_last_release()) f, coarse c WHERE c.aggregate ~ 'avg' AND f.aggregate ~ 'avg';

SELECT * FROM dp_errors(dp_last_release(), 1);
SELECT * FROM dp_errors(dp_last_release(), 'NaN');
SELECT * FROM dp_errors(dp_last_release(), NULL);
SELECT * FROM dp_errors(NULL);
SELECT dp_last_release() AS hers \gset
SET ROLE regress_errors_eve;
\set VERBOSITY sqlstate
SELECT * FROM dp_errors(:hers);
SELECT * FROM dp_errors(9223372036854775807);
\set VERBOSITY default
RESET ROLE;
DROP TABLE coarse;
DROP TABLE stays;
DROP ROLE regress_errors_ana, regress_errors_eve;
