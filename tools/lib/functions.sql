-- Writes the table of functions of docs/plain-sql/expressions.md to the standard output: whether an expression of each function that is
-- known (src/guard/functions) has bounds and groups, and may give NULL in place of an error. What the table says is what is answered:
-- each function is asked about, over columns with declared ranges and values. Run by tools/reference, and by test/fault/reference.sh,
-- which compares.
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
SET client_min_messages = error;
SET TimeZone = 'UTC';
\o /dev/null
BEGIN;
CREATE ROLE dp_asks_of_functions;
CREATE TABLE sample (small smallint, whole integer, large bigint, number numeric(10, 2), real4 real, real8 double precision, word text, name varchar(10),
    day date, at timestamp, moment timestamptz, clock time, span interval, yes boolean, bits bytea, wholes integer[], words text[], document jsonb, ranged int4range);
SELECT dp.protect('sample', 1, answer_epsilon => 0.001);
SELECT dp.grant_budget('sample', 'dp_asks_of_functions', 1, allow_leaks => true);
SELECT dp.declare_range('sample', c, 1, 90) FROM unnest(ARRAY['small', 'whole', 'large', 'number', 'real4', 'real8']) AS c;
SELECT dp.declare_range('sample', c, '2020-01-01', '2020-03-31') FROM unnest(ARRAY['day', 'at', 'moment']) AS c;
SELECT dp.declare_values('sample', c, 'a1', 'b2') FROM unnest(ARRAY['word', 'name']) AS c;

-- How an argument of a type is asked for: as a column, and as constants; how the table writes it, the first and others of its kind; and what
-- the table calls types like it.
CREATE TEMP TABLE argument (type regtype PRIMARY KEY, in_rows text, constants text[], letters text[], family text);
INSERT INTO argument VALUES
    ('smallint', 'small', '{2::smallint}', '{x,y,z,n}', 'integers'), ('integer', 'whole', '{2,-1}', '{x,y,z,n}', 'integers'),
    ('bigint', 'large', '{2::bigint}', '{x,y,z,n}', 'integers'), ('numeric', 'number', '{2.0}', '{x,y,z,n}', 'numeric'),
    ('real', 'real4', '{2::real}', '{x,y,z,n}', 'floats'), ('double precision', 'real8', '{2::float8}', '{x,y,z,n}', 'floats'),
    ('text', 'word', $${'month','a','1','YYYY','UTC'}$$, '{t,u,v,w}', 'texts'), ('varchar', 'name', $${'a'::varchar}$$, '{t,u,v,w}', 'texts'),
    ('"any"', 'word', $${'a'::text}$$, '{t,u,v,w}', 'texts'), ('anyelement', 'word', $${'a'::text}$$, '{t,u,v,w}', 'texts'),
    ('date', 'day', $${date '2020-01-01'}$$, '{d,e,f}', 'dates'), ('timestamp', 'at', $${timestamp '2020-01-01'}$$, '{d,e,f}', 'timestamps'),
    ('timestamptz', 'moment', $${timestamptz '2020-01-01'}$$, '{d,e,f}', 'timestamps'), ('time', 'clock', $${time '12:00'}$$, '{clock,clock}', 'times'),
    ('interval', 'span', $${interval '1 day'}$$, '{span,span}', 'intervals'), ('boolean', 'yes', '{true}', '{b,c}', 'booleans'),
    ('anyarray', 'wholes', '{"ARRAY[1, 50]"}', '{a,b}', 'arrays'), ('anycompatiblearray', 'wholes', '{"ARRAY[1, 50]"}', '{a,b}', 'arrays'),
    ('anycompatible', 'whole', '{1}', '{x,y}', 'integers'), ('text[]', 'words', $${ARRAY['a']}$$, '{a,b}', 'arrays'),
    ('jsonb', 'document', '{"jsonb_build_object()"}', '{j,k}', 'json'), ('bytea', 'bits', $${'a'::bytea}$$, '{bytes,bytes,bytes}', 'bytea'),
    ('anyrange', 'ranged', '{"int4range(1, 5)"}', '{r,s}', 'ranges');
GRANT SELECT ON argument TO PUBLIC;

-- A call as it is written: by its operator, where it has one, as a cast, or by its name.
CREATE FUNCTION pg_temp.call(function oid, arguments text[]) RETURNS text LANGUAGE sql AS $$
    SELECT CASE
        WHEN o.oprname IS NOT NULL AND cardinality(arguments) = 2 THEN format('%s %s %s', arguments[1], o.oprname, arguments[2])
        WHEN o.oprname IS NOT NULL THEN format('%s %s', o.oprname, arguments[1])
        WHEN c.castfunc IS NOT NULL AND cardinality(arguments) = 1 THEN format('%s::%s', arguments[1], p.prorettype::regtype)
        WHEN p.proname = 'extract' THEN format('extract(%s FROM %s)', trim(arguments[1], ''''), arguments[2])
        WHEN p.proname = 'timezone' THEN format('%s AT TIME ZONE %s', arguments[2], arguments[1])
        WHEN p.proname = 'position' THEN format('position(%s IN %s)', arguments[2], arguments[1])
        ELSE format('%s(%s)', p.proname, array_to_string(arguments, ', ')) END
    FROM pg_proc p LEFT JOIN pg_operator o ON o.oprcode = p.oid LEFT JOIN pg_cast c ON c.castfunc = p.oid AND c.castsource = p.proargtypes[0]
    WHERE p.oid = function ORDER BY o.oprname LIMIT 1
$$;

CREATE TEMP TABLE calls AS
WITH known AS (
    SELECT p.oid AS function, p.proargtypes::regtype[] AS types, p.prorettype::regtype AS result,
        CASE WHEN p.proname IN ('extract', 'date_part', 'date_trunc', 'date_bin', 'timezone') THEN 2
            WHEN p.pronargs = 2 AND (p.proname = 'log' OR p.proargtypes[0] = 'interval'::regtype AND p.proargtypes[1] <> 'interval'::regtype) THEN 2 ELSE 1 END AS main
    FROM dp_internal.function_facts() f JOIN pg_proc p ON p.oid = f.function
    WHERE p.prorettype <> 'boolean'::regtype AND p.pronargs BETWEEN 1 AND 4 AND p.provariadic = 0
        -- Not by an older name, dexp(x) for exp(x), and not what casts call for a length.
        AND NOT (p.proname = p.prosrc AND EXISTS (SELECT FROM pg_proc o WHERE o.prosrc = p.prosrc AND o.proname <> p.proname))
        AND NOT (p.pronargs > 1 AND EXISTS (SELECT FROM pg_cast WHERE castfunc = p.oid))
), wanted AS (
    SELECT k.*, (SELECT array_agg(a.letters[(SELECT count(*) FROM unnest(types[0:n - 1]) e(type) JOIN argument b USING (type) WHERE b.letters = a.letters)] ORDER BY n)
        FROM unnest(types) WITH ORDINALITY t(type, n) JOIN argument a USING (type)) AS letters,
        (SELECT a.family FROM argument a WHERE a.type = types[main - 1]) AS family
    FROM known k
)
SELECT w.function, w.result, w.letters, w.family,
    -- All of them columns, and the one that it is about beside constants.
    ARRAY(SELECT pg_temp.call(w.function, chosen) FROM (
        SELECT (SELECT array_agg(a.in_rows ORDER BY n) FROM unnest(types) WITH ORDINALITY t(type, n) JOIN argument a USING (type)) AS chosen
        UNION
        SELECT (SELECT array_agg(CASE WHEN n = main THEN a.in_rows ELSE coalesce(a.constants[which], a.constants[1]) END ORDER BY n)
                FROM unnest(types) WITH ORDINALITY t(type, n) JOIN argument a USING (type))
        FROM generate_series(1, 5) AS which) AS c) AS asked
FROM wanted w WHERE cardinality(letters) = array_length(types, 1);

CREATE FUNCTION pg_temp.is_answered(question text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dp.cost(question);
    RETURN true;
EXCEPTION WHEN others THEN
    RETURN false;
END
$$;
CREATE FUNCTION pg_temp.gives_null(question text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || question LOOP
        IF line LIKE '%Errors as NULL%' THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END
$$;
-- A number that a value stands for.
CREATE FUNCTION pg_temp.number_of(expression text, result regtype) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN result = ANY ('{smallint,integer,bigint,numeric,real,double precision}'::regtype[]) THEN expression
        WHEN result = ANY ('{date,timestamp,timestamptz,interval}'::regtype[]) THEN format('extract(epoch FROM %s)', expression) END
$$;
CREATE TEMP TABLE said (name text, family text, admitted boolean, bounds boolean, groups boolean, nulls boolean, bounded boolean);
GRANT INSERT ON said TO PUBLIC;
GRANT SELECT ON calls TO PUBLIC;
SET ROLE dp_asks_of_functions;
INSERT INTO said
SELECT pg_temp.call(function, letters), family, q.admitted, q.bounds, q.groups, q.nulls, pg_temp.number_of('', result) IS NOT NULL
FROM calls, LATERAL (
    SELECT bool_or(a) AS admitted, bool_or(b) AS bounds, bool_or(g) AS groups, bool_or(n) AS nulls
    FROM (SELECT a, a AND pg_temp.number_of(e, result) IS NOT NULL AND pg_temp.is_answered(format('SELECT stddev(DISTINCT %s) FROM sample', pg_temp.number_of(e, result))) AS b,
            a AND pg_temp.is_answered(format('SELECT %s, count(*) FROM sample GROUP BY 1', e)) AS g,
            CASE WHEN a THEN pg_temp.gives_null(format('SELECT count(*) FROM sample WHERE (%s) IS NULL', e)) END AS n
          FROM unnest(asked) AS e, LATERAL (SELECT pg_temp.is_answered(format('SELECT count(*) FROM sample WHERE (%s) IS NULL', e)) AS a OFFSET 0) AS admitted) AS each) AS q;
RESET ROLE;
\o
\qecho '| expression | bounds | groups | may give NULL |'
\qecho '|---|---|---|---|'
SELECT format('| `%s` | %s | %s | %s |', replace(name, '|', '\|'),
    CASE WHEN NOT bool_or(bounded) THEN '' WHEN bool_and(bounds) THEN 'yes' WHEN bool_or(bounds) THEN 'of ' || string_agg(DISTINCT family, ', ') FILTER (WHERE bounds) ELSE 'no' END,
    CASE WHEN bool_and(groups) THEN 'yes' WHEN bool_or(groups) THEN 'of ' || string_agg(DISTINCT family, ', ') FILTER (WHERE groups) ELSE 'no' END,
    CASE WHEN bool_or(nulls) THEN 'yes' ELSE '' END)
FROM said WHERE admitted GROUP BY name
ORDER BY name !~ '^[a-z0-9_]+[(]', name COLLATE "C";
ROLLBACK;
