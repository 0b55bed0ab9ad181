-- dp_regression, dp_covariance and each of what they say by itself: how two columns go together. At epsilon = 1e6 they are the plain
-- answers over the clamped values; values have 65,536 steps between their bounds.
CALL own_schema('answer_pairs');
SET client_min_messages = warning;
CREATE TABLE pair (id int, ward text, y float8, x float8, age int, price numeric(8,2));
INSERT INTO pair SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], CASE WHEN i % 11 > 0 THEN (i * 7 % 40) + i % 50 END, CASE WHEN i % 13 > 0 THEN i % 50 END,
        i % 90, (i * 37 % 1000) / 4.0
    FROM generate_series(1, 2000) i;
CREATE FUNCTION about(answer float8, exact float8) RETURNS boolean LANGUAGE sql RETURN abs(answer - exact) <= 2e-3 * greatest(abs(exact), 1);

-- All of them beside the plain ones
SELECT dp_regr_count(y, x, 0, 100, 0, 50, 1e6) = regr_count(y, x) AS count, about(dp_regr_avgx(y, x, 0, 100, 0, 50, 1e6), regr_avgx(y, x)) AS avgx,
       about(dp_regr_avgy(y, x, 0, 100, 0, 50, 1e6), regr_avgy(y, x)) AS avgy, about(dp_regr_sxy(y, x, 0, 100, 0, 50, 1e6), regr_sxy(y, x)) AS sxy,
       about(dp_covar_pop(y, x, 0, 100, 0, 50, 1e6), covar_pop(y, x)) AS covar_pop, about(dp_covar_samp(y, x, 0, 100, 0, 50, 1e6), covar_samp(y, x)) AS covar_samp,
       about(dp_regr_sxx(y, x, 0, 100, 0, 50, 1e6), regr_sxx(y, x)) AS sxx, about(dp_regr_syy(y, x, 0, 100, 0, 50, 1e6), regr_syy(y, x)) AS syy,
       about(dp_corr(y, x, 0, 100, 0, 50, 1e6), corr(y, x)) AS corr, about(dp_regr_r2(y, x, 0, 100, 0, 50, 1e6), regr_r2(y, x)) AS r2,
       about(dp_regr_slope(y, x, 0, 100, 0, 50, 1e6), regr_slope(y, x)) AS slope, about(dp_regr_intercept(y, x, 0, 100, 0, 50, 1e6), regr_intercept(y, x)) AS intercept
FROM pair;
SELECT (v).rows = count(*) AS "rows", (v).count = regr_count(y, x) AS count, about((v).avgx, regr_avgx(y, x)) AS avgx, about((v).avgy, regr_avgy(y, x)) AS avgy,
       about((v).sxy, regr_sxy(y, x)) AS sxy, about((v).covar_pop, covar_pop(y, x)) AS covar_pop, about((v).covar_samp, covar_samp(y, x)) AS covar_samp,
       about((v).sxx, regr_sxx(y, x)) AS sxx, about((v).syy, regr_syy(y, x)) AS syy, about((v).corr, corr(y, x)) AS corr, about((v).r2, regr_r2(y, x)) AS r2,
       about((v).slope, regr_slope(y, x)) AS slope, about((v).intercept, regr_intercept(y, x)) AS intercept
FROM (SELECT dp_regression(y, x, 0, 100, 0, 50, 1e6) AS v FROM pair) s, pair GROUP BY v;
SELECT (v).rows = count(*) AS "rows", (v).count = regr_count(y, x) AS count, about((v).covar_samp, covar_samp(y, x)) AS covar_samp
FROM (SELECT dp_covariance(y, x, 0, 100, 0, 50, 1e6, 'gaussian(delta=1e-6)') AS v FROM pair) s, pair GROUP BY v;
SELECT attname, atttypid::regtype FROM pg_attribute WHERE attrelid = 'dp_regression'::regclass ORDER BY attnum;

-- Bounds cut, also below zero; types; groups; FILTER; parallel workers
SELECT about(dp_corr(y, x, 10, 30, 20, 35, 1e6), corr(least(greatest(y, 10), 30), least(greatest(x, 20), 35)) FILTER (WHERE y IS NOT NULL AND x IS NOT NULL)) AS cut,
       about(dp_regr_slope(-y, x, -100, 0, 0, 50, 1e6), regr_slope(-y, x)) AS below,
       about(dp_corr(age, price, 0, 90, 0, 250, 1e6), corr(age, price::float8)) AS types FROM pair;
SELECT ward, dp_regr_count(y, x, 0, 100, 0, 50, 1e6) = regr_count(y, x) AS count, about(dp_corr(y, x, 0, 100, 0, 50, 1e6), corr(y, x)) AS corr,
       about(dp_corr(y, x, 0, 100, 0, 50, 1e6) FILTER (WHERE id > 1000), corr(y, x) FILTER (WHERE id > 1000)) AS filtered
FROM pair GROUP BY ward ORDER BY ward;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT dp_corr(y, x, 0, 100, 0, 50, 1e6) FROM pair;
SELECT about(dp_corr(y, x, 0, 100, 0, 50, 1e6), 0.7817) IS NOT NULL AS answers, dp_regr_count(y, x, 0, 100, 0, 50, 1e6) FROM pair;
SELECT regr_count(y, x) FROM pair;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- Nothing, NULL in either column, NaN and infinities, constant columns
SELECT (v).rows, (v).count, (v).avgx, (v).avgy FROM (SELECT dp_regression(y, x, 0, 100, 0, 50, 1e6) AS v FROM pair WHERE false) s;
SELECT (v).rows, (v).count, round((v).avgx::numeric, 3) AS avgx, round((v).avgy::numeric, 3) AS avgy, round((v).covar_pop::numeric, 3) AS covar_pop
FROM (SELECT dp_covariance(y, x, 0, 8, 0, 4, 1e6) AS v FROM (VALUES (1::float8, 2::float8), (NULL, 2), (1, NULL), (NULL, NULL), ('NaN', '-Infinity'), ('Infinity', 'NaN')) t(y, x)) s;
SELECT round(dp_corr(3, x, 0, 8, 0, 4, 1e6)::numeric, 1) BETWEEN -1 AND 1 AS within, round(dp_regr_avgy(3, x, 0, 8, 0, 4, 1e6)::numeric, 3) AS avgy FROM generate_series(1, 3) x;

-- Noise: within the ends of what may be
SELECT bool_and(dp BETWEEN -1 AND 1) AS within FROM (SELECT dp_corr(y, x, 0, 100, 0, 50, 0.01) AS dp FROM pair, generate_series(1, 20) g GROUP BY g, id % 20) s;

-- As much noise as 4 and 9 numbers have, and errors that hold: counts of 200 are off by about 2 and 3 times sqrt(2) / epsilon.
WITH answers AS (SELECT dp_covariance(x, x, 0, 10, 0, 10, 0.2) AS c, dp_regression(x, x, 0, 10, 0, 10, 0.2) AS r
    FROM generate_series(1, 2000) g, (SELECT i % 11 AS x FROM generate_series(1, 200) i) v GROUP BY g)
SELECT stddev((c).count) BETWEEN 12.9 AND 15.5 AS four, stddev((r).count) BETWEEN 19.4 AND 23.1 AS nine, avg((c).count) BETWEEN 198 AND 202 AS unbiased,
       avg((abs((c).count - 200) <= (c).count_error)::int) BETWEEN 0.93 AND 0.995 AS counts, avg((abs((c).covar_pop - 10.02) <= (c).covar_pop_error)::int) > 0.93 AS covariances,
       avg((abs((r).corr - 1) <= (r).corr_error)::int) > 0.93 AS correlations, avg((abs((r).slope - 1) <= (r).slope_error)::int) > 0.93 AS slopes FROM answers;
SELECT round(var_pop(i % 11), 2) FROM generate_series(1, 200) i;

-- What is refused
SELECT dp_corr(y, x) FROM pair;
SELECT dp_corr(y, x, 0, 100, 0, 50) FROM pair;
SELECT dp_corr(ward, x, 0, 100, 0, 50, 1) FROM pair;
SELECT dp_corr(y, x, 0, 100, 50, 50, 1) FROM pair;
SELECT dp_regression(y, x, 0, 100, 0, x, 1) FROM pair;
SELECT dp_regression(y, x, 0, 100, 0, NULL, 1) FROM pair;
SELECT dp_regr_count(y) FROM pair;
SELECT dp_regr_slope(y, x, 0, 100, 0, 50, 1, 'nothing') FROM pair;
