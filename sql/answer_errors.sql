-- Mean absolute errors, as the laws say they are; the tolerances are six standard errors (false alarm below 1e-8).
CALL own_schema('answer_errors');
CREATE FUNCTION within(measured float8, expected float8, tolerance float8) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN abs(measured - expected) <= tolerance THEN 'as expected' ELSE measured || ' is not near ' || expected END;

-- 200,000 counts of one row each. Laplace: 0.851 at epsilon 1, 0.0135 at 5; fresh noise in each.
SELECT within(avg(abs(one - 1)), 0.850918, 0.0142) AS one, within(avg(abs(five - 1)), 0.0134766, 0.0016) AS five,
       within(avg(one - 1), 0, 0.0182) AS unbiased, within(avg((gaussian - 1) ^ 2), 13.9912258, 0.27) AS gaussian,
       within(corr(one, five), 0, 0.014) AS independent
FROM (SELECT dp_count('*', 1) AS one, dp_count('*', 5) AS five, dp_count('*', 1, 'gaussian(delta=1e-5)') AS gaussian
      FROM generate_series(1, 200000) g GROUP BY g) answers;

-- 200,000 sums: the staircase beats Laplace where the sensitivity is above 1.
SELECT within(avg(abs(auto - 4)), 9.5858306, 0.135) AS auto, within(avg(abs(laplace - 4)), 10, 0.135) AS laplace
FROM (SELECT dp_sum(4, 0, 10, 1) AS auto, dp_sum(4::float8, 0, 10, 1, 'laplace') AS laplace FROM generate_series(1, 200000) g GROUP BY g) answers;

-- 20,000 means of 200 rows in 0 .. 100 at epsilon 1: three quarters of range/rows, where a noisy sum over a noisy count has 1.17.
SELECT within(avg(abs(mean - 50)), 0.375, 0.016) AS mean, within(avg(abs(variance - 904.5226)), 21.71, 1.2) AS variance
FROM (SELECT dp_avg(v, 0, 100, 1) AS mean, dp_variance(v, 0, 100, 1) AS variance
      FROM (SELECT 20 + 60.0::float8 * (i % 2) AS v FROM generate_series(1, 200) i) rows, generate_series(1, 20000) g GROUP BY g) answers;

-- A histogram gives each bucket the noise of one count at the whole epsilon.
SELECT within(avg(abs(n)), 0.850918, 0.0142) AS bucket
FROM (SELECT unnest(dp_histogram(NULL::float8, 0, 1, 10, 1)) AS n FROM generate_series(1, 20000) g GROUP BY g) answers;
DROP FUNCTION within;
