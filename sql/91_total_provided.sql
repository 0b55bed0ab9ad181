-- Functions that are total for some arguments only: with these arguments, over extreme values of the others (90_total_functions).
-- What they must not be called with is refused (92_constants).
SET client_min_messages = warning;
SET TimeZone = 'America/Los_Angeles';

CREATE TABLE extreme.called (function regprocedure, written text[], calls bigint, answers bigint, error text);
CREATE FUNCTION pg_temp.try(functions text[], VARIADIC written text[] DEFAULT '{}') RETURNS void LANGUAGE sql AS $$
    INSERT INTO extreme.called
    SELECT function, written, e.* FROM unnest(functions::regprocedure[]) function, extreme.first_error(function, written) e
$$;
-- The functions with that condition and type of the last argument.
CREATE FUNCTION pg_temp.listed(condition text, last_type text) RETURNS text[] LANGUAGE sql AS $$
    SELECT array_agg(function::regprocedure::text) FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
    WHERE provided LIKE condition AND proargtypes[pronargs - 1] = last_type::regtype
$$;

-- LIKE: patterns of every form, of the greatest length, of many wildcards.
DO $$
DECLARE
    pattern text;
BEGIN
    FOREACH pattern IN ARRAY ARRAY['', 'a', '%', '_', '%x_%', '\\', '\%', 'a\\%', '%%__%%', U&'%\00E4_\+01F600%', repeat('x%',
        500),
                                   repeat('%_', 500), repeat('_', 1000), repeat('\\', 500), NULL]
    LOOP
        PERFORM pg_temp.try(pg_temp.listed('the pattern is a constant%', 'text') || pg_temp.listed('as LIKE%', 'text'),
                            value, quote_nullable(pattern) || '::text')
        FROM unnest(ARRAY['a1.v', 'a1.v COLLATE "und-x-icu"']) value;
        PERFORM pg_temp.try(pg_temp.listed('the pattern is a constant%', 'bytea'), 'a1.v',
                            quote_nullable(convert_to(pattern, 'UTF8')) || '::bytea');
    END LOOP;
END
$$;

-- Letters, in collations of each provider, and with them also all that compares texts. Turkish has an i of its own.
DO $$
DECLARE
    collated text;
BEGIN
    FOR collated IN SELECT DISTINCT format('.v COLLATE %I', collname) FROM pg_collation
        WHERE collname IN ('C', 'und-x-icu', 'tr-x-icu', 'C.utf8', 'en_US.utf8') AND collencoding IN (-1,
            pg_char_to_encoding('UTF8'))
    LOOP
        PERFORM pg_temp.try('{lower(text),upper(text),initcap(text)}', 'a1' || collated);
        PERFORM pg_temp.try(array_agg(function::regprocedure::text), 'a1' || collated, 'a2' || collated)
        FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
        WHERE provided IS NULL AND pronargs = 2 AND pronamespace = 'pg_catalog'::regnamespace
            AND '{text,bpchar,name}'::regtype[] @> ARRAY[proargtypes[0], proargtypes[1]]::regtype[];
    END LOOP;
END
$$;

-- Parts of texts.
DO $$
DECLARE
    length int;
    number int;
BEGIN
    FOREACH length IN ARRAY ARRAY[0, 1, 3, 2147483647, NULL] LOOP
        PERFORM pg_temp.try(pg_temp.listed('the length is%', 'int'), 'a1.v', 'a2.v', quote_nullable(length) || '::int');
    END LOOP;
    FOREACH number IN ARRAY ARRAY[-2147483648, -1, 1, 2, 2147483647, NULL] LOOP
        PERFORM pg_temp.try('{"split_part(text,text,int)"}', 'a1.v', 'a2.v', quote_nullable(number) || '::int');
    END LOOP;
END
$$;

DO $$
BEGIN
    PERFORM pg_temp.try('{"replace(text,text,text)"}', 'a1.v', quote_nullable(f) || '::text', quote_nullable(t) || '::text')
    FROM (VALUES ('x', 'y'), ('xx', ''), ('', 'abc'), ('9', NULL), (NULL, 'a'), (U&'\+01F600', U&'\00E4')) v(f, t);
    PERFORM pg_temp.try('{"varchar(varchar,int,bool)","bpchar(bpchar,int,bool)"}', 'a1.v', n || '+4', 'true')
        FROM unnest('{1,3,1000}'::int[]) n;

    -- Division of integers by constants.
    PERFORM pg_temp.try(pg_temp.listed('the divisor is%', type), 'a1.v', format('(%s)::%s', d, type))
    FROM unnest('{int2,int4,int8}'::text[]) type, unnest('{-32768,-2,1,2,32767}'::int[]) d;
    PERFORM pg_temp.try(pg_temp.listed('the divisor is a constant other than 0', type), 'a1.v', '(-1)::' || type)
    FROM unnest('{int2,int4,int8}'::text[]) type;

    -- Every field that each type has; in any case.
    PERFORM pg_temp.try(pg_temp.listed('the field is a constant that the type has', type), quote_literal(field))
    FROM (VALUES ('date', '{day,month,quarter,year,decade,century,millennium,week,isoyear,dow,isodow,doy,julian,EPOCH}'::text[]),
                 ('time', '{microseconds,milliseconds,second,minute,HOUR,epoch}'),
                 ('timetz', '{microseconds,milliseconds,second,minute,Hour,timezone,epoch}'),
                 ('interval',
                 '{microseconds,milliseconds,second,minute,hour,day,month,quarter,year,decade,century,millennium,epoch}'),
                 ('timestamp',
                 '{microseconds,milliseconds,second,minute,hour,day,month,quarter,year,decade,century,millennium,week,isoyear,
                    dow,isodow,doy,julian,epoch}'),
                 ('timestamptz',
                 '{microseconds,milliseconds,second,minute,hour,day,month,quarter,year,decade,century,millennium,week,isoyear,
                    dow,isodow,doy,julian,epoch,timezone}')) v(type, fields), unnest(fields) field;
    PERFORM pg_temp.try('{"date_trunc(text,timestamp)"}', quote_literal(field))
    FROM unnest('{microseconds,milliseconds,second,minute,hour,DAY}'::text[]) field;
    PERFORM pg_temp.try('{"date_trunc(text,timestamptz)"}', quote_literal(field))
        FROM unnest('{microseconds,milliseconds,second}'::text[]) field;

    -- Arrays, containers.
    PERFORM pg_temp.try(pg_temp.listed('the equality of%', 'anyarray') || pg_temp.listed('the order of%', 'anyarray'),
        'a1.v::' || type, 'a2.v::' || type)
    FROM unnest('{int[],numeric[],text[]}'::text[]) type;
    PERFORM pg_temp.try('{"width_bucket(anycompatible,anycompatiblearray)"}', 'a1.v', format('%L::int[]', thresholds))
    FROM unnest(ARRAY['{}', '{0,18,65}', '{3,2,1}', NULL]) thresholds;
    PERFORM pg_temp.try('{"jsonb_contains(jsonb,jsonb)"}', 'a1.v', format('%L::jsonb', part)) FROM unnest(ARRAY['1', '[]', '{}',
        '"x"', '[[1]]',
        '{"a": {"b": [null]}}', repeat('[', 500) || repeat(']', 500)]) part;
    PERFORM pg_temp.try('{"jsonb_contained(jsonb,jsonb)"}', format('%L::jsonb', part)) FROM unnest(ARRAY['1', '[]', '{}', '"x"',
        '[[1]]',
        '{"a": {"b": [null]}}', repeat('[', 500) || repeat(']', 500)]) part;
END
$$;

-- numeric(p, s): the largest and the smallest of each form, and NaN; to float8 and float4 with as many digits as are admitted.
CREATE TEMP TABLE forms (wide numeric(1000,0), deep numeric(1000,1000), shifted numeric(1000,-1000), price numeric(10,2),
                         double numeric(600,300), single numeric(74,37));
INSERT INTO forms
SELECT (sign || repeat('9', 1000))::numeric, (sign || '.' || repeat('9', 1000))::numeric, (sign || repeat('9', 1000) || repeat('0',
    1000))::numeric,
       (sign || '99999999.99')::numeric, (sign || repeat('9', 300) || '.' || repeat('9', 300))::numeric,
       (sign || repeat('9', 37) || '.' || repeat('9', 37))::numeric
FROM unnest('{"",-}'::text[]) sign;
INSERT INTO forms VALUES ('NaN', 'NaN', 'NaN', 'NaN', 'NaN', 'NaN'), (0, 1e-1000, 1e1000, 0.01, -1e-300, -1e-37);
SELECT count(round(v)) + count(round(v, 3)) + count(round(v, -3)) + count(round(v, 2147483647)) + count(round(v, -2147483647))
       + count(ceil(v)) + count(ceiling(v)) + count(floor(v)) AS answers
FROM forms, unnest(ARRAY[wide, deep, shifted, price, double, single]) v;
SELECT count(double::float8) + count(price::float8) + count(single::float4) + count(price::float4) AS answers FROM forms;
SELECT width_bucket('NaN'::float8, '{1,2}'::float8[]), width_bucket('Infinity'::numeric, '{1,NaN}'::numeric[]),
    width_bucket('x'::text, '{a,b}'::text[]);

SELECT function, left(written::text, 100) AS written, error FROM extreme.called WHERE error IS NOT NULL ORDER BY function::text;
-- All of the list but those of numeric(p, s), which are above.
SELECT function, provided FROM dp.total_functions() WHERE provided IS NOT NULL AND function NOT IN (SELECT function FROM extreme.called);
SELECT count(DISTINCT function) AS functions, sum(calls) > 0 AS ran, count(error) AS raised FROM extreme.called;
