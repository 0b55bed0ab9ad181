-- Local privacy: dp_randomized_response for each row, dp_rr_histogram to estimate from the responses.
CALL own_schema('answer_randomized_response');

-- At epsilon = 1e6 everything is kept; NULL and what is not listed become the first category.
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
SELECT count(*) AS rows, bool_and(dp_randomized_response(ward, ARRAY['a', 'b', 'c', 'd', 'e'], 1e6) = coalesce(ward, 'a')) AS kept,
       bool_and(dp_randomized_response(ward, ARRAY['x', 'b'], 1e6) = CASE WHEN ward = 'b' THEN 'b' ELSE 'x' END) AS listed,
       bool_and(dp_randomized_response(id % 3, ARRAY[2, 1, 0], 1e6) = id % 3) AS int, bool_and(dp_randomized_response(id > 7, ARRAY[true, false], 1e6) = (id > 7)) AS bool
FROM visits;
SELECT dp_randomized_response('ok'::mood, ARRAY['sad', 'ok', 'happy']::mood[], 1e6) AS enum,
       pg_typeof(dp_randomized_response('ok'::mood, ARRAY['ok', 'sad']::mood[], 1)) AS type;
SELECT dp_randomized_response(NULL, ARRAY['unknown', 'yes', 'no'], 1e6) AS "null", dp_randomized_response('maybe', ARRAY['unknown', 'yes', 'no'], 1e6) AS unlisted,
       dp_randomized_response('b'::varchar, ARRAY['a', 'b'], 1e6) AS "varchar", dp_randomized_response('b'::text, ARRAY['a', 'b']::varchar[], 1e6) AS "text",
       dp_randomized_response(2, ARRAY[1, 2]::int8[], 1e6) AS "int8", dp_randomized_response(2.5, ARRAY[1, 2.5], 1e6) AS "numeric",
       dp_randomized_response(value => 'b', categories => ARRAY['a', 'b'], epsilon => 1e6) AS named;
DROP TYPE mood;

-- Every call draws again, also with constants; nothing is folded, merged or drawn once for all rows.
SELECT count(DISTINCT dp_randomized_response('yes', ARRAY['yes', 'no'], 0.1)) AS answers FROM generate_series(1, 200);
SELECT provolatile, proparallel, proisstrict FROM pg_proc WHERE proname = 'dp_randomized_response';

-- 100,000 people, of four answers .1, .2, .3, .4: kept with probability e / (3 + e) = .4753668; six standard errors.
CREATE TABLE survey AS SELECT truth, dp_randomized_response(truth, ARRAY['a', 'b', 'c', 'd'], 1) AS response
FROM (SELECT CASE WHEN i % 10 < 1 THEN 'a' WHEN i % 10 < 3 THEN 'b' WHEN i % 10 < 6 THEN 'c' ELSE 'd' END AS truth FROM generate_series(1, 100000) i) s;
SELECT truth, abs(avg((response = truth)::int) - 0.4753668) < 6 * sqrt(0.25 / count(*)) AS kept,
       abs(avg((response = chr(97 + (ascii(truth) - 96) % 4))::int) - 0.1748777) < 6 * sqrt(0.15 / count(*)) AS next
FROM survey GROUP BY truth ORDER BY truth;
SELECT category, abs(estimate - 10000 * n) < 6 * standard_error AS estimate, abs(standard_error - 435) < 25 AS error
FROM unnest((SELECT dp_rr_histogram(response, ARRAY['a', 'b', 'c', 'd'], 1) FROM survey)) WITH ORDINALITY u(category, estimate, standard_error, n);
-- The estimates add up to the responses.
SELECT category, estimate IS NOT NULL AS estimate, standard_error > 0 AS error, round(sum(estimate) OVER ()) AS total
FROM unnest((SELECT dp_rr_histogram(response, ARRAY['a', 'b', 'c', 'd'], 1) FROM survey));

-- With nothing to randomise the estimates are the counts; unlisted and NULL responses are not counted; no rows are no answers.
SELECT category, round(estimate) AS estimate, standard_error < 1e-9 AS certain
FROM (SELECT dp_rr_histogram(ward, ARRAY['b', 'a'], 1e6) || dp_rr_histogram(id % 2, ARRAY[0, 1], 1e6) AS all FROM visits) v, unnest(v.all);
SELECT dp_rr_histogram(ward, ARRAY['b', 'a', 'c'], 1) FROM visits WHERE false;
SELECT near((dp_rr_histogram(v, ARRAY['y', 'n'], ln(3)))[1].estimate, 4) AS yes, near((dp_rr_histogram(v, ARRAY['y', 'n'], ln(3)))[1].standard_error, sqrt(3)) AS error FROM (VALUES ('y'), ('y'), ('y'), ('n')) r(v);
SELECT i % 2 AS part, (dp_rr_histogram(response, ARRAY['a', 'b', 'c', 'd'], 1))[2].category FROM (SELECT row_number() OVER () AS i, response FROM survey) s GROUP BY 1 ORDER BY 1;

-- In parallel plans.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
ANALYZE survey;
EXPLAIN (COSTS OFF) SELECT dp_rr_histogram(dp_randomized_response(truth, ARRAY['a', 'b', 'c', 'd'], 2), ARRAY['a', 'b', 'c', 'd'], 2) FROM survey;
SELECT category, abs(estimate - 10000 * n) < 6 * standard_error AS estimate
FROM unnest((SELECT dp_rr_histogram(dp_randomized_response(truth, ARRAY['a', 'b', 'c', 'd'], 2), ARRAY['a', 'b', 'c', 'd'], 2) FROM survey)) WITH ORDINALITY u(category, estimate, standard_error, n);
RESET ALL; SET search_path = answer_randomized_response, public;

-- From PL/pgSQL, where one expression is run with several parameters; and as a default, before anything is stored.
DO $$
DECLARE
    list text[];
BEGIN
    FOR i IN 1 .. 200 LOOP
        list := ARRAY['a' || i % 7, 'b' || i % 5];
        IF dp_randomized_response('b' || i % 5, list, 1e6) <> 'b' || i % 5 THEN RAISE 'kept the list of another call'; END IF;
    END LOOP;
END
$$;
PREPARE ask(text[], float8) AS SELECT dp_randomized_response('b', $1, $2 * 2);
SET plan_cache_mode = force_generic_plan;
EXECUTE ask('{a,b}', 1e5);
EXECUTE ask('{b}', 1e5);
EXECUTE ask('{a,b}', NULL);
EXECUTE ask(NULL, 1);
RESET plan_cache_mode;
CREATE TABLE answers (v text, CHECK (v IN ('yes', 'no')));
INSERT INTO answers SELECT dp_randomized_response('yes', ARRAY['yes', 'no'], 1e6) FROM generate_series(1, 3);
SELECT v, count(*) FROM answers GROUP BY v;
DROP TABLE answers;

-- Wrong parameters.
SELECT dp_randomized_response('a', ARRAY['a', 'b'], NULL);
SELECT dp_randomized_response('a', NULL::text[], 1);
SELECT dp_randomized_response('a', ARRAY['a', 'b'], 0);
SELECT dp_randomized_response('a', ARRAY['a', 'b'], -1);
SELECT dp_randomized_response('a', ARRAY['a', 'b'], 'NaN');
SELECT dp_randomized_response('a', ARRAY['a', 'b'], 1e7);
SELECT dp_randomized_response('a', ARRAY[]::text[], 1);
SELECT dp_randomized_response('a', ARRAY['a'], 1);
SELECT dp_randomized_response('a', ARRAY['a', 'b', 'a'], 1);
SELECT dp_randomized_response('a', ARRAY['a', NULL], 1);
SELECT dp_randomized_response(ward, ARRAY['a', 'b'], CASE WHEN ward = 'a' THEN 1e6 ELSE 0.1 END) FROM visits;
SELECT dp_randomized_response(ward, ARRAY[ward, 'b'], 1) FROM visits;
SELECT dp_randomized_response(ward, ARRAY['a', 'b'], random()) FROM visits;
SELECT dp_randomized_response(xml '<a/>', ARRAY[xml '<a/>'], 1);
SELECT dp_randomized_response(1, ARRAY['a', 'b'], 1);
SELECT dp_rr_histogram(ward, ARRAY['a'], 1) FROM visits;
SELECT dp_rr_histogram(ward, ARRAY[]::text[], 1) FROM visits;
SELECT dp_rr_histogram(ward, ARRAY['a', 'b'], 0) FROM visits;
SELECT dp_rr_histogram(ward, ARRAY['a', 'b'], NULL) FROM visits;
SELECT dp_rr_histogram(ward, ARRAY['a', ward], 1) FROM visits;
SELECT dp_rr_histogram(ward, ARRAY['a', 'b'], 1) OVER () FROM visits;
SELECT dp_rr_histogram(ward, ARRAY['a', 'b'], 1 ORDER BY ward) FROM visits;

-- The same code under other signatures.
SET client_min_messages = warning;
CREATE FUNCTION forged_response(text, int8[], float8) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_randomized_response';
SELECT forged_response('a', '{1,2}', 1);
CREATE FUNCTION forged_type(text, text[], float8) RETURNS int8 LANGUAGE c AS '$libdir/pg_dp', 'dp_randomized_response';
SELECT forged_type('a', '{a,b}', 1);
CREATE FUNCTION forged_short(text, text[]) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_randomized_response';
SELECT forged_short('a', '{a,b}');
CREATE FUNCTION forged_epsilon(text, text[], int8) RETURNS text LANGUAGE c AS '$libdir/pg_dp', 'dp_randomized_response';
SELECT forged_epsilon('a', '{a,b}', 1);
CREATE FUNCTION forged_rows(internal) RETURNS dp_mechanism[] LANGUAGE c AS '$libdir/pg_dp', 'dp_rr_answer';
CREATE AGGREGATE forged_histogram(anycompatible, anycompatiblearray, float8) (SFUNC = dp_internal.dp_categories_add, STYPE = internal, FINALFUNC = forged_rows);
SELECT forged_histogram(ward, ARRAY['a', 'b'], 1) FROM visits;
CREATE TYPE forged_row AS (category text, estimate text, standard_error float8);
CREATE FUNCTION forged_columns(internal) RETURNS forged_row[] LANGUAGE c AS '$libdir/pg_dp', 'dp_rr_answer';
CREATE AGGREGATE forged_estimates(anycompatible, anycompatiblearray, float8) (SFUNC = dp_internal.dp_categories_add, STYPE = internal, FINALFUNC = forged_columns);
SELECT forged_estimates(ward, ARRAY['a', 'b'], 1) FROM visits;
DROP FUNCTION forged_response, forged_type, forged_short, forged_epsilon, forged_rows, forged_columns CASCADE;
DROP TYPE forged_row;
DROP TABLE survey;
