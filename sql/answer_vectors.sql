-- dp_totals and dp_moments: several answers from one vector, at the price of one. At epsilon = 1e6 each is the plain one.
CALL own_schema('answer_vectors');
SET client_min_messages = warning;

-- Every type beside the plain answers over the clamped values; NULL counts in rows alone
CREATE FUNCTION same(v dp_totals, "rows" bigint, n bigint, total float8, mean float8) RETURNS boolean LANGUAGE sql
    RETURN v.rows = "rows" AND v.count = n AND near(v.sum::float8, total) AND near(v.avg, mean);
CREATE FUNCTION same(v dp_moments, "rows" bigint, n bigint, total float8, mean float8, sample float8, pop float8) RETURNS boolean LANGUAGE sql
    RETURN v.rows = "rows" AND v.count = n AND near(v.sum::float8, total) AND near(v.avg, mean) AND near(v.variance, sample)
        AND near(v.stddev, sqrt(sample)) AND near(v.var_pop, pop) AND near(v.stddev_pop, sqrt(pop));
WITH truth AS (SELECT count(*) AS r, count(x) AS n, sum(x)::float8 AS t, avg(x)::float8 AS m FROM (SELECT clamp(age, 0, 100) AS x FROM visits) c)
SELECT same(dp_totals(small, 0, 100, 1e6), r, n, t, m) AS int2, same(dp_totals(age, 0, 100, 1e6), r, n, t, m) AS int4,
       same(dp_totals(large, 0, 100, 1e6), r, n, t, m) AS int8 FROM visits, truth GROUP BY r, n, t, m;
WITH truth AS (SELECT count(*) AS r, count(x) AS n, sum(x) AS t, avg(x) AS m FROM (SELECT clamp(cost, 0, 100) AS x FROM visits) c)
SELECT same(dp_totals(cost, 0, 100, 1e6), r, n, t, m) AS float8, same(dp_totals(price, 0, 100, 1e6, 'laplace'), r, n, t, m) AS numeric
FROM visits, truth GROUP BY r, n, t, m;
WITH truth AS (SELECT count(*) AS r, count(x) AS n, sum(x)::float8 AS t, avg(x)::float8 AS m, variance(x)::float8 AS v, var_pop(x)::float8 AS p
               FROM (SELECT clamp(age, -10, 90) AS x FROM visits) c)
SELECT same(dp_moments(small, -10, 90, 1e6), r, n, t, m, v, p) AS int2, same(dp_moments(age, -10, 90, 1e6), r, n, t, m, v, p) AS int4,
       same(dp_moments(large, -10, 90, 1e6, 'staircase'), r, n, t, m, v, p) AS int8 FROM visits, truth GROUP BY r, n, t, m, v, p;
WITH truth AS (SELECT count(*) AS r, count(x) AS n, sum(x) AS t, avg(x) AS m, variance(x) AS v, var_pop(x) AS p FROM (SELECT clamp(cost, 0, 100) AS x FROM visits) c)
SELECT same(dp_moments(cost, 0, 100, 1e6), r, n, t, m, v, p) AS float8, same(dp_moments(price, 0, 100, 1e6, 'gaussian(delta=1e-6)'), r, n, t, m, v, p) AS numeric
FROM visits, truth GROUP BY r, n, t, m, v, p;

-- Whole numbers where the values are, with their errors; the parts
SELECT (v).rows, (v).count, (v).sum, round((v).avg::numeric, 6) AS avg, (v).rows_error, (v).count_error, (v).sum_error, (v).avg_error < 1e-4 AS avg_error
FROM (SELECT dp_totals(age, 0, 100, 1e6) AS v FROM visits) s;
SELECT * FROM (SELECT (dp_totals(x, 0, 10, 1e6)).* FROM (VALUES (1), (2), (NULL)) v(x)) s;
SELECT attname, atttypid::regtype FROM pg_attribute WHERE attrelid = 'dp_moments'::regclass ORDER BY attnum;

-- No rows, and rows without values
SELECT (v).rows, (v).count, (v).sum, (v).avg FROM (SELECT dp_totals(age, 0, 10, 1e6) AS v FROM visits WHERE false) s;
SELECT (v).rows, (v).count, (v).sum, (v).avg, (v).variance, (v).stddev_pop FROM (SELECT dp_moments(age, 10, 20, 1e6) AS v FROM visits WHERE id % 17 = 0) s;

-- NaN is above every number, infinities are at the ends
SELECT (v).rows, (v).count, round((v).sum, 3) AS sum, round((v).avg::numeric, 3) AS avg
FROM (SELECT dp_totals(x, -1, 4, 1e6) AS v FROM (VALUES ('NaN'::float8), ('Infinity'), ('-Infinity'), ('-0'), ('4.9e-324'), (NULL)) t(x)) s;
SELECT (v).rows, (v).count, round((v).sum, 3) AS sum, round((v).avg::numeric, 3) AS avg
FROM (SELECT dp_moments(x, -1, 4, 1e6) AS v FROM (VALUES ('NaN'::numeric), ('Infinity'), ('-Infinity'), ('0'), ('1e-1000'), (NULL)) t(x)) s;

-- The ends of bigint, bounds far from zero, huge and tiny ones
SELECT (v).count, near((v).sum::float8, 3 * 9223372036854775807.0) AS sum, near((v).avg, 9223372036854775807) AS avg
FROM (SELECT dp_totals(x, -1e19, 1e19, 1e6) AS v FROM (SELECT 9223372036854775807 AS x FROM generate_series(1, 3)) t) s;
SELECT (v).count, (v).sum FROM (SELECT dp_totals(x, 9007199254740992, 9007199254740996, 1e6) AS v FROM (VALUES (9007199254740993), (9007199254740995)) t(x)) s;
SELECT (v).count, (v).sum = 11000000000000055 AS sum, near((v).avg - 1e15, 5) AS avg, near((v).variance, 11) AS variance
FROM (SELECT dp_moments(x, 1e15, 1e15 + 10, 1e6) AS v FROM (SELECT 1000000000000000 + g AS x FROM generate_series(0, 10) g) t) s;
SELECT (v).rows, (v).count, near((v).sum::float8, 1e300) AS sum
FROM (SELECT dp_totals(x, -1e300, 1e300, 1e6) AS v FROM (VALUES (1e300::float8), (0), (NULL)) t(x)) s;
SELECT (v).count, (v).sum BETWEEN 2.999e-280 AND 3.001e-280 AS tiny FROM (SELECT dp_totals(x, 0, 1e-280, 1e6) AS v FROM (VALUES (1e-280::float8), (2e-280), (1)) t(x)) s;
SELECT round((v).sum, 6) AS sum, round((v).avg::numeric, 6) AS avg FROM (SELECT dp_totals(x, 0.1, 0.3, 1e6) AS v FROM (VALUES (0.1), (0.3)) t(x)) s;

-- Never fewer than no rows
SELECT bool_and((v).rows >= 0 AND (v).count >= 0) AS whole, bool_or((v).rows > 100) AS noisy
FROM (SELECT dp_totals(g, 0, 10, 1e-3) AS v FROM generate_series(1, 20) g GROUP BY g) s;

-- Groups, FILTER, DISTINCT, HAVING
SELECT ward, (v).rows, (v).count, (v).sum FROM (SELECT ward, dp_totals(age, 0, 100, 1e6) AS v FROM visits GROUP BY ward) s ORDER BY ward;
SELECT ward, count(*), count(age), sum(clamp(age, 0, 100)) FROM visits GROUP BY ward ORDER BY ward;
SELECT (dp_totals(age, 0, 100, 1e6) FILTER (WHERE ward = 'b')).count, count(age) FILTER (WHERE ward = 'b') FROM visits;
SELECT (dp_totals(DISTINCT age, 0, 100, 1e6)).count, count(DISTINCT age) FROM visits;
SELECT ward FROM visits GROUP BY ward HAVING (dp_totals(age, 0, 100, 1e6)).count > 150 ORDER BY ward;

-- In parallel
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT dp_totals(age, 0, 100, 1e6), dp_moments(cost, 0, 100, 1e6) FROM many;
SELECT (t).rows, (t).count, (t).sum, (m).rows, (m).count, near((m).sum::float8, cost) AS sum, near((m).variance, v) AS variance
FROM (SELECT dp_totals(age, 0, 100, 1e6) AS t, dp_moments(cost, 0, 100, 1e6) AS m, sum(clamp(cost, 0, 100)) AS cost, variance(clamp(cost, 0, 100)) AS v FROM many) s;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size;

-- What is missing is named, as are laws that are not for several numbers
SELECT dp_totals(age) FROM visits;
SELECT dp_moments(age, 0, 100) FROM visits;
SELECT dp_totals(ward, 0, 100, 0.5) FROM visits;
SELECT dp_totals(age, 5, 5, 0.5) FROM visits;
SELECT dp_totals(age, 0, 100, 0.5, 'truncated_gg(p=2, lower=0, upper=100)') FROM visits;
SELECT dp_avg(age, 0, 100, 0.5, 'truncated_gg(p=2, lower=0, upper=100)') FROM visits;

-- Neighbours: with one row more, a value or NULL, nothing that is read together is more than e^1 times as likely or as unlikely. 120,000 answers; 0.02 is five standard deviations.
WITH drawn AS (
    SELECT dp_totals(x, 0, 2, 1) FILTER (WHERE false) AS none, dp_totals(x, 0, 2, 1) FILTER (WHERE x IS NULL) AS nothing, dp_totals(x, 0, 2, 1) FILTER (WHERE x = 0) AS zero,
           dp_totals(x, 0, 2, 1) FILTER (WHERE x = 2) AS one
    FROM generate_series(1, 120000) g, (VALUES (0), (2), (NULL)) v(x) GROUP BY g),
  event (said, chances) AS (
    SELECT e.said, ARRAY[e.none, e.nothing, e.zero, e.one] FROM (
        SELECT v.said, avg(v.none::int) AS none, avg(v.nothing::int) AS nothing, avg(v.zero::int) AS zero, avg(v.one::int) AS one
        FROM drawn, LATERAL (VALUES
            ('rows', (none).rows > 0, (nothing).rows > 0, (zero).rows > 0, (one).rows > 0),
            ('no rows', (none).rows = 0, (nothing).rows = 0, (zero).rows = 0, (one).rows = 0),
            ('NULLs', (none).rows > (none).count + 1, (nothing).rows > (nothing).count + 1, (zero).rows > (zero).count + 1, (one).rows > (one).count + 1),
            ('values', (none).count > 0, (nothing).count > 0, (zero).count > 0, (one).count > 0),
            ('a sum', (none).sum > 0, (nothing).sum > 0, (zero).sum > 0, (one).sum > 0),
            ('no sum', (none).sum <= 0, (nothing).sum <= 0, (zero).sum <= 0, (one).sum <= 0),
            ('much', (none).count > 1 AND (none).sum > 2, (nothing).count > 1 AND (nothing).sum > 2, (zero).count > 1 AND (zero).sum > 2, (one).count > 1 AND (one).sum > 2)
        ) AS v (said, none, nothing, zero, one) GROUP BY v.said) e)
SELECT said, bool_and(chances[i] <= exp(1) * chances[1] + 0.02 AND chances[1] <= exp(1) * chances[i] + 0.02) AS hidden,
       array_agg(i ORDER BY i) FILTER (WHERE greatest(chances[i] / chances[1], chances[1] / chances[i]) > 2.4) AS and_no_better
FROM event, generate_series(2, 4) i GROUP BY said ORDER BY said;

-- What is said of each error holds in 95 of 100 cases, and of the counts it is less than four standard deviations. 20,000 answers about 280 values and 20 NULLs.
WITH drawn AS (
    SELECT (dp_moments(CASE WHEN i > 20 THEN i % 90 - 30 END, -40, 60, 1)).* FROM generate_series(1, 20000) g, generate_series(1, 300) i GROUP BY g),
  truth AS (SELECT avg(x)::float8 AS m, sum(x) AS t, variance(x)::float8 AS v FROM (SELECT i % 90 - 30 AS x FROM generate_series(21, 300) i) x),
  part (said, off, error) AS (
    SELECT v.* FROM drawn, truth, LATERAL (VALUES ('rows', rows - 300, rows_error), ('count', count - 280, count_error), ('sum', (sum - t)::float8, sum_error),
        ('avg', avg - m, avg_error), ('variance', variance - v, variance_error), ('stddev', stddev - sqrt(v), stddev_error)) v)
SELECT said, avg((abs(off) <= error)::int) >= 0.945 AS held, avg(error) < 4 * sqrt(avg(off * off)) OR said NOT IN ('rows', 'count') AS narrow FROM part GROUP BY said ORDER BY said;

-- Protected: one price, whoever reads which part; kept, shown again and made more accurate as a whole
CREATE TABLE stays AS SELECT id, age, cost, ward FROM visits;
CREATE ROLE regress_vectors_ana;
SELECT dp.protect('stays', 1e9, reuse => '1 day'), dp.grant_budget('stays', 'regress_vectors_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stays', 'age', 0, 100), dp.declare_range('stays', 'cost', 0, 100), dp.public_values('stays', 'ward', 'a', 'b', 'c', 'd', 'e');
GRANT USAGE ON SCHEMA answer_vectors TO regress_vectors_ana;
CREATE FUNCTION charges(OUT count bigint, OUT epsilon numeric) LANGUAGE sql AS $$ SELECT count(*), sum(l.epsilon) FROM dp.ledger l WHERE l.role = 'regress_vectors_ana'::regrole $$;
SET ROLE regress_vectors_ana;
EXPLAIN (COSTS OFF) SELECT (dp_totals(age, 0, 100, 1e5)).count FROM stays;
SELECT epsilon, delta FROM dp.cost('SELECT dp_totals(age, 0, 100, 1e5), dp_moments(cost, 0, 100, 5e4) FROM stays') WHERE role IS NOT NULL;
SELECT (v).rows, (v).count, (v).sum FROM (SELECT dp_totals(age, 0, 100, 1e5) AS v FROM stays) s;
SELECT * FROM charges();
SELECT (dp_totals(age, 0, 100, 1e5)).sum FROM stays;
SELECT * FROM charges();
SELECT aggregate, answer - '{avg,avg_error}'::text[] AS answer, epsilon FROM dp_answer(dp_last_release());
SELECT aggregate, answer->'count' AS count, (answer->>'avg_error')::float8 < 1e-4 AS finer, epsilon FROM dp_relax_release(dp_last_release(), 1e6) AS r (group_key, aggregate, answer, epsilon);
SELECT aggregate, answer->'rows' AS "rows", epsilon, lower, upper FROM dp_errors(dp_last_release());
-- Completed from what is declared
SET dp.epsilon = 1e5;
SELECT (dp_totals(age)).count, (dp_moments(cost, 0, 50)).rows FROM stays;
-- Groups add up, number by number; with the errors of sums
SELECT ward, (v).rows, (v).count, (v).sum, (v).variance > 0 AS spread FROM (SELECT ward, dp_moments(age, 0, 100, 1e5) AS v FROM stays GROUP BY ward) s ORDER BY ward;
SELECT * FROM charges();
SELECT (v).rows, (v).count, (v).sum, round((v).avg::numeric, 3) AS avg, (v).rows_error FROM (SELECT dp_moments(age, 0, 100, 1e5) AS v FROM stays) s;
SELECT * FROM charges();
SELECT ward, dp_error(dp_totals(age, 0, 100, 1e5)) FROM stays GROUP BY ward ORDER BY ward;
RESET ROLE;
SELECT dp.unprotect('stays');
DROP SCHEMA answer_vectors CASCADE;
DROP OWNED BY regress_vectors_ana;
DROP ROLE regress_vectors_ana;
