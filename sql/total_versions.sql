-- dp_add, dp_try_int and the others give what PostgreSQL's own give, and NULL where these raise an error: over extreme values.
SET client_min_messages = warning;
SET jit = off;
SET TimeZone = 'America/Los_Angeles';

SELECT dp_internal.make_extreme_values();
-- Each pair of values for which it is otherwise. `total` and `original` are over a1.v and a2.v.
CREATE FUNCTION pg_temp.different(total text, original text, first text, second text DEFAULT 'boolean')
    RETURNS TABLE (one text, other text, got text, should_be text) LANGUAGE plpgsql AS $$
DECLARE
    sources text := format('%s a1, %s a2 WHERE NOT (a1.long AND a2.long)', dp_internal.extreme_values_of(first::regtype),
        dp_internal.extreme_values_of(second::regtype));
    n1 int;
    n2 int;
BEGIN
    FOR n1, n2, one, other, got IN EXECUTE format('SELECT a1.n, a2.n, a1.v, a2.v, (%s)::text FROM %s', total, sources) LOOP
        BEGIN
            EXECUTE format('SELECT (%s)::text FROM %s AND a1.n = %s AND a2.n = %s', original, sources, n1, n2) INTO should_be;
        EXCEPTION WHEN others THEN
            should_be := NULL;
        END;
        IF got IS DISTINCT FROM should_be THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END
$$;

CREATE TEMP TABLE version (total text, original text, first text, second text);
INSERT INTO version
SELECT format('dp_%s(a1.v, a2.v)', name), format('a1.v %s a2.v', operator), type, type
FROM (VALUES ('add', '+'), ('sub', '-'), ('mul', '*'), ('div', '/'), ('mod', '%')) v(name, operator),
     unnest('{int2,int4,int8,float8,numeric}'::text[]) type
WHERE (name, type) <> ('mod', 'float8');
INSERT INTO version (total, original, first, second)
SELECT format('dp_%s(a1.v, a2.v)', name), format('a1.v %s a2.v', operator), first, second
FROM (VALUES ('add', '+', 'date', 'int4'), ('sub', '-', 'date', 'int4'), ('sub', '-', 'date', 'date'), ('sub', '-', 'timestamp',
    'timestamp'),
             ('sub', '-', 'timestamptz', 'timestamptz'), ('add', '+', 'date', 'interval'), ('sub', '-', 'date', 'interval'),
             ('add', '+', 'timestamp', 'interval'), ('sub', '-', 'timestamp', 'interval'), ('add', '+', 'timestamptz', 'interval'),
             ('sub', '-', 'timestamptz', 'interval')) v(name, operator, first, second);
INSERT INTO version (total, original, first)
SELECT format('dp_try_%s(a1.v)', name), format('a1.v::%s', type), argument
FROM (VALUES ('int', 'int8', '{text,bpchar,numeric,float8,float4,int8,int4,int2}'::text[]), ('float', 'float8',
    '{text,numeric,int4}'),
             ('numeric', 'numeric', '{text,varchar}'), ('date', 'date', '{text}'), ('timestamp', 'timestamp',
             '{text,date,timestamptz}'))
    v(name, type, arguments), unnest(arguments) argument;
INSERT INTO version VALUES
    ('dp_round(a1.v, a2.v)', 'round(a1.v, a2.v)', 'numeric', 'int4'), ('dp_round(a1.v)', 'round(a1.v)', 'numeric', NULL),
    ('dp_concat(a1.v, a2.v)', 'a1.v || a2.v', 'text', 'text'),
    ('dp_trunc(a1.v, a2.v)', 'date_trunc(a1.v, a2.v)', 'text', 'timestamp'), ('dp_trunc(a1.v, a2.v)', 'date_trunc(a1.v, a2.v)',
    'text', 'timestamptz'),
    ('dp_trunc(a1.v, a2.v)', 'date_trunc(a1.v, a2.v::timestamp)::date', 'text', 'date'),
    ('dp_trunc(''century'', a2.v, a1.v)', 'date_trunc(''century'', a2.v, a1.v)', 'text', 'timestamptz');
SELECT count(*) AS versions, count(DISTINCT regexp_replace(total, '\(.*', '')) AS names FROM version;
SELECT count(*) > 0 AS finds_another FROM pg_temp.different('dp_add(a1.v, a2.v)', 'a1.v - a2.v', 'int4', 'int4');
SELECT total, first, second, left(one, 40) AS one, left(other, 40) AS other, left(got, 40) AS got, left(should_be, 40) AS should_be
FROM version, pg_temp.different(total, original, first, coalesce(second, 'boolean')) ORDER BY 1, 2, 3, 4, 5;

-- dp_bucket: a multiple of the width, at most the value and above it less the width.
SELECT v, w, dp_bucket(v, w) FROM unnest('{-21,-20,-1,0,9,2147483647,-2147483648,NULL}'::int[]) v, unnest('{10,0,-10}'::int[]) w
    WHERE w = 10 OR v = 9;
SELECT v, w, dp_bucket(v, w) FROM unnest('{-9223372036854775808,9223372036854775807,-1}'::int8[]) v,
    unnest('{7,9223372036854775807}'::int8[]) w;
SELECT v, w, dp_bucket(v, w) FROM unnest('{-0.3,0.3,0.7,1e300,5e-324,NaN,Infinity,-Infinity}'::float8[]) v,
    unnest('{0.1,0.25,1e308}'::float8[]) w;
SELECT w, dp_bucket(1, w) FROM unnest('{0,-1,NaN,Infinity,5e-324}'::float8[]) w;
SELECT v, w, dp_bucket(v, w) FROM unnest('{-0.3,0.3,0.70,1e30,NaN,Infinity,-Infinity}'::numeric[]) v,
    unnest('{0.1,7}'::numeric[]) w;
SELECT w, dp_bucket(1, w) FROM unnest('{0,-1,NaN,Infinity}'::numeric[]) w;
SELECT count(*) AS buckets, count(DISTINCT dp_bucket(i / 1000.0::float8, 0.1)) AS different FROM generate_series(-5000, 4999) i;
SELECT count(*) AS wrong FROM generate_series(-3000, 3000) i, unnest('{1,3,10,77}'::int[]) w
WHERE dp_bucket(i, w) IS DISTINCT FROM floor(i::numeric / w) * w OR dp_bucket(i::int8, w) <> dp_bucket(i, w)
    OR dp_bucket(i::numeric, w) <> dp_bucket(i, w) OR dp_bucket(i::float8, w) <> dp_bucket(i, w);
SELECT dp_bucket(repeat('9', 131072)::numeric, 7) IS NULL AS large, dp_bucket(('-' || repeat('9', 131072))::numeric,
    7) IS NULL AS out_of_range,
    length(dp_concat(repeat('x', 1048575), 'y')), dp_concat(repeat('x', 1048576), 'y') IS NULL AS too_long;

-- Types of results, also for arguments of different types.
SELECT pg_typeof(dp_add(1::int2, 1::int2)), pg_typeof(dp_add(1::int2, 1)), pg_typeof(dp_add(1, 1::int8)), pg_typeof(dp_add(1,
    0.5)),
    pg_typeof(dp_add(1::float4, 1)), pg_typeof(dp_mul(1.5, 1::float8)), pg_typeof(dp_sub(date '2024-01-01', '2023-01-01')),
    pg_typeof(dp_bucket(1::int2, 10)), pg_typeof(dp_bucket(1.5, 10)), pg_typeof(dp_try_int('1')), pg_typeof(dp_trunc('month',
        date '2024-02-03'));

SELECT dp_bucket('Infinity'::float8, 10) AS infinite, dp_bucket('Infinity'::float8, 'Infinity') AS no_width, dp_bucket('NaN'::float8, 'NaN') AS none;
-- Errors that are not about the arguments stay errors.
BEGIN;
SET LOCAL statement_timeout = '100ms';
SELECT count(dp_try_int('x' || i)) FROM generate_series(1, 100000000) i;
ROLLBACK;
DROP SCHEMA dp_extreme CASCADE;
