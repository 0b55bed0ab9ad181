-- Arguments with which the functions are total that are so for some arguments only: extreme.called. Comes after extremes.sql.
CREATE TABLE extreme.called (function regprocedure, written text[], calls bigint, answers bigint, error text);
CREATE FUNCTION pg_temp.with_arguments(functions text[], VARIADIC written text[] DEFAULT '{}') RETURNS void LANGUAGE sql AS $$
    INSERT INTO extreme.called SELECT function, written FROM unnest(functions::regprocedure[]) function
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
        PERFORM pg_temp.with_arguments(pg_temp.listed('the pattern is a constant%', 'text') || pg_temp.listed('as LIKE%', 'text'),
                            value, quote_nullable(pattern) || '::text')
        FROM unnest(ARRAY['a1.v', 'a1.v COLLATE "und-x-icu"']) value;
        PERFORM pg_temp.with_arguments(pg_temp.listed('the pattern is a constant%', 'bytea'), 'a1.v',
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
        PERFORM pg_temp.with_arguments('{lower(text),upper(text),initcap(text)}', 'a1' || collated);
        PERFORM pg_temp.with_arguments(array_agg(function::regprocedure::text), 'a1' || collated, 'a2' || collated)
        FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
        WHERE provided IS NULL AND pronargs = 2 AND pronamespace = 'pg_catalog'::regnamespace
            AND '{text,bpchar,name}'::regtype[] @> ARRAY[proargtypes[0], proargtypes[1]]::regtype[];
    END LOOP;
END
$$;

-- Regular expressions: patterns of every kind, and of the greatest length.
DO $$
DECLARE
    pattern text;
BEGIN
    FOREACH pattern IN ARRAY ARRAY['', 'a', '^.*$', '(a|b)+', '[[:alpha:]]', '\m', '\Y', '^(?:x*)*$', 'x{64}', '(x+x+)+y', U&'[\00E4\+01F600]', repeat('x?', 100),
                                   repeat('(', 99) || 'x' || repeat(')', 99), NULL]
    LOOP
        PERFORM pg_temp.with_arguments(pg_temp.listed('the pattern is a constant of at most 200%', 'text'), value, quote_nullable(pattern) || '::text')
        FROM unnest(ARRAY['a1.v', 'a1.v COLLATE "und-x-icu"']) value;
    END LOOP;
END
$$;

-- Ranges of each type, and what may be in them.
DO $$
DECLARE
    ends text;
BEGIN
    PERFORM pg_temp.with_arguments(array_remove(pg_temp.listed('the range is%', 'anyrange'), 'elem_contained_by_range(anyelement,anyrange)'));
    FOREACH ends IN ARRAY ARRAY['int4range(1, 5)', 'int8range(NULL, 9223372036854775807)', 'numrange(''-Infinity'', ''NaN'')', 'daterange(''-infinity'', ''infinity'')',
                                'tsrange(NULL, ''infinity'')', 'tstzrange(''-infinity'', NULL)']
    LOOP
        PERFORM pg_temp.with_arguments(array_agg(function::regprocedure::text), ends, CASE pronargs WHEN 2 THEN ends END)
        FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
        WHERE provided LIKE 'the range is%' AND proargtypes[pronargs - 1] = 'anyrange'::regtype AND proargtypes[0] = 'anyrange'::regtype GROUP BY pronargs;
        PERFORM pg_temp.with_arguments('{"range_contains_elem(anyrange,anyelement)"}', ends, format('lower(%1$s)', ends));
        PERFORM pg_temp.with_arguments('{"elem_contained_by_range(anyelement,anyrange)"}', format('upper(%1$s)', ends), ends);
    END LOOP;
    PERFORM pg_temp.with_arguments('{"range_contains_elem(anyrange,anyelement)"}', 'a1.v', '3');
    PERFORM pg_temp.with_arguments('{"elem_contained_by_range(anyelement,anyrange)"}', '2147483647', 'a2.v');
END
$$;

-- Parts of texts.
DO $$
DECLARE
    length int;
    number int;
BEGIN
    FOREACH length IN ARRAY ARRAY[0, 1, 3, 2147483647, NULL] LOOP
        PERFORM pg_temp.with_arguments(pg_temp.listed('the length is%', 'int'), 'a1.v', 'a2.v', quote_nullable(length) || '::int');
    END LOOP;
    FOREACH number IN ARRAY ARRAY[-2147483648, -1, 1, 2, 2147483647, NULL] LOOP
        PERFORM pg_temp.with_arguments('{"split_part(text,text,int)"}', 'a1.v', 'a2.v', quote_nullable(number) || '::int');
    END LOOP;
END
$$;

DO $$
BEGIN
    PERFORM pg_temp.with_arguments('{"replace(text,text,text)"}', 'a1.v', quote_nullable(f) || '::text', quote_nullable(t) || '::text')
    FROM (VALUES ('x', 'y'), ('xx', ''), ('', 'abc'), ('9', NULL), (NULL, 'a'), (U&'\+01F600', U&'\00E4')) v(f, t);
    PERFORM pg_temp.with_arguments('{"varchar(varchar,int,bool)","bpchar(bpchar,int,bool)"}', 'a1.v', n || '+4', 'true')
        FROM unnest('{1,3,1000}'::int[]) n;

    -- Division of integers by constants.
    PERFORM pg_temp.with_arguments(pg_temp.listed('the divisor is%', type), 'a1.v', format('(%s)::%s', d, type))
    FROM unnest('{int2,int4,int8}'::text[]) type, unnest('{-32768,-2,1,2,32767}'::int[]) d;
    PERFORM pg_temp.with_arguments(pg_temp.listed('the divisor is a constant other than 0', type), 'a1.v', '(-1)::' || type)
    FROM unnest('{int2,int4,int8}'::text[]) type;

    -- Every field that each type has; in any case.
    PERFORM pg_temp.with_arguments(pg_temp.listed('the field is a constant that the type has', type), quote_literal(field))
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
    PERFORM pg_temp.with_arguments('{"date_trunc(text,timestamp)"}', quote_literal(field))
    FROM unnest('{microseconds,milliseconds,second,minute,hour,DAY}'::text[]) field;
    PERFORM pg_temp.with_arguments('{"date_trunc(text,timestamptz)"}', quote_literal(field))
        FROM unnest('{microseconds,milliseconds,second}'::text[]) field;

    -- Arrays, containers.
    PERFORM pg_temp.with_arguments(pg_temp.listed('the equality of%', 'anyarray') || pg_temp.listed('the order of%', 'anyarray'),
        'a1.v::' || type, 'a2.v::' || type)
    FROM unnest('{int[],numeric[],text[]}'::text[]) type;
    PERFORM pg_temp.with_arguments('{"width_bucket(anycompatible,anycompatiblearray)"}', 'a1.v', format('%L::int[]', thresholds))
    FROM unnest(ARRAY['{}', '{0,18,65}', '{3,2,1}', NULL]) thresholds;
    PERFORM pg_temp.with_arguments('{"jsonb_contains(jsonb,jsonb)"}', 'a1.v', format('%L::jsonb', part)) FROM unnest(ARRAY['1', '[]', '{}',
        '"x"', '[[1]]',
        '{"a": {"b": [null]}}', repeat('[', 500) || repeat(']', 500)]) part;
    PERFORM pg_temp.with_arguments('{"jsonb_contained(jsonb,jsonb)"}', format('%L::jsonb', part)) FROM unnest(ARRAY['1', '[]', '{}', '"x"',
        '[[1]]',
        '{"a": {"b": [null]}}', repeat('[', 500) || repeat(']', 500)]) part;
END
$$;
