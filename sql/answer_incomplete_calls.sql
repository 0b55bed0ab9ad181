-- Calls that lack parameters say what is missing, and complete calls with parameters of open types are still found.
CALL own_schema('answer_incomplete_calls');
SET client_min_messages = error;
CREATE TABLE calls AS SELECT i, i::smallint AS s, i::bigint AS b, i::real AS r, i::float8 AS f, i::numeric AS n, i::text AS t, 'a'::varchar AS v FROM generate_series(1, 10) AS i;
CREATE TABLE kept AS TABLE calls;
SELECT dp.protect('kept', 1e9);
CREATE TABLE of_units AS SELECT i % 5 AS who, * FROM calls;
SELECT dp.protect('of_units', 1e9, privacy_unit => 'who', max_rows_per_unit => 2);
SELECT dp_count('*') FROM calls;
SET dp.epsilon = 1e6;
SELECT dp_count('*'), dp_count(NULL::int), dp_count(i) FILTER (WHERE i > 3), dp_count(DISTINCT i % 3), dp_count(*) FROM calls;
SELECT dp_count('*'), dp_count(t), dp_count(*) FROM kept;
SELECT dp_count('*'), dp_count(t) FROM of_units;
SELECT sum(epsilon) FROM dp.cost('SELECT dp_count(t) FROM kept');
RESET dp.epsilon;
SELECT dp_count(t) FROM kept;
SELECT dp_avg(f, 0.5) FROM calls;
SELECT dp_avg(f, 0.5) FROM kept;
EXPLAIN SELECT dp_sum(i, 0.5) FROM of_units;
SELECT dp_sum(i) FROM calls;
SELECT dp_sum(i, 0, 100) FROM calls;
SELECT dp_sum(t, 0, 100, 0.5) FROM calls;
SELECT dp_sum(i, 0, 100, 0.5, 'laplace', 3) FROM calls;
SELECT dp_variance(i, 0.5) FROM calls;
SELECT dp_stddev(i, 0.5) FROM calls;
SELECT dp_median(i, 0.5) FROM calls;
SELECT dp_quantile(i, 0.9, 0.5) FROM calls;
SELECT dp_quantile(i, 0, 100, 0.5) FROM calls;
SELECT dp_bounds(i) FROM calls;
SELECT dp_bounds(t, 0.5) FROM calls;
SELECT dp_mode(v, 0.5) FROM calls;
SELECT dp_histogram(v, 0.5) FROM calls WHERE false;
SELECT dp_sum(i, 0.5) OVER () FROM calls;
SELECT dp.admissible('SELECT dp_avg(f, 0.5) FROM kept');
SELECT * FROM dp.cost('SELECT dp_avg(f, 0.5) FROM kept');
-- One more line of \da for each name.
SELECT proname, count(*) FROM pg_proc WHERE prokind = 'a' AND proname ~ '^dp_' AND obj_description(oid) ~ 'missing' GROUP BY 1 ORDER BY 1;

-- Complete calls, all numbers as parameters of open types, as constants and as literals without a type.
DO $$
DECLARE
    call text;
    value text;
    types text;
BEGIN
    FOREACH value IN ARRAY ARRAY['s', 'i', 'b', 'r', 'f', 'n'] LOOP
        FOREACH call IN ARRAY ARRAY['dp_sum(#, $1, $2, $3)', 'dp_avg(#, $1, $2, $3)', 'dp_variance(#, $1, $2, $3)', 'dp_stddev(#, $1, $2, $3)', 'dp_median(#, $1, $2, $3)',
            'dp_quantile(#, $1, $2, $3, $4)', 'dp_bounds(#, $1)', 'dp_histogram(#, $1, $2, 10, $3)', 'dp_histogram(#, $1, $2, $4, $3)', 'dp_cumulative(#, $1, $2, 10, $3)', 'dp_cumulative(#, $1, $2, $4, $3)', 'dp_histogram(#, ARRAY[1, 2], $1)', 'dp_mode(#, ARRAY[1, 2], $1)',
            'dp_sum(#, $1, $2, $3, $4)', 'dp_bounds(#, $1, $2)', 'dp_mode(#, ARRAY[1, 2], $1, $2)'] LOOP
            EXECUTE 'PREPARE found AS SELECT ' || replace(call, '#', value) || ' FROM calls';
            SELECT string_agg(t::text, ' ' ORDER BY n) INTO types FROM pg_prepared_statements, unnest(parameter_types) WITH ORDINALITY AS p (t, n) WHERE name = 'found';
            IF types ~ 'any' THEN RAISE WARNING '% of %: %', call, value, types; END IF;
            EXECUTE 'DEALLOCATE found';
        END LOOP;
        EXECUTE replace('SELECT dp_sum(#, 0, 10, 0.5), dp_sum(#, ''0'', ''10'', ''0.5''), dp_avg(#, 0::smallint, 10::bigint, 1::real, ''laplace''), dp_quantile(#, 0.5, 0, 10, 1), '
            'dp_bounds(#, ''1''), dp_median(#, -1, 10.5, 1::numeric, ''exponential'') FROM calls', '#', value);
    END LOOP;
    EXECUTE 'PREPARE found AS SELECT dp_histogram(v, ARRAY[''a''], $1), dp_mode(v, $2, $3), dp_histogram(t, $4, $5, $6) FROM calls';
END
$$;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'found';
DEALLOCATE found;
DROP TABLE calls, kept, of_units;
