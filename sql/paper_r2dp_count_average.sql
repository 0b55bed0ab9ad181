-- The R2DP paper, section VI-B, the figure of count and average queries over MERL: P(|noise| <= gamma) for gamma = 5% and 10%
-- against epsilon. Here over the groups of Adult (MERL is not public): each group has noise of its own. R2DP serves more often than Laplace
-- beyond some epsilon (1.425 and 1.688 for counts) and equals it below; the staircase is the best there is; and for whole numbers none
-- is needed: the geometric count is right more often than R2DP is near.
CALL own_schema('paper_r2dp_count_average');
\set ON_ERROR_STOP on
\getenv folder PG_ABS_SRCDIR
\set adult :folder '/test/support/adult.sql'
\i :adult
-- Whether so many of n trials succeed as do with probability p: seven standard errors, so false in less than one run of 2e8.
CREATE FUNCTION fits(successes bigint, n bigint, p float8) RETURNS boolean LANGUAGE sql RETURN abs(successes - n * p) <= 7 * sqrt(n * p * (1 - p));

-- What to expect, from public parameters alone.
SELECT gamma, epsilon, round(dp_usefulness('laplace', epsilon, gamma)::numeric, 4) AS laplace,
       round(dp_usefulness(CASE gamma WHEN 0.05 THEN 'r2dp(gamma=0.05)' ELSE 'r2dp(gamma=0.1)' END::dp_mechanism, epsilon, gamma)::numeric, 4) AS r2dp,
       round(dp_usefulness(CASE gamma WHEN 0.05 THEN 'staircase(metric=usefulness, gamma=0.05)' ELSE 'staircase(metric=usefulness, gamma=0.1)' END::dp_mechanism, epsilon, gamma)::numeric, 4) AS staircase
FROM (VALUES (0.05), (0.1)) g(gamma), (VALUES (1.0), (1.4), (1.8), (3), (5), (8)) e(epsilon) ORDER BY gamma, epsilon;

-- Counts, taken for real numbers as in the paper.
CREATE TEMP TABLE counts AS
SELECT count(*) AS truth, dp_sum(1::float8, 0, 1, 5, 'laplace') AS laplace, dp_sum(1::float8, 0, 1, 5, 'r2dp(gamma=0.1)') AS r2dp,
       dp_sum(1::float8, 0, 1, 5, 'r2dp(gamma=0.1, family=gamma)') AS gamma, dp_sum(1::float8, 0, 1, 5, 'staircase(metric=usefulness, gamma=0.1)') AS staircase,
       dp_sum(1::float8, 0, 1, 1, 'r2dp(gamma=0.1)') AS at_1, dp_count('*', 5, 'geometric') AS geometric
FROM adult GROUP BY age, education, occupation;
SELECT fits(count(*) FILTER (WHERE abs(laplace - truth) <= 0.1), count(*), dp_usefulness('laplace', 5, 0.1)) AS laplace,
       fits(count(*) FILTER (WHERE abs(r2dp - truth) <= 0.1), count(*), dp_usefulness('r2dp(gamma=0.1)', 5, 0.1)) AS r2dp,
       fits(count(*) FILTER (WHERE abs(gamma - truth) <= 0.1), count(*), dp_usefulness('r2dp(gamma=0.1, family=gamma)', 5, 0.1)) AS gamma,
       fits(count(*) FILTER (WHERE abs(staircase - truth) <= 0.1), count(*), dp_usefulness('staircase(metric=usefulness, gamma=0.1)', 5, 0.1)) AS staircase,
       fits(count(*) FILTER (WHERE abs(at_1 - truth) <= 0.1), count(*), 1 - exp(-0.1)) AS r2dp_at_1_is_laplace,
       fits(count(*) FILTER (WHERE geometric = truth), count(*), tanh(2.5)) AS geometric FROM counts;
-- The order of the figure, each step about nine standard errors wide or more.
SELECT count(*) > 6000 AS enough, avg((abs(gamma - truth) <= 0.1)::int) > 1.1 * avg((abs(laplace - truth) <= 0.1)::int) AS family_over_laplace,
       avg((abs(r2dp - truth) <= 0.1)::int) > 1.05 * avg((abs(gamma - truth) <= 0.1)::int) AS optimum_over_family,
       avg((abs(staircase - truth) <= 0.1)::int) > 1.2 * avg((abs(r2dp - truth) <= 0.1)::int) AS staircase_over_r2dp,
       avg((geometric = truth)::int) > 1.02 * avg((abs(staircase - truth) <= 0.1)::int) AS geometric_over_all FROM counts;

-- Averages over groups of known size: hours worked of 0 to 100, an average within 10% of what one row can change it by.
CREATE TEMP TABLE averages AS
SELECT count(*) AS size, avg(clamp(hours_per_week, 0, 100)) AS truth, dp_sum(hours_per_week, 0, 100, 5, 'laplace') / count(*) AS laplace,
       dp_sum(hours_per_week, 0, 100, 5, 'r2dp(gamma=10)') / count(*) AS r2dp, dp_sum(hours_per_week, 0, 100, 1, 'r2dp(gamma=10)') / count(*) AS at_1
FROM adult GROUP BY age, education, occupation;
SELECT fits(count(*) FILTER (WHERE abs(laplace - truth) * size <= 10), count(*), dp_usefulness('laplace', 5, 10, 100)) AS laplace,
       fits(count(*) FILTER (WHERE abs(r2dp - truth) * size <= 10), count(*), dp_usefulness('r2dp(gamma=10)', 5, 10, 100)) AS r2dp,
       fits(count(*) FILTER (WHERE abs(at_1 - truth) * size <= 10), count(*), dp_usefulness('laplace', 1, 10, 100)) AS r2dp_at_1_is_laplace,
       avg((abs(r2dp - truth) * size <= 10)::int) > 1.5 * avg((abs(laplace - truth) * size <= 10)::int) AS r2dp_over_laplace FROM averages;
-- dp_avg hides the size too, with noise on two numbers: there R2DP has half of epsilon for each, which Laplace has not.
SELECT near(dp_avg(hours_per_week, 0, 100, 1e6, 'r2dp(gamma=1)'), avg(clamp(hours_per_week, 0, 100))) AS average,
       dp_privacy_loss('r2dp(gamma=10)', 5, ARRAY[50, 50]) <= 5 * (1 + 1e-12) AS pair FROM adult;
DROP TABLE adult;
DROP FUNCTION fits;
