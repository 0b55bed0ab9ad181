-- What the asker can create or drop is never named below the noise: operators, types, collations; and functions that are made for
-- sorting are no values.
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_objects_owner, regress_objects_asker;
CREATE ROLE regress_objects_owner;
CREATE ROLE regress_objects_asker;
CREATE SCHEMA objects AUTHORIZATION regress_objects_owner;
CREATE SCHEMA lying AUTHORIZATION regress_objects_asker;
GRANT USAGE ON SCHEMA objects TO regress_objects_asker;
SET ROLE regress_objects_owner;
CREATE TYPE objects.mood AS ENUM ('low', 'high');
CREATE DOMAIN objects.gloom AS objects.mood;
CREATE TYPE objects.span AS RANGE (subtype = float8);
CREATE COLLATION objects.german (provider = icu, locale = 'de');
CREATE TABLE objects.people (id int PRIMARY KEY, age int, name text, code varchar(10), mood objects.mood, gloom objects.gloom,
    moods objects.mood[], span objects.span, german text COLLATE objects.german, place inet, ill boolean);
INSERT INTO objects.people SELECT i, i % 50, 'n' || i % 5, 'c' || i % 5,
    CASE WHEN i % 2 = 0 THEN 'low' ELSE 'high' END::objects.mood,
    'low', '{low}', '[0,1]', 'x', '10.0.0.1', i = 7 FROM generate_series(1, 100) i;
SELECT dp.protect('objects.people', 9e9, privacy_unit => 'id', max_rows_per_unit => 1) \g /dev/null
SELECT dp.grant_budget('objects.people', 'regress_objects_asker', 9e9, allow_leaks => true) \g /dev/null
RESET ROLE;

-- 'yes', or why not.
CREATE FUNCTION objects.verdict(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    seen text := '';
BEGIN
    BEGIN
        EXECUTE query;
    EXCEPTION WHEN others THEN
        seen := sqlstate || ' ' || sqlerrm;
    END;
    RETURN coalesce(nullif(seen, ''), 'yes');
END
$$;

SET ROLE regress_objects_asker;
SET search_path = objects, public, pg_catalog;
-- Sees what it is called with.
CREATE FUNCTION lying.seen(text, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN RAISE EXCEPTION 'a row was seen: %', $1; END $$;
CREATE FUNCTION lying.seen(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN RAISE EXCEPTION 'a row was seen: %', $1; END $$;
CREATE OPERATOR lying.<>~ (FUNCTION = lying.seen, LEFTARG = text, RIGHTARG = text);
CREATE OPERATOR lying.=~ (FUNCTION = pg_catalog.texteq, LEFTARG = text, RIGHTARG = text, NEGATOR = OPERATOR(lying.<>~));
CREATE OPERATOR lying.<> (FUNCTION = lying.seen, LEFTARG = int, RIGHTARG = int);
CREATE OPERATOR lying.= (FUNCTION = pg_catalog.int4eq, LEFTARG = int, RIGHTARG = int, NEGATOR = OPERATOR(lying.<>),
    COMMUTATOR = OPERATOR(lying.=));

-- Every place in which an operator stands.
\pset format unaligned
\pset tuples_only
SELECT place || E'\n    ' || verdict(query) FROM (VALUES
    ('WHERE', 'SELECT dp_count(''*'', 1) FROM people WHERE NOT (dp_concat(name, ill::text) OPERATOR(lying.=~) '''')'),
    ('FILTER', 'SELECT dp_count(''*'', 1) FILTER (WHERE NOT (name OPERATOR(lying.=~) ''n1'')) FROM people'),
    ('argument', 'SELECT dp_count(CASE WHEN NOT (name OPERATOR(lying.=~) ''n1'') THEN 1 END, 1) FROM people'),
    ('CASE', 'SELECT dp_sum(CASE WHEN NOT name OPERATOR(lying.=~) ''n1'' THEN 1 ELSE 0 END, 0, 1, 1) FROM people'),
    ('ANY', 'SELECT dp_count(''*'', 1) FROM people WHERE NOT (name OPERATOR(lying.=~) ANY (ARRAY[''n1'', ''n2'']))'),
    ('GROUP BY', 'SELECT NOT name OPERATOR(lying.=~) ''n1'', dp_count(''*'', 1) FROM people GROUP BY 1'),
    ('JOIN', 'SELECT dp_count(''*'', 1) FROM people JOIN people b
        ON people.id = b.id AND NOT (people.age OPERATOR(lying.=) b.age)'),
    ('a constant', 'SELECT dp_count(''*'', 1) FROM people WHERE ill = (NOT (''a'' OPERATOR(lying.=~) ''b''))')) v(place, query);
SET search_path = lying, objects, public, pg_catalog;
SELECT objects.verdict('SELECT dp_count(''*'', 1) FROM people WHERE NOT (age = 7)');
SELECT objects.verdict('SELECT dp_count(''*'', 1) FROM people WHERE age IN (7, 8)');
SELECT objects.verdict('SELECT dp_count(''*'', 1) FROM people WHERE age IS DISTINCT FROM 7');
SELECT objects.verdict('SELECT dp_count(nullif(age, 7), 1) FROM people');
SET search_path = objects, public, pg_catalog;

-- Types of his own.
CREATE TYPE lying.label AS ENUM ('x', 'n1');
CREATE TYPE lying.row AS (x int);
CREATE TYPE lying.floats AS RANGE (subtype = float8);
CREATE DOMAIN lying.word AS text;
CREATE TABLE lying.kind (x int);
SELECT place || E'\n    ' || verdict(query) FROM (VALUES
    ('enum', 'SELECT dp_count(''*'', 1) FROM people WHERE name = ''n1'' AND ''x''::lying.label::text = name'),
    ('enum under CASE', 'SELECT dp_count(CASE WHEN ill THEN ''x''::lying.label END, 1) FROM people'),
    ('array of enum', 'SELECT dp_count(CASE WHEN ill THEN ''{x}''::lying.label[] END, 1) FROM people'),
    ('range', 'SELECT dp_count(CASE WHEN ill THEN ''[0,1]''::lying.floats END, 1) FROM people'),
    ('row', 'SELECT dp_count(CASE WHEN ill THEN ''(1)''::lying.row END, 1) FROM people'),
    ('row of a table', 'SELECT dp_count(CASE WHEN ill THEN ''(1)''::lying.kind END, 1) FROM people'),
    ('NULL', 'SELECT dp_count(CASE WHEN ill THEN NULL::lying.kind END, 1) FROM people'),
    ('domain', 'SELECT dp_count(''*'', 1) FROM people WHERE name = ''x''::lying.word'),
    ('cast', 'SELECT dp_count(name::lying.word, 1) FROM people'),
    ('key', 'SELECT name::lying.word, dp_count(''*'', 1) FROM people GROUP BY 1'),
    ('categories', 'SELECT dp_histogram(''x''::lying.label, ''{x,n1}''::lying.label[], 1) FROM people')) v(place, query);
PREPARE labelled(lying.label) AS SELECT dp_count(CASE WHEN ill THEN $1 END, 1) FROM people;
EXECUTE labelled('x');

-- Collations of his own.
CREATE COLLATION lying.order (provider = icu, locale = 'de');
SELECT place || E'\n    ' || verdict(query) FROM (VALUES
    ('WHERE', 'SELECT dp_count(''*'', 1) FROM people WHERE name COLLATE lying.order > ''a'''),
    ('in a constant', 'SELECT dp_count(''*'', 1) FROM people WHERE name > ''a'' COLLATE lying.order'),
    ('key', 'SELECT name COLLATE lying.order, dp_count(''*'', 1) FROM people GROUP BY 1')) v(place, query);

-- Functions made for sorting and hashing.
SELECT call || E'\n    ' || verdict(format('SELECT dp_sum(%s, -200, 200, 1) FROM people', call)) FROM unnest(ARRAY[
    $$bttextnamecmp(name, 'n1')$$, $$bttextcmp(name, 'n1')$$, $$network_cmp(place, '10.0.0.2')$$, 'btint4cmp(age, 7)',
    $$bpcharcmp(name::char(3), 'n1')$$, 'enum_cmp(mood, mood)', 'btarraycmp(moods, moods)',
    'hashtext(name)', 'hashint4(age)']) call;

-- What the columns are declared as, and what PostgreSQL brings: admitted, no line here.
SELECT query || E'\n    ' || verdict(query) FROM unnest(ARRAY[
    'SELECT dp_count(''*'', 1) FROM people WHERE mood = ''low'' AND gloom::mood = ''low''',
    'SELECT dp_count(''*'', 1) FROM people WHERE mood = ANY (''{low}''::mood[]) AND mood IN (''low'', ''high'')',
    'SELECT dp_count(''*'', 1) FROM people WHERE moods = ''{low}'' AND ''low'' = ANY (moods)',
    'SELECT dp_histogram(mood, ''{low,high}''::mood[], 1) FROM people',
    'SELECT dp_histogram(mood, ARRAY[''low'', ''high'']::mood[], 1) FROM people',
    'SELECT dp_histogram(code, ARRAY[''c1'', ''c2''], 1) FROM people',
    'SELECT dp_histogram(age::bigint, ARRAY[1, 2], 1) FROM people',
    'SELECT dp_histogram(age::numeric, ARRAY[1, 2], 1) FROM people',
    'SELECT dp_count(span, 1) FROM people WHERE span IS NOT NULL', 'SELECT dp_count(''*'', 1) FROM people WHERE german > ''a''',
    'SELECT dp_count(''*'', 1) FROM people WHERE name COLLATE "und-x-icu" > ''a'' AND name = ''x'' COLLATE "C"',
    'SELECT dp_count(''*'', 1) FROM people WHERE greatest(name, ''b'') > ''a'' AND least(age, 7) = 7 AND NOT (age = 7)',
    'SELECT dp_count(DISTINCT name, 1) FROM people']) query
WHERE verdict(query) <> 'yes';
PREPARE found(text[]) AS SELECT dp_count('*', 1e6) FROM people WHERE code = ANY ($1);
EXECUTE found('{c1,c2}');
\pset format aligned
\pset tuples_only off

RESET ROLE;
RESET search_path;
DROP FUNCTION objects.verdict;
DROP SCHEMA lying CASCADE;
DROP SCHEMA objects CASCADE;
DROP ROLE regress_objects_owner, regress_objects_asker;
