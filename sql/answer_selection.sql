-- dp_mode, dp_quantile and dp_median: a candidate is chosen, nothing is added. At epsilon = 1e6 it is the best one.
CALL own_schema('answer_selection');

-- dp_mode takes text, enum, boolean and integer categories, and returns one of them.
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
SELECT dp_mode(ward, ARRAY['a', 'b'], 1e6) AS text, dp_mode(ward::varchar, ARRAY['b', 'a']::varchar[], 1e6) AS varchar,
       dp_mode(id % 3, ARRAY[0, 1, 2], 1e6) AS int, dp_mode(id % 3 = 0, ARRAY[true, false], 1e6) AS bool,
       dp_mode((CASE WHEN id % 3 = 0 THEN 'sad' ELSE 'ok' END)::mood, ARRAY['sad', 'ok']::mood[], 1e6) AS enum,
       dp_mode(id % 3 + 0.5, ARRAY[0.5, 1.5], 1e6) AS numeric, pg_typeof(dp_mode(id % 2, ARRAY[1, 2]::int8[], 1)) AS type FROM visits;
SELECT ward, dp_mode(ascii(ward) % 3, ARRAY[0, 1, 2], 1e6, 'exponential') FROM visits WHERE ward IS NOT NULL GROUP BY ward ORDER BY ward;
SELECT dp_mode(ward, ARRAY['a', 'b'], 1e6, 'auto') AS auto, dp_mode(ward, ARRAY['a', 'b'], 1e6, 'permute_and_flip') AS permute_and_flip,
       dp_mode(ward, ARRAY['a', 'b'], 1e6, ' Exponential ') AS exponential, dp_mode(ward, ARRAY['z'], 1e6) AS single,
       dp_mode(DISTINCT ward, ARRAY['z', 'a'], 1e6) AS distinct, dp_mode(ward, ARRAY['a', 'b'], 1e6) FILTER (WHERE ward <> 'b') AS filter FROM visits;
DROP TYPE mood;

-- Quantiles of whole numbers that are close enough are exact; others to half a cell of 1/4000 of the bounds.
CREATE FUNCTION ranked(sorted float8[], fraction float8) RETURNS float8 LANGUAGE sql IMMUTABLE
    RETURN sorted[1 + round((fraction * (cardinality(sorted) - 1))::numeric)::int];
SELECT dp_quantile(small, 0, -20, 120, 1e6) = ranked(a, 0) AS minimum, dp_quantile(age, 0.1, -20, 120, 1e6) = ranked(a, 0.1) AS decile,
       dp_quantile(large, 0.25, -20, 120, 1e6, 'permute_and_flip') = ranked(a, 0.25) AS quartile, dp_quantile(age, 0.9, -20, 120, 1e6) = ranked(a, 0.9) AS ninth,
       dp_quantile(small, 1, -20, 120, 1e6) = ranked(a, 1) AS maximum, dp_median(age, -20, 120, 1e6) = ranked(a, 0.5) AS median
FROM visits, (SELECT array_agg(age::float8 ORDER BY age) FILTER (WHERE age IS NOT NULL) AS a FROM visits) s GROUP BY a;
SELECT abs(dp_quantile(cost, 0, 0, 100, 1e6) - ranked(a, 0)) <= 0.013 AS minimum, abs(dp_quantile(cost, 0.3, 0, 100, 1e6) - ranked(a, 0.3)) <= 0.013 AS float8,
       abs(dp_quantile(price, 0.3, 0, 100, 1e6, 'permute_and_flip') - ranked(a, 0.3)) <= 0.013 AS numeric, dp_median(price, 0, 100, 1e6) BETWEEN a[cardinality(a) / 2] - 0.013 AND a[cardinality(a) / 2 + 1] + 0.013 AS median,
       abs(dp_quantile(cost, 1, 0, 100, 1e6) - ranked(a, 1)) <= 0.013 AS maximum
FROM visits, (SELECT array_agg(clamp(cost, 0, 100) ORDER BY cost) FILTER (WHERE cost IS NOT NULL) AS a FROM visits) s GROUP BY a;
SELECT ward, dp_median(id, 0, 1000, 1e6) BETWEEN 490 AND 510 AS median FROM visits GROUP BY ward ORDER BY ward;
DROP FUNCTION ranked;

-- Many rows of one value (17 is nearest to 0 in steps of 250); values and bounds at the edge: NaN counts as the upper bound, NULL is passed over.
SELECT dp_median(17, 0, 1000000, 1e6) AS int4, dp_median(17017, 0, 1000000, 1e6, 'permute_and_flip') AS int4, dp_median(17.5::float8, 0, 100, 1e6) AS float8, dp_quantile(1e-3, 0.99, 0, 1, 1e6) AS numeric FROM visits;
SELECT dp_quantile(x, 0, -1, 4, 1e6) AS lowest, dp_median(x, -1, 4, 1e6) AS middle, dp_quantile(x, 1, -1, 4, 1e6) AS highest
FROM (VALUES ('NaN'::float8), ('Infinity'), ('-Infinity'), ('-0'), ('4.9e-324'), (NULL), (NULL)) v(x);
SELECT dp_quantile(x, 0, -1, 4, 1e6) AS lowest, dp_median(x, -1, 4, 1e6) AS middle, dp_quantile(x, 1, -1, 4, 1e6) AS highest
FROM (VALUES ('NaN'::numeric), ('Infinity'), ('-Infinity'), ('0'), ('1e-1000'), (NULL), (NULL)) v(x);
SELECT dp_median(x, -1e19, 1e19, 1e6) AS int8, dp_quantile(x::float8, 1, -1e308, 7e307, 1e6) BETWEEN -1e305 AND 1e305 AS float8
FROM (VALUES (9223372036854775807), (9223372036854775807), (-9223372036854775808)) v(x);
SELECT dp_median(x, 0.4, 9.6, 1e6) AS rounded FROM generate_series(0, 20) x;

-- No rows and no values are answered like anything else: by a candidate, each alike.
CREATE FUNCTION within(measured float8, expected float8, tolerance float8) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN abs(measured - expected) <= tolerance THEN 'as expected' ELSE measured || ' is not near ' || expected END;
SELECT within(avg((mode = 'b')::int), 0.25, 0.026) AS mode, within(avg(median), 50, 1.75) AS median, within(stddev(median), 29.155, 0.8) AS spread,
       within(avg(quantile), 50, 1.75) AS quantile
FROM (SELECT dp_mode(NULL::text, ARRAY['a', 'b', 'c', 'd'], 1e6) AS mode, dp_median(1, 0, 100, 1e6) FILTER (WHERE g < 0) AS median,
             dp_quantile(NULL::float8, 0.9, 0, 100, 1e6, 'permute_and_flip') AS quantile FROM generate_series(1, 10000) g GROUP BY g) s;
SELECT dp_mode(ward, ARRAY['a', 'b'], 1e6) IN ('a', 'b') AS mode, dp_median(cost, 2, 3, 1) BETWEEN 2 AND 3 AS median FROM visits WHERE false;

-- The laws: counts 2, 1, 0 at epsilon 1, 20,000 times; six standard errors.
SELECT within(avg((e = 'a')::int), 0.6652410, 0.0201) AS exponential, within(avg((e = 'c')::int), 0.0900306, 0.0122) AS exponential,
       within(avg((p = 'a')::int), 0.7649883, 0.0180) AS permute_and_flip, within(avg((p = 'c')::int), 0.0593698, 0.0101) AS permute_and_flip
FROM (SELECT dp_mode(v, ARRAY['a', 'b', 'c'], 1, 'exponential') AS e, dp_mode(v, ARRAY['a', 'b', 'c'], 1) AS p
      FROM (VALUES ('a'), ('a'), ('b')) rows(v), generate_series(1, 20000) g GROUP BY g) s;
-- The median of 0, 1, 1 in 0 .. 2 at epsilon 1: utilities -1/2, 0, -3/2.
SELECT within(avg((e = 1)::int), 0.5465494, 0.0212) AS exponential, within(avg((e = 2)::int), 0.1219516, 0.0139) AS exponential,
       within(avg((p = 1)::int), 0.6302814, 0.0205) AS permute_and_flip
FROM (SELECT dp_median(v, 0, 2, 1, 'exponential') AS e, dp_median(v, 0, 2, 1) AS p
      FROM (VALUES (0), (1), (1)) rows(v), generate_series(1, 20000) g GROUP BY g) s;
DROP FUNCTION within;

-- Parallel plans.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT dp_mode(ward, ARRAY['a', 'b'], 1e6), dp_median(age, 0, 100, 1e6) FROM many;
SELECT dp_mode(ward, ARRAY['a', 'b'], 1e6), dp_mode(id % 3, ARRAY[0, 1, 2], 1e6, 'exponential'), dp_median(age, -20, 120, 1e6), dp_quantile(cost, 1, 0, 100, 1e6, 'permute_and_flip') FROM many;
SELECT dp_mode(ward, ARRAY['a'], 1e6), dp_median(age, 7, 8, 1e6) BETWEEN 7 AND 8 AS median FROM many WHERE id < 0;
PREPARE p(text[], float8, dp_mechanism) AS SELECT dp_mode(ward, $1, $2, $3), dp_quantile(age, $2 / 2e6, -20, 120, $2, $3) FROM many;
SET plan_cache_mode = force_generic_plan;
EXECUTE p('{a,b}', 1e6, 'exponential');
EXECUTE p('{a,b}', 1e6, 'geometric');
RESET ALL; SET search_path = answer_selection, public;

-- Wrong parameters are found before any row is read: this one fails when it is.
CREATE VIEW trap AS SELECT 1 / (age - age) AS x, cost FROM visits;
SELECT dp_mode(x, ARRAY[1, 2], 0) FROM trap;
SELECT dp_mode(x, ARRAY[]::int[], 1) FROM trap;
SELECT dp_mode(x, ARRAY[1, 1], 1) FROM trap;
SELECT dp_mode(x, ARRAY[1, NULL], 1) FROM trap;
SELECT dp_mode(x, ARRAY[x, 2], 1) FROM trap;
SELECT dp_mode(x, ARRAY[1, 2], 1, 'laplace') FROM trap;
SELECT dp_mode(x, ARRAY[1, 2], 1, 'gaussian(delta=1e-6)') FROM trap;
SELECT dp_mode(x, ARRAY[1, 2], 1 ORDER BY x) FROM trap;
SELECT dp_mode(x, ARRAY[1, 2], 1) OVER () FROM trap;
SELECT dp_quantile(x, 1.5, 0, 10, 1) FROM trap;
SELECT dp_quantile(x, -0.1, 0, 10, 1) FROM trap;
SELECT dp_quantile(x, 'NaN', 0, 10, 1) FROM trap;
SELECT dp_quantile(x, NULL, 0, 10, 1) FROM trap;
SELECT dp_quantile(x, cost, 0, 10, 1) FROM trap;
SELECT dp_quantile(x, 0.5, 10, 0, 1) FROM trap;
SELECT dp_quantile(x, 0.5, 0, 10, -1) FROM trap;
SELECT dp_quantile(x, 0.5, 0, 10, 1, 'staircase') FROM trap;
SELECT dp_median(x, 0, 'NaN', 1) FROM trap;
SELECT dp_median(x, 0.6, 1.4, 1) FROM trap;
SELECT dp_median(x, 0, 10, NULL) FROM trap;
SELECT dp_median(x, 0, 10, 1, 'geometric') FROM trap;
SELECT dp_median(x, 0, 10, 1) OVER () FROM trap;

-- What adds noise does not select.
SELECT dp_count(x, 1, 'exponential') FROM trap;
SELECT dp_sum(x, 0, 10, 1, 'permute_and_flip') FROM trap;
SELECT dp_histogram(x, ARRAY[1, 2], 1, 'exponential') FROM trap;
SELECT * FROM dp_describe('exponential', 1, 1);
SELECT 'exponential(gamma=1)'::dp_mechanism;
SELECT ' Permute_and_flip'::dp_mechanism;
SELECT dp_median(x, 0, 10, 1) FROM trap;
DROP VIEW trap;

-- Our support functions in aggregates of somebody else.
SET client_min_messages = warning;
CREATE FUNCTION stolen_answer(internal) RETURNS bigint LANGUAGE c AS '$libdir/pg_dp', 'dp_mode_answer';
CREATE AGGREGATE stolen_mode(anycompatible, anycompatiblearray, float8) (SFUNC = dp_internal.dp_categories_add, STYPE = internal, FINALFUNC = stolen_answer);
SELECT stolen_mode(ward, ARRAY['a', 'b'], 1) FROM visits;
CREATE AGGREGATE mixed_mode(anycompatible, anycompatiblearray, float8) (SFUNC = dp_internal.dp_categories_add, STYPE = internal, FINALFUNC = dp_internal.dp_quantile_answer);
SELECT mixed_mode(ward, ARRAY['a', 'b'], 1) FROM visits;
CREATE AGGREGATE mixed_median(float8, float8, float8, float8) (SFUNC = dp_internal.dp_sum_add, STYPE = internal, FINALFUNC = dp_internal.dp_quantile_answer);
SELECT mixed_median(cost, 0, 1, 1) FROM visits;
CREATE FUNCTION text_add(internal, text, float8, float8, float8) RETURNS internal LANGUAGE c AS '$libdir/pg_dp', 'dp_median_add';
CREATE AGGREGATE text_median(text, float8, float8, float8) (SFUNC = text_add, STYPE = internal, FINALFUNC = dp_internal.dp_quantile_answer);
SELECT text_median(ward, 0, 1, 1) FROM visits;
CREATE FUNCTION short_add(internal, int4, float8) RETURNS internal LANGUAGE c AS '$libdir/pg_dp', 'dp_quantile_add';
CREATE AGGREGATE short_quantile(int4, float8) (SFUNC = short_add, STYPE = internal, FINALFUNC = dp_internal.dp_quantile_answer);
SELECT short_quantile(age, 0.5) FROM visits;
CREATE FUNCTION forged_answer(text) RETURNS float8 LANGUAGE c AS '$libdir/pg_dp', 'dp_quantile_answer';
SELECT forged_answer('a');
SELECT count(*) AS open_to_public FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass
WHERE d.refclassid = 'pg_extension'::regclass AND p.proname ~ '^dp_[a-z]+_(add|answer)$' AND has_function_privilege('public', p.oid, 'EXECUTE');
DROP FUNCTION stolen_answer, text_add, short_add, forged_answer CASCADE;
DROP AGGREGATE mixed_mode(anycompatible, anycompatiblearray, float8), mixed_median(float8, float8, float8, float8);
