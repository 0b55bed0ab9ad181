-- What all other tests need, first: the extension, and for each test a schema of its own. Tables that several tests ask about lie
-- here in public; none of them changes these, for tests run beside each other.
SET client_min_messages = warning;
CREATE EXTENSION pg_dp;

-- What the tests need, whatever the server's own settings are: they drop what they have protected, and their plans are the same
-- everywhere.
DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I SET dp.allow_drop = on', current_database());
    EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
END $$;

-- A test's own schema, where it finds its objects and makes them. Roles that it asks as may look them up there.
CREATE PROCEDURE own_schema(name text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE SCHEMA %I', name);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', name);
    PERFORM set_config('search_path', format('%I, public', name), false);
END $$;

-- 1,000 rows: value kinds with NULLs, outliers beyond 0 .. 100 on both sides, five wards.
CREATE TABLE visits AS
SELECT id::int,
       (id * 37 % 131 - 15)::int2 AS small,
       (id * 37 % 131 - 15)::int4 AS age,
       (id * 37 % 131 - 15)::int8 AS large,
       nullif((id * 7919 % 12007) / 100.0 - 10, 0)::float8 AS cost,
       nullif((id * 7919 % 12007) / 100.0 - 10, 0)::numeric AS price,
       CASE WHEN id % 10 = 0 THEN NULL ELSE chr(97 + (id % 5)) END AS ward
FROM generate_series(1, 1000) id;
UPDATE visits SET small = NULL, age = NULL, large = NULL, cost = NULL, price = NULL WHERE id % 17 = 0;

-- The same sixty times over, for parallel plans.
CREATE TABLE many AS SELECT v.* FROM visits v, generate_series(1, 60);
ANALYZE visits;
ANALYZE many;

-- Clamping as the aggregates do it; NULL stays NULL, unlike with LEAST and GREATEST alone.
CREATE FUNCTION clamp(x numeric, lower numeric, upper numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT
    RETURN least(greatest(x, lower), upper);
CREATE FUNCTION clamp(x float8, lower float8, upper float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT
    RETURN least(greatest(x, lower), upper);

-- Equal up to 1e-4 relative, which is what epsilon = 1e6 promises.
CREATE FUNCTION near(answer float8, truth float8) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN abs(answer - truth) <= 1e-4 * greatest(abs(truth), 1e-6);

-- What EXPLAIN says that is the same in all versions of PostgreSQL: what the release node says, and the nodes that read and count; or
-- the lines that match a pattern.
CREATE FUNCTION plan_of(query text, lines text DEFAULT
    'DpRelease|Protected Table|Privacy Unit|Epsilon|Delta|Aggregate|WindowAgg|Run Condition|Scan on|Filter')
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        CONTINUE WHEN line !~ lines;
        RETURN NEXT regexp_replace(ltrim(line, ' ->'), 'OVER (\(\?\)|\w+)', 'OVER w');
    END LOOP;
END $$;

-- What a query answers over tables that may be read, and over the protected ones of which they are copies: `plain` in its text stands
-- where the query has `protected`. In a plan that is made for its parameters (their types, and the values that are given) and in one
-- that is made for any. An error is its message.
CREATE FUNCTION both_answers(query text, types text DEFAULT '', given text DEFAULT '', plans text[] DEFAULT '{custom,generic}',
    protected text DEFAULT 'stay', readable text DEFAULT 'plain', OUT plan text, OUT plain text, OUT private text)
RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
    line text;
    name text;
BEGIN
    FOREACH plan IN ARRAY plans LOOP
        PERFORM set_config('plan_cache_mode', format('force_%s_plan', plan), true);
        FOREACH name IN ARRAY ARRAY[readable, protected] LOOP
            plain := private;
            BEGIN
                DEALLOCATE ALL;
                EXECUTE format('PREPARE asked%s AS %s', types, replace(query, protected, name));
                private := '';
                FOR line IN EXECUTE 'EXECUTE asked' || given LOOP
                    private := concat_ws(' ', private, line);
                END LOOP;
            EXCEPTION WHEN OTHERS THEN
                private := left(SQLERRM, 130);
            END;
        END LOOP;
        RETURN NEXT;
    END LOOP;
END
$$;
