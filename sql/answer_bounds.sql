-- dp_bounds: powers of two with the values between them. At epsilon 1e6 a bin with one row passes and an empty one does not.
CALL own_schema('answer_bounds');

-- All types, all signs; zero and one share a bin, and so do 3 and 4, 5 to 8 ...
SELECT dp_bounds(x::int2, 1e6) AS int2, dp_bounds(x::int4, 1e6) AS int4, dp_bounds(x::int8, 1e6) AS int8, dp_bounds(x::real, 1e6) AS real,
       dp_bounds(x::float8, 1e6) AS float8, dp_bounds(x::numeric, 1e6) AS numeric, dp_bounds(-x, 1e6) AS negative, pg_typeof(dp_bounds(x, 1)) AS type
FROM (VALUES (3), (4), (100)) v(x);
SELECT x, dp_bounds(x, 1e6) AS bounds, dp_bounds(-x, 1e6) AS negative, dp_bounds(x / 4, 1e6) AS quarter
FROM unnest('{0, 1, 2, 3, 4, 5, 1024, 1025}'::numeric[]) x GROUP BY x ORDER BY x;
SELECT dp_bounds(small, 1e6) AS int2, dp_bounds(age, 1e6) AS int4, dp_bounds(large, 1e6) AS int8, dp_bounds(cost, 1e6) AS float8, dp_bounds(price, 1e6) AS numeric
FROM visits;

-- Numeric values are compared as they are: these would be 2^53 as a float8.
SELECT dp_bounds(x, 1e6) AS numeric, dp_bounds(x::float8, 1e6) AS float8 FROM (VALUES (9007199254740992.0000001)) v(x);

-- The ends of the types. What lies beyond 2^64 counts in the last bin, infinities too; NaN and NULL are passed over.
SELECT dp_bounds(x, 1e6) AS int2 FROM (VALUES ('-32768'::int2), (32767)) v(x);
SELECT dp_bounds(x, 1e6) AS int4 FROM (VALUES ('-2147483648'::int4), (2147483647)) v(x);
SELECT dp_bounds(x, 1e6) AS int8, dp_sum(x, -9.223372036854775808e18, 9.223372036854775808e18, 1e6) AS sum
FROM (VALUES ('-9223372036854775808'::int8), (9223372036854775807)) v(x);
SELECT dp_bounds(x, 1e6) AS beyond FROM (VALUES ('Infinity'::float8), (1e300)) v(x);
SELECT dp_bounds(x, 1e6) AS beyond FROM (VALUES ('-Infinity'::numeric), (-1e300)) v(x);
SELECT dp_bounds(x, 1e6) AS tiny FROM (VALUES ('4.9e-324'::float8), (1e-100)) v(x);
SELECT dp_bounds(x, 1e6) AS tiny, dp_bounds(-x, 1e6) AS negative FROM (VALUES (1e-1000)) v(x);
SELECT dp_bounds(x, 1e6) AS float8, dp_bounds(x::numeric, 1e6) AS numeric FROM (VALUES ('NaN'::float8), (-0.0), (NULL)) v(x);

-- No rows, no values, or too few in every bin: nothing is known of them. At epsilon 0.1 a bin needs some 260 rows.
SELECT dp_bounds(age, 1e6) AS none, dp_bounds(age, 0.1) AS noisy, dp_bounds(NULL::float8, 0.1, 'gaussian(delta=1e-6)') AS gaussian FROM visits WHERE false;
SELECT dp_bounds(age, 1e6) AS ages, dp_bounds('NaN'::numeric, 0.1) AS numbers, (dp_bounds(age, 0.1))[1] AS lower FROM visits WHERE id % 17 = 0;
SELECT dp_bounds(x, 0.01) AS too_few FROM generate_series(1, 100) x;
SELECT dp_sum(age, (dp_bounds)[1], 100, 1) FROM visits, (SELECT dp_bounds(age, 1) FROM visits) b;
SELECT dp_sum(age, NULL, NULL, 1) FROM visits;

-- A few outliers do not stretch bounds; the false alarms of this line are rarer than 5e-9: 1,000 rows against a threshold of 26.
SELECT dp_bounds(CASE WHEN x <= 3 THEN -1000000 WHEN x % 2 = 0 THEN 10 ELSE 1000 END, 1) AS bounds,
       dp_bounds(CASE WHEN x <= 3 THEN 1e30 WHEN x % 2 = 0 THEN 0.3 ELSE 1 END, 1, 'laplace') AS laplace FROM generate_series(1, 2000) x;

-- The law: at epsilon 0.5 the threshold of 64 bins is 51, so that 49 rows pass with P(noise >= 2) = a^2/(1 + a) = 0.2290, a = e^-0.5.
-- 5,000 times; six standard errors, 2e-9.
SELECT abs(avg((bounds = '{32,64}')::int) - 0.2290) < 0.0357 AS as_expected
FROM (SELECT dp_bounds(40, 0.5) AS bounds FROM generate_series(1, 5000) g, generate_series(1, 49) GROUP BY g) s;

-- Mechanisms.
SELECT dp_bounds(age, 1e6, 'auto') AS auto, dp_bounds(age, 1e6, 'geometric') AS geometric, dp_bounds(age, 1e6, 'laplace') AS laplace,
       dp_bounds(age, 1e6, 'staircase') AS staircase, dp_bounds(age, 1e6, 'r2dp(gamma=5)') AS r2dp FROM visits;
SELECT dp_bounds(age, 10, 'gaussian(delta=1e-6)') AS gaussian, dp_bounds(age, 10, 'gg(p=3, delta=1e-6)') AS gg FROM (SELECT 50 AS age FROM visits) v;

-- FILTER, DISTINCT, groups, parallel plans.
SELECT dp_bounds(age, 1e6) FILTER (WHERE age > 50) AS filter, dp_bounds(DISTINCT age, 1e6) AS distinct FROM visits;
SELECT ward, dp_bounds(id, 1e6) FROM visits GROUP BY ward ORDER BY ward;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT dp_bounds(age, 1e6) FROM many;
SELECT dp_bounds(small, 1e6) AS int2, dp_bounds(large, 1e6) AS int8, dp_bounds(price, 1e6) AS numeric, dp_bounds(age, 1e6) FILTER (WHERE id < 0) AS none FROM many;
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- What is wrong is said before a row is read.
SELECT dp_bounds(1 / (age - age), NULL) FROM visits;
SELECT dp_bounds(1 / (age - age), 'NaN') FROM visits;
SELECT dp_bounds(1 / (age - age), 0) FROM visits;
SELECT dp_bounds(1 / (age - age), id) FROM visits;
SELECT dp_bounds(age, 1, NULL) FROM visits;
SELECT dp_bounds(age, 1, 'permute_and_flip') FROM visits;
SELECT dp_bounds(age, 1, 'exponential') FROM visits;
SELECT dp_bounds(age, 1, 'bit_gg(p=1, lower=0, upper=100)') FROM visits;
SELECT dp_bounds(age, 1, 'gg(p=3)') FROM visits;
SELECT dp_bounds(ward, 1) FROM visits;
SELECT dp_bounds(age, 1) OVER () FROM visits;
SELECT dp_bounds(age, 1 ORDER BY age) FROM visits;
-- Nor are there other answers to be had from its functions.
CREATE AGGREGATE stolen_counts(int4, float8) (SFUNC = dp_internal.dp_bounds_add, STYPE = internal, FINALFUNC = dp_internal.dp_histogram_answer);
SELECT stolen_counts(age, 1) FROM visits;
CREATE AGGREGATE stolen_bounds(float8, float8, float8, integer, float8) (SFUNC = dp_internal.dp_buckets_add, STYPE = internal, FINALFUNC = dp_internal.dp_bounds_answer);
SELECT stolen_bounds(cost, 0, 1, 2, 1) FROM visits;
DROP AGGREGATE stolen_counts(int4, float8), stolen_bounds(float8, float8, float8, integer, float8);
