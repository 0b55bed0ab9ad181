-- Values at the edge of their types, and inputs without values.
CALL own_schema('answer_edges');

-- No rows and no values are zero plus noise like anything else.
SELECT dp_count('*', 1e6), dp_count(age, 1e6), dp_sum(age, 0, 10, 1e6), dp_sum(large, 0, 10, 1e6), dp_sum(cost, 0, 10, 1e6),
       dp_sum(price, 0, 16, 1e6), dp_avg(cost, 0, 10, 1e6), dp_variance(cost, 0, 10, 1e6), dp_stddev(age, 0, 10, 1e6),
       dp_histogram(cost, 0, 10, 2, 1e6), dp_histogram(ward, ARRAY['a'], 1e6) FROM visits WHERE false;
SELECT dp_count(age, 1e6), dp_sum(age, 0, 10, 1e6), dp_avg(cost, 0, 10, 1e6), dp_variance(cost, 0, 10, 1e6),
       dp_histogram(cost, 0, 10, 2, 1e6), dp_histogram(age, ARRAY[1], 1e6) FROM visits WHERE id % 17 = 0;

-- A mean or variance of few rows.
SELECT near(dp_avg(x, 0, 10, 1e6), 3) AS one, near(dp_variance(x, 0, 10, 1e6), 0) AS none FROM (VALUES (3)) v(x);
SELECT near(dp_avg(x, 0, 10, 1e6), 5) AS two, near(dp_variance(x, 0, 10, 1e6), 50) AS widest FROM (VALUES (0), (10)) v(x);

-- NaN counts as the upper bound, as LEAST(GREATEST(x, lower), upper) says; infinities are clamped.
SELECT dp_sum(x, -1, 4, 1e6) AS sum, dp_count(x, 1e6) AS count, dp_avg(x, -1, 4, 1e6) AS avg, avg(clamp(x, -1, 4)) AS truth
FROM (VALUES ('NaN'::float8), ('Infinity'), ('-Infinity'), ('-0'), ('4.9e-324'), (NULL)) v(x);
SELECT round(dp_sum(x, -1, 4, 1e6), 3) AS sum, dp_avg(x, -1, 4, 1e6) AS avg
FROM (VALUES ('NaN'::numeric), ('Infinity'), ('-Infinity'), ('0'), ('1e-1000'), (NULL)) v(x);

-- 2^53 and a thousand ones, in either order: the same integer, and the same as exact arithmetic says.
SELECT dp_sum(x, 0, 9007199254740992, 1e6) = 9007199254741992 AS first
FROM (SELECT 9007199254740992::int8 AS x UNION ALL SELECT 1 FROM generate_series(1, 1000)) v;
SELECT dp_sum(x, 0, 9007199254740992, 1e6) = 9007199254741992 AS last
FROM (SELECT 1::int8 AS x FROM generate_series(1, 1000) UNION ALL SELECT 9007199254740992) v;
SELECT near(dp_sum(x, 0, 1.8e16, 1e6), 9007199254741992) AS first, near(dp_sum(-x, -1.8e16, 0, 1e6), -9007199254741992) AS negative
FROM (SELECT 9007199254740992::float8 AS x UNION ALL SELECT 1 FROM generate_series(1, 1000)) v;

-- bigint extremes: the sum is a numeric, as PostgreSQL's is, and does not overflow.
SELECT dp_sum(x, -1e19, 1e19, 1e6) = 3 * 9223372036854775807::numeric AS highest,
       dp_sum(-x - 1, -1e19, 1e19, 1e6) = -3 * 9223372036854775808::numeric AS lowest,
       near(dp_avg(x, -1e19, 1e19, 1e6), 9223372036854775807) AS avg,
       near(dp_avg(-x - 1, -1e19, 1e19, 1e6), -9223372036854775808) AS avg
FROM (SELECT 9223372036854775807 AS x FROM generate_series(1, 3)) v;
SELECT near(dp_variance(x, -1e19, 1e19, 1e6), variance(x)::float8) AS variance
FROM (VALUES (9223372036854775807), (-9223372036854775808)) v(x);
SELECT dp_sum(x, -32768, 32767, 1e6) FROM (VALUES ('-32768'::int2), (32767)) v(x);

-- An answer outside its type saturates.
SELECT dp_sum(x, -1e308, 1e308, 1e6) AS float8 FROM (VALUES (1e308), (1e308::float8)) v(x);
SELECT near(dp_variance(x, -8e307, 8e307, 1e6), 1.7976931348623157e308) AS float8 FROM (VALUES (-8e307), (8e307::float8)) v(x);
SELECT min(abs(dp_count)) > 1000 AS noisy FROM (SELECT dp_count('*', 1e-9) FROM generate_series(1, 5) g GROUP BY g) v;

SELECT near(dp_stddev(x, -8e200, 8e200, 1e6) / 8e200, 1) AS wide, near(dp_stddev(x * 1e-300 * 1e-100, -8e-200, 8e-200, 1e6) * 1e200, 8) AS narrow
FROM (VALUES (8e200::float8), (-8e200), (0)) v(x);

-- Bounds far from zero.
SELECT near(dp_avg(x, 1e15, 1e15 + 10, 1e6) - 1e15, 5) AS float8, near(dp_variance(x, 1e15, 1e15 + 10, 1e6), 9.625) AS variance
FROM (SELECT 1e15::float8 + g / 2.0 AS x FROM generate_series(0, 20) g) v;
SELECT near(dp_avg(x, 1e15, 1e15 + 10, 1e6) - 1e15, 5) AS int8, near(dp_variance(x, 1e15, 1e15 + 10, 1e6), 11) AS variance
FROM (SELECT 1000000000000000 + g AS x FROM generate_series(0, 10) g) v;
SELECT near(dp_variance(x, 1e15, 1e15 + 10, 1e6), 9.625) AS numeric, near(dp_sum(x - 1e15::numeric, 0, 10, 1e6)::float8, 105) AS shifted
FROM (SELECT 1000000000000000 + g / 2.0 AS x FROM generate_series(0, 20) g) v;

-- Bounds between whole numbers are rounded for integers; tiny and huge ones work for reals.
SELECT dp_sum(x, 0.4, 9.6, 1e6) AS rounded FROM generate_series(0, 20) x;
SELECT dp_sum(x, 0, 1e-280, 1e6) BETWEEN 2.999e-280 AND 3.001e-280 AS tiny FROM (VALUES (1e-280::float8), (2e-280), (1)) v(x);
SELECT near(dp_sum(x, 0, 1e300, 1e6)::float8, 2e300) AS huge FROM (VALUES (1e300::numeric), (1e400)) v(x);

-- The spread of values far inside wide bounds.
SELECT near(dp_variance(x, 0, 1000000, 1e6), variance(x)) AS variance FROM (SELECT 500000 + g % 7 AS x FROM generate_series(1, 1000) g) v;

-- numeric values of every shape that they are stored in: many and few digits, before and behind the point, both signs.
CREATE TABLE shapes AS
SELECT DISTINCT sign * digits::numeric * ('1e' || power)::numeric AS x
FROM unnest(ARRAY['1', '9999', '10000', '10001', '12345678', '123456789012', '1234567890123456789012345']) AS digits,
     generate_series(-24, 8) AS power, unnest(ARRAY[1, -1]) AS sign;
SELECT count(*) AS shapes,
       bool_and(abs(narrow - clamp(x, -10, 10)) < 0.001) AS narrow,
       bool_and(abs(wide - clamp(x, -99999.5, 100000.25)) < 10) AS wide,
       bool_and(abs(fine - clamp(x, 0.00001, 0.00002)) < 0.0000001) AS fine
FROM (SELECT x, dp_sum(x, -10, 10, 1e6) AS narrow, dp_sum(x, -99999.5, 100000.25, 1e6) AS wide,
             dp_sum(x, 0.00001, 0.00002, 1e6) AS fine
      FROM shapes GROUP BY x) AS s;
DROP TABLE shapes;
