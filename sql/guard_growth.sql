-- No call below the noise asks for much memory, however large the stored values are and however calls are nested: beyond 1 MB the
-- argument of one that would is NULL.
SET client_min_messages = warning;
CREATE SCHEMA growth;
SET search_path = growth, public;
CREATE TABLE t (id int, name text, code varchar(100), price numeric, doc jsonb, data bytea, tags text[]);
INSERT INTO t VALUES (1, 'n1', 'c1', 1.5, '{"a": 1}', '\x00', '{a}'), (2, repeat('q', 140000000), 'c2', 1.5,
    jsonb_build_object('a', repeat('x', 1500000)), NULL, NULL), (3, repeat(U&'\0390', 1000000), 'c3', 1e131071, NULL, NULL, NULL),
    (4, repeat(U&'\0390', 500000), 'c4', 0,
     (SELECT jsonb_build_object('a', jsonb_agg(1e131071::numeric)) FROM generate_series(1, 200)),
     NULL, NULL);
SELECT dp.protect('t', 9e9) \g /dev/null

-- Where the arguments are capped: the plans' own words.
CREATE FUNCTION condition(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (VERBOSE, COSTS OFF) SELECT dp_count(''*'', 1) FROM t WHERE %s', condition) LOOP
        IF line LIKE '%Filter:%' THEN
            RETURN trim(replace(replace(line, 'Filter: ', ''), 't.', ''));
        END IF;
    END LOOP;
END
$$;
SET enable_indexscan = off;
\pset tuples_only
\pset format unaligned
SELECT condition(c) FROM unnest(ARRAY[
    -- Those that only read stay as they are, and so do those of short columns and numbers.
    $$name = 'x'$$, $$name LIKE 'x%'$$, 'length(name) = 1', $$starts_with(name, 'x')$$, $$doc @> '{}'$$, $$tags @> '{a}'$$,
    'id % 2 = 1',
    $$lower(code) = 'x'$$, $$btrim(code, 'x') = 'x'$$, 'trunc(price) = 1', $$price::text = '1'$$, 'dp_mul(price, price) = 1',
    'length(coalesce(name, code)) = 1', $$substr(code, 1, 2) = 'c1'$$,
    -- The others.
    $$btrim(name, 'x') = 'x'$$, $$lower(name) = 'x'$$, $$name ILIKE 'x'$$, $$replace(name, 'x', '') = 'x'$$,
    $$left(name, 1) = 'x'$$,
    $$split_part(name, '@', 1) = 'x'$$, $$substr(data, 1, 2) = '\x00'$$, $$doc ->> 'a' = 'x'$$, $$doc #>> '{a,b}' = 'x'$$,
    $$doc -> 'a' = '1'$$, 'dp_try_int(name) = 1', $$lower(coalesce(code, name)) = 'x'$$, $$name::varchar(5) = 'x'$$,
    $$translate(name, 'a', 'b') = 'x'$$, $$lower(CASE WHEN id = 1 THEN name ELSE code END) = 'x'$$,
    $$dp_concat(name, code) = 'x'$$,
    -- What grows is capped again where it would have grown too much.
    $$upper(upper(upper(code COLLATE "und-x-icu"))) = 'x'$$,
    $$translate(upper(translate(upper(translate(upper(name COLLATE "und-x-icu"), 'x', 'y')), 'x', 'y')), 'x', 'y') = 'x'$$]) c;
\pset tuples_only off
\pset format aligned

-- And they run: the large values are NULL.
SELECT dp_count(btrim(name, 'q'), 1e6) AS trimmed, dp_count(upper(name COLLATE "und-x-icu"), 1e6) AS upper,
    dp_count(translate(name, 'q', 'r'), 1e6) AS translated, dp_count(replace(name, 'q', ''), 1e6) AS replaced,
    dp_count(reverse(name), 1e6) AS reversed, dp_count(dp_try_int(name), 1e6) AS read FROM t;
SELECT dp_count(doc ->> 'a', 1e6) AS fields, dp_count(doc #>> '{a}', 1e6) AS paths, dp_count(doc -> 'a', 1e6) AS parts FROM t;
SELECT dp_count(upper(translate(upper(translate(upper(translate(upper(name COLLATE "und-x-icu"), 'a', 'b')), 'a', 'b')), 'a', 'b')
    COLLATE "und-x-icu"), 1e6) AS nested FROM t;
SELECT dp_count('*', 1e6) AS equal FROM t WHERE name = 'n1' OR name < 'a' OR length(name) > 100000000;

-- Keys that are computed stand in one row: together they are short.
CREATE FUNCTION grouped(keys int, key text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN (dp.admissible(format('SELECT %s, dp_count(''*'', 1) FROM t GROUP BY %s',
        (SELECT string_agg(format(key, i), ', ') FROM generate_series(1, keys) i),
        (SELECT string_agg(i::text, ', ') FROM generate_series(1, keys) i)))).message;
EXCEPTION WHEN others THEN
    RETURN sqlerrm;
END
$$;
SELECT grouped(100, $$translate(name, '%s', 'b')$$),
    grouped(100, $$translate(name, '%s', 'b')::varchar(100)$$) LIKE '%not public%' AS short;

-- Their texts are those of PostgreSQL.
SELECT count(*) AS different FROM (VALUES ('null'), ('1.50'), ('"x\u0001\"y"'), ('true'), ('[1, {"a": [null, false]}, "b"]'),
    ('{}'),
    ('{"a": {"b": "\\\t"}, "c": -0.0}')) v(doc), LATERAL (SELECT jsonb_build_object('k', doc::jsonb) d) d
WHERE dp_internal.jsonb_text(d -> 'k') IS DISTINCT FROM d ->> 'k';
SELECT length(dp_internal.capped(repeat('x', 1048576))), dp_internal.capped(repeat('x', 1048577)) IS NULL AS capped, dp_internal.capped(7),
    dp_internal.capped('{1,2}'::int[]), dp_internal.capped('a'::name);
RESET enable_indexscan;
RESET search_path;
DROP SCHEMA growth CASCADE;
