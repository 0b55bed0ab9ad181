-- At epsilon = 1e6 every answer is the plain one, on values clamped to the bounds.
CALL own_schema('answer_plain');

SELECT dp_count('*', 1e6), count(*), dp_count(age, 1e6) AS ages, count(age), dp_count(ward, 1e6) AS wards, count(ward) FROM visits;

SET dp.epsilon = 1e6;
SELECT dp_count(*) FROM visits;
RESET dp.epsilon;

-- Sums keep the types of PostgreSQL's sum.
SELECT dp_sum(small, 0, 100, 1e6) = t AS int2, dp_sum(age, 0, 100, 1e6) = t AS int4, dp_sum(large, 0, 100, 1e6) = t AS int8
FROM visits, (SELECT sum(clamp(age, 0, 100)) AS t FROM visits) truth GROUP BY t;
SELECT near(dp_sum(cost, 0, 100, 1e6), t::float8) AS float8, near(dp_sum(price, 0, 100, 1e6)::float8, t::float8) AS numeric
FROM visits, (SELECT sum(clamp(price, 0, 100)) AS t FROM visits) truth GROUP BY t;
SELECT pg_typeof(dp_sum(small, 0, 1, 1)), pg_typeof(dp_sum(age, 0, 1, 1)), pg_typeof(dp_sum(large, 0, 1, 1)),
       pg_typeof(dp_sum(cost, 0, 1, 1)), pg_typeof(dp_sum(price, 0, 1, 1)) FROM visits;

-- Means, variances and standard deviations, for every type.
SELECT near(dp_avg(small, 0, 100, 1e6), m) AS int2, near(dp_avg(age, 0, 100, 1e6), m) AS int4, near(dp_avg(large, 0, 100, 1e6), m) AS int8,
       near(dp_variance(small, 0, 100, 1e6), v) AS int2, near(dp_variance(age, 0, 100, 1e6), v) AS int4,
       near(dp_variance(large, 0, 100, 1e6), v) AS int8, near(dp_stddev(age, 0, 100, 1e6), sqrt(v)) AS int4
FROM visits, (SELECT avg(x)::float8 AS m, variance(x)::float8 AS v FROM (SELECT clamp(age, 0, 100) AS x FROM visits) c) truth
GROUP BY m, v;
SELECT near(dp_avg(cost, 0, 100, 1e6), m) AS float8, near(dp_avg(price, 0, 100, 1e6), m) AS numeric,
       near(dp_variance(cost, 0, 100, 1e6), v) AS float8, near(dp_variance(price, 0, 100, 1e6), v) AS numeric,
       near(dp_stddev(price, 0, 100, 1e6), sqrt(v)) AS numeric
FROM visits, (SELECT avg(x) AS m, variance(x) AS v FROM (SELECT clamp(cost, 0, 100) AS x FROM visits) c) truth
GROUP BY m, v;

-- Negative bounds, and bounds that are parameters, expressions over parameters, or of another type.
SELECT near(dp_sum(cost, -5, -1, 1e6), sum(clamp(cost, -5, -1))) FROM visits;
PREPARE bounded(int, numeric, text) AS
SELECT dp_sum(age, $1, $1 * 2 + 80, $2, $3::dp_mechanism) = sum(clamp(age, $1, $1 * 2 + 80)) AS sum FROM visits;
EXECUTE bounded(10, 1e6, 'geometric');
SET plan_cache_mode = force_generic_plan;
EXECUTE bounded(10, 1e6, 'staircase');
EXECUTE bounded(20, 1e6, 'laplace');
RESET plan_cache_mode;

-- Every mechanism, on one coordinate and on several.
SELECT dp_count('*', 1e6, 'geometric') AS geometric, dp_count('*', 1e6, 'laplace') AS laplace,
       dp_count('*', 1e6, 'staircase') AS staircase, dp_count('*', 1e6, 'staircase(metric=l2)') AS staircase_l2,
       dp_count('*', 1e6, 'gaussian(delta=1e-6)') AS gaussian FROM visits;
SELECT near(dp_avg(cost, 0, 100, 1e6, 'geometric'), m) AS geometric, near(dp_avg(cost, 0, 100, 1e6, 'laplace'), m) AS laplace,
       near(dp_avg(cost, 0, 100, 1e6, 'staircase'), m) AS staircase, near(dp_avg(cost, 0, 100, 1e6, 'gaussian(delta=1e-6)'), m) AS gaussian
FROM visits, (SELECT avg(clamp(cost, 0, 100)) AS m FROM visits) truth GROUP BY m;
SELECT near(dp_variance(age, 0, 100, 1e6, 'geometric'), v) AS geometric, near(dp_variance(age, 0, 100, 1e6, 'laplace'), v) AS laplace,
       near(dp_variance(age, 0, 100, 1e6, 'staircase'), v) AS staircase, near(dp_variance(age, 0, 100, 1e6, 'gaussian(delta=1e-6)'), v) AS gaussian
FROM visits, (SELECT variance(clamp(age, 0, 100)) AS v FROM visits) truth GROUP BY v;

-- Groups, FILTER, DISTINCT, HAVING, subqueries.
SELECT ward, dp_count('*', 1e6), dp_sum(age, 0, 100, 1e6) = sum(clamp(age, 0, 100)) AS sum,
       near(dp_avg(cost, 0, 100, 1e6), avg(clamp(cost, 0, 100))) AS avg
FROM visits GROUP BY ward ORDER BY ward;
SELECT dp_count('*', 1e6) FILTER (WHERE ward = 'b'), count(*) FILTER (WHERE ward = 'b') FROM visits;
SELECT dp_count(DISTINCT ward, 1e6), dp_count(DISTINCT ward, 1e6, 'geometric'), dp_sum(DISTINCT age, 0, 100, 1e6) = sum(DISTINCT age) FILTER (WHERE age BETWEEN 0 AND 100) + 100 * count(DISTINCT age) FILTER (WHERE age > 100) AS sum FROM visits;
SELECT ward FROM visits GROUP BY ward HAVING dp_count('*', 1e6) > 150 ORDER BY ward;
SELECT ward, dp_count('*', 1e6) FROM visits GROUP BY ROLLUP (ward) ORDER BY ward NULLS LAST, 2;
SELECT (SELECT dp_count('*', 1e6) FROM visits) + 1 AS more;

-- Histograms: equal-width buckets with the last one closed, and categories in the order in which they are listed.
SELECT dp_histogram(age, 0, 100, 4, 1e6) FROM visits;
SELECT array_agg(n ORDER BY b) FROM (SELECT width_bucket(age, 0, 100, 4) AS b, count(*) AS n FROM visits WHERE age BETWEEN 0 AND 99 GROUP BY 1) w;
SELECT dp_histogram(x, 0, 1, 2, 1e6) FROM (VALUES (-0.1), (0), (0.49), (0.5), (1), (1.1), ('NaN'), ('Infinity'), (NULL)) v(x);
SELECT dp_histogram(ward, ARRAY['e', 'a', 'zz', 'b'], 1e6) FROM visits;
SELECT dp_histogram(age, ARRAY[1, 2, 3], 1e6) = ARRAY[count(*) FILTER (WHERE age = 1), count(*) FILTER (WHERE age = 2), count(*) FILTER (WHERE age = 3)] AS int FROM visits;
SELECT dp_histogram(age > 50, ARRAY[false, true], 1e6) = ARRAY[count(*) FILTER (WHERE age <= 50), count(*) FILTER (WHERE age > 50)] AS bool FROM visits;
CREATE TYPE colour AS ENUM ('red', 'green', 'blue');
SELECT dp_histogram(c, ARRAY['red', 'green', 'blue']::colour[], 1e6, 'laplace') FROM (VALUES ('red'::colour), ('blue'), ('blue')) v(c);
SELECT dp_histogram(w, ARRAY['a', 'b']::varchar[], 1e6) FROM (SELECT ward::varchar(3) AS w FROM visits) v;
DROP TYPE colour;
