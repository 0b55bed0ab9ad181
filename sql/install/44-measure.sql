-- The evidence that the functions on the list (dp.total_functions) are total on this server: each is called with every combination of
-- extreme values of its arguments, and those that are total for some arguments only with such arguments. The values lie in the schema
-- dp_extreme while that is going on.
--
-- The library knows releases of PostgreSQL on which that was done (src/guard/admission/measured_servers.h). On another one it is done
-- when the extension is created; and after an update of the server somebody has to ask for it.

CREATE TABLE dp.measured_server (
    version integer NOT NULL,   -- server_version_num
    digest bigint NOT NULL,     -- of the list, and of what the catalog says of each function (src/guard/admission/evidence.h)
    functions integer NOT NULL,
    calls bigint NOT NULL,
    measured_at timestamptz NOT NULL,
    PRIMARY KEY (version, digest)
);
COMMENT ON TABLE dp.measured_server IS
    'releases of PostgreSQL on which the functions that private queries may call were measured here; not dumped, because another server '
    'has to be measured anew';

CREATE FUNCTION dp_internal.server_evidence(OUT version integer, OUT digest bigint, OUT measured boolean)
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_server_evidence';
COMMENT ON FUNCTION dp_internal.server_evidence() IS 'this server as dp.measured_server would have it, and whether it was measured';

-- Out of the order of OIDs, so that comparisons read the list of labels.
CREATE TYPE dp_internal.extreme_mood AS ENUM ('low', 'high');
ALTER TYPE dp_internal.extreme_mood ADD VALUE 'middle' BEFORE 'high';

-- Letters beyond ASCII, for databases whose encoding has them. Not immutable: elsewhere they must not be evaluated beforehand.
CREATE FUNCTION dp_internal.letters(escaped text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN CASE WHEN getdatabaseencoding() = 'UTF8' THEN unistr(escaped) ELSE 'x' END;
END
$$;

-- One table for each type; NULL is in all of them. At most two values of great length are combined, with a third argument one.
CREATE FUNCTION dp_internal.extreme_add(type text, VARIADIC expressions text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    expression text;
BEGIN
    EXECUTE format('CREATE TABLE IF NOT EXISTS dp_extreme.%1$I (n serial, v %2$s, long boolean DEFAULT false)',
                   type::regtype::oid::text, type);
    FOREACH expression IN ARRAY ARRAY['NULL'] || expressions LOOP
        BEGIN
            EXECUTE format('INSERT INTO dp_extreme.%1$I (v) SELECT %3$s::%2$s', type::regtype::oid::text, type, expression);
        EXCEPTION WHEN unsafe_new_enum_value_usage THEN
            NULL; -- the label is as young as the extension
        END;
    END LOOP;
    EXECUTE format('UPDATE dp_extreme.%I SET long = true WHERE length(v::text) > 1000', type::regtype::oid::text);
END
$$;
-- The same for literals.
CREATE FUNCTION dp_internal.extreme_literals(type text, literals text[]) RETURNS void LANGUAGE sql
    RETURN dp_internal.extreme_add(type, VARIADIC (SELECT array_agg(quote_literal(l)) FROM unnest(literals) l));

CREATE FUNCTION dp_internal.make_extreme_values() RETURNS void LANGUAGE plpgsql SET TimeZone = 'America/Los_Angeles' AS $$
BEGIN
    CREATE SCHEMA dp_extreme;
    PERFORM dp_internal.extreme_literals('int2', '{-32768,-1,0,1,7,32767}');
    PERFORM dp_internal.extreme_literals('int4', '{-2147483648,-2147483647,-1000,-1,0,1,2,1000,2147483647}');
    PERFORM dp_internal.extreme_literals('int8', '{-9223372036854775808,-9007199254740993,-1,0,1,10,9007199254740993,9223372036854775807}');
    PERFORM dp_internal.extreme_literals('oid', '{0,1,4294967295}');
    PERFORM dp_internal.extreme_literals('float4', '{NaN,Infinity,-Infinity,-0,0,1,-1.5,1e-45,-1e-38,3.4028235e38,-3.4028235e38}');
    PERFORM dp_internal.extreme_literals('float8', '{NaN,Infinity,-Infinity,-0,0,1,-0.5,0.1,2.5,5e-324,-2.2e-308,1e15,-9007199254740993,
        9.3e18,1.7976931348623157e308,-1.7976931348623157e308}');
    PERFORM dp_internal.extreme_literals('numeric',
        '{NaN,Infinity,-Infinity,0,0.000,-1,0.5,10.10,9223372036854775807.5,1e308,1e400,-1e-400,1e-16383}');
    PERFORM dp_internal.extreme_add('numeric', $v$(repeat('9', 131072) || '.' || repeat('9', 16383))$v$,
        $v$('-' || repeat('9', 131072) || '.5')$v$);
    PERFORM dp_internal.extreme_literals('boolean', '{t,f}');
    PERFORM dp_internal.extreme_literals('"char"', ARRAY['', 'a', E'\x7f']);
    PERFORM dp_internal.extreme_literals('money', '{-92233720368547758.08,0,92233720368547758.07}');
    PERFORM dp_internal.extreme_literals('date',
        '{-infinity,infinity,4714-11-24 BC,4713-01-01 BC,0001-01-01 BC,1970-01-01,2000-02-29,294276-12-31,
        294277-01-01,5874897-12-31}');
    -- The day before the first, as the clocks west of UTC show it.
    PERFORM dp_internal.extreme_add('date', $v$'4714-11-24 00:00 UTC BC'::timestamptz$v$);
    PERFORM dp_internal.extreme_literals('time', '{00:00,12:34:56.789,23:59:59.999999,24:00}');
    PERFORM dp_internal.extreme_literals('timetz', '{00:00+15:59,12:00-08,24:00-15:59}');
    PERFORM dp_internal.extreme_literals('timestamp',
        '{-infinity,infinity,4714-11-24 BC,4714-11-24 00:00:00.000001 BC,0001-12-31 BC,1883-11-18 12:00,
        2000-02-29 12:34:56.789,2024-03-10 02:30,294276-12-31 23:59:59.999999}');
    PERFORM dp_internal.extreme_literals('timestamptz', '{-infinity,infinity,4714-11-24 00:00+00 BC,4714-11-24 00:00:00.000001+00 BC,
        0001-12-31 00:00+00 BC,1883-11-18 20:00+00,2000-02-29 12:34:56.789+00,2024-03-10 10:30+00,
        294276-12-31 23:59:59.999999+00}');
    PERFORM dp_internal.extreme_literals('interval', '{0,1 month -1 day,-178000000 years,178000000 years,2147483647 days,-2147483648 days,
        2562047788 hours,-2562047788 hours,1 microsecond,-1.5 seconds}');
    PERFORM dp_internal.extreme_add('interval', 'make_interval(months => 2147483647, days => 2147483647, hours => 2147483647)');
    -- What some function reads, and what none can; of one byte a character and of four; of great length.
    PERFORM dp_internal.extreme_literals('text', ARRAY['', 'a', '%', '\', 'a\', ' 12 ', '-9223372036854775809', '1e400', '1e-400', 'NaN',
        'infinity',
        '2024-02-30', 'yesterday', '2024-02-29 25:00 Mars/Olympus', '294277-01-01', 'month', 'day', 'epoch', 'Europe/Berlin',
        E'\x01\n\t',
        dp_internal.letters('\00E4\00DF\0130\+01F600\FDFA')]);
    PERFORM dp_internal.extreme_add('text', $v$repeat('x', 30000)$v$, $v$repeat(dp_internal.letters('\+01F600'), 10000)$v$, $v$repeat('9', 30000)$v$);
    PERFORM dp_internal.extreme_literals('bpchar', ARRAY['', 'a   ', dp_internal.letters('\00E4\+01F600'), '%', '\']);
    PERFORM dp_internal.extreme_add('bpchar', $v$repeat('x ', 50000)$v$);
    PERFORM dp_internal.extreme_literals('varchar', ARRAY['', 'a', dp_internal.letters('\00E4\00DF')]);
    PERFORM dp_internal.extreme_add('varchar', $v$repeat('x', 100000)$v$);
    PERFORM dp_internal.extreme_literals('name', ARRAY['', 'a', repeat(dp_internal.letters('\+01F600'), 15)]);
    PERFORM dp_internal.extreme_literals('bytea', ARRAY['', '\x00', '\xff5c', '\x25']);
    PERFORM dp_internal.extreme_add('bytea', $v$decode(repeat('00ff', 25000), 'hex')$v$);
    PERFORM dp_internal.extreme_literals('uuid', '{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}');
    PERFORM dp_internal.extreme_literals('inet', '{0.0.0.0/0,255.255.255.255,10.0.0.1/8,::/0,::1,ffff::/16}');
    PERFORM dp_internal.extreme_literals('macaddr', '{00:00:00:00:00:00,ff:ff:ff:ff:ff:ff}');
    PERFORM dp_internal.extreme_literals('macaddr8', '{00:00:00:00:00:00:00:00,ff:ff:ff:ff:ff:ff:ff:ff}');
    PERFORM dp_internal.extreme_literals('jsonb', ARRAY['null', '1e1000', '""', 'true', '[]', '{}',
        '{"a": {"b": [1, null, "x\u0001"]}, "month": -0.0}',
        '[[[1]], {"a": 1}]']);
    PERFORM dp_internal.extreme_add('jsonb', $v$(repeat('[', 2000) || repeat(']', 2000))$v$, $v$to_jsonb(repeat('x', 100000))$v$);
    PERFORM dp_internal.extreme_literals('json', ARRAY['null', '1e1000', '""', 'true', '[]', '{}',
        '{"a": {"b": [1, null, "x\u0001"]}, "a": "\ud83d\ude00"}', '[[[1]], {"0": 1}]', '"\u0000"']);
    PERFORM dp_internal.extreme_add('json', $v$(repeat('[', 2000) || repeat(']', 2000))$v$);
    PERFORM dp_internal.extreme_literals('int4range', '{empty,"(,)","[-2147483648,2147483647)","(,5)","[1,2)"}');
    PERFORM dp_internal.extreme_literals('text[]', '{"{}","{a,NULL,0,-1}","{{a},{b}}","{2147483647,99999999999999999999}"}');
    PERFORM dp_internal.extreme_literals('integer[]', '{"{}","{0,18,65}","{NULL,1}","{{1},{2}}","[-5:-3]={3,2,1}"}');
    PERFORM dp_internal.extreme_literals('dp_internal.extreme_mood', '{low,middle,high}');
END
$$;

-- The table of a type; polymorphic ones stand for one of theirs.
CREATE FUNCTION dp_internal.extreme_values_of(type oid) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN format('dp_extreme.%I', (CASE type WHEN 'anyenum'::regtype THEN 'dp_internal.extreme_mood'::regtype::oid
                                           WHEN 'anyarray'::regtype THEN 'integer[]'::regtype::oid
                                           WHEN 'anycompatible'::regtype THEN 'integer'::regtype::oid
                                           WHEN 'anyelement'::regtype THEN 'text'::regtype::oid
                                           WHEN 'anyrange'::regtype THEN 'int4range'::regtype::oid
                                           WHEN '"any"'::regtype THEN 'text'::regtype::oid ELSE type END)::text);
END
$$;

-- What the first call that raises an error says, if one does. `written` has expressions for the arguments that are not values as
-- they are: a constant, or one over a1.v, a2.v, ... Of a third argument, one value of that many is taken.
CREATE FUNCTION dp_internal.first_error(called regprocedure, written text[] DEFAULT '{}', one_of integer DEFAULT 1, OUT calls bigint, OUT answers bigint,
    OUT error text)
LANGUAGE plpgsql AS $$
DECLARE
    call text;
    sources text;
BEGIN
    SELECT format('%s(%s)::text', called::oid::regproc, string_agg(marked || expression, ', ' ORDER BY i)),
           string_agg(dp_internal.extreme_values_of(type) || ' ' || source, ', ') FILTER (WHERE varies) || ' WHERE '
             || string_agg(source || '.long::int', ' + ') FILTER (WHERE varies) || CASE WHEN max(i) > 2 THEN ' < 2' ELSE ' < 3' END
             || CASE WHEN one_of > 1 AND bool_or(varies AND i > 2) THEN format(' AND a3.n %% %s = 0', one_of) ELSE '' END
             -- Of four arguments and more every third value, so that there are not millions of calls.
             || CASE WHEN max(i) > 3 THEN string_agg(format(' AND %s.n %% 3 = 1', source), '') FILTER (WHERE varies) ELSE '' END
    INTO call, sources
    FROM pg_proc p, unnest(p.proargtypes) WITH ORDINALITY a(type, i), format('a%s', i) source,
         coalesce(written[i], source || '.v') expression, strpos(expression, source || '.v') place,
             cast(place > 0 AS boolean) varies,
         cast(CASE WHEN p.provariadic NOT IN (0, '"any"'::regtype) AND i = p.pronargs THEN 'VARIADIC ' ELSE '' END AS text) marked
    WHERE p.oid = called;
    EXECUTE format('SELECT count(*), count(%s) FROM %s', call, coalesce(sources, '(SELECT) one')) INTO calls, answers;
EXCEPTION WHEN others THEN
    error := sqlerrm;
END
$$;

CREATE FUNCTION dp_internal.extreme_call(functions text[], VARIADIC written text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO dp_extreme.called SELECT f, written FROM unnest(functions::regprocedure[]) f;
END
$$;
-- The functions with that condition and type of the last argument.
CREATE FUNCTION dp_internal.extreme_listed(condition text, last_type text) RETURNS text[] LANGUAGE sql AS $$
    SELECT array_agg(function::regprocedure::text) FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
    WHERE provided LIKE condition AND proargtypes[pronargs - 1] = last_type::regtype
$$;

-- Arguments with which the functions are total that are so for some arguments only.
CREATE FUNCTION dp_internal.make_extreme_calls() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    pattern text;
    collated text;
    length int;
    number int;
    ends text;
BEGIN
    CREATE TABLE dp_extreme.called (function regprocedure, written text[], calls bigint, answers bigint, error text);
    -- LIKE: patterns of every form, of the greatest length, of many wildcards.
    FOREACH pattern IN ARRAY ARRAY['', 'a', '%', '_', '%x_%', '\\', '\%', 'a\\%', '%%__%%', dp_internal.letters('%\00E4_\+01F600%'), repeat('x%',
        500),
                                   repeat('%_', 500), repeat('_', 1000), repeat('\\', 500), NULL]
    LOOP
        PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the pattern is a constant%', 'text') || dp_internal.extreme_listed('as LIKE%', 'text'),
                            value, quote_nullable(pattern) || '::text')
        FROM unnest(ARRAY['a1.v', (SELECT 'a1.v COLLATE "und-x-icu"' FROM pg_collation WHERE collname = 'und-x-icu' AND pg_collation_is_visible(oid))]) value
        WHERE value IS NOT NULL;
        PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the pattern is a constant%', 'bytea'), 'a1.v',
                            quote_nullable(convert_to(pattern, 'UTF8')) || '::bytea');
    END LOOP;

    -- Letters, in collations of each provider, and with them also all that compares texts. Turkish has an i of its own.
    FOR collated IN SELECT DISTINCT format('.v COLLATE %I', collname) FROM pg_collation
        WHERE collname IN ('C', 'und-x-icu', 'tr-x-icu', 'C.utf8', 'en_US.utf8') AND pg_collation_is_visible(oid)
    LOOP
        PERFORM dp_internal.extreme_call('{lower(text),upper(text),initcap(text)}', 'a1' || collated);
        PERFORM dp_internal.extreme_call(array_agg(function::regprocedure::text), 'a1' || collated, 'a2' || collated)
        FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
        WHERE provided IS NULL AND pronargs = 2 AND pronamespace = 'pg_catalog'::regnamespace
            AND '{text,bpchar,name}'::regtype[] @> ARRAY[proargtypes[0], proargtypes[1]]::regtype[];
    END LOOP;

    PERFORM dp_internal.extreme_call('{ascii(text)}', 'a1.v');

    -- Regular expressions: patterns of every kind, and of the greatest length.
    FOREACH pattern IN ARRAY ARRAY['', 'a', '^.*$', '(a|b)+', '[[:alpha:]]', '\m', '\Y', '^(?:x*)*$', 'x{64}', '(x+x+)+y',
                                   dp_internal.letters('[\00E4\+01F600]'), repeat('x?', 100), repeat('(', 99) || 'x' || repeat(')', 99), NULL]
    LOOP
        PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the pattern is a constant of at most 200%', 'text'),
                            value, quote_nullable(pattern) || '::text')
        FROM unnest(ARRAY['a1.v', (SELECT 'a1.v COLLATE "und-x-icu"' FROM pg_collation WHERE collname = 'und-x-icu' AND pg_collation_is_visible(oid))]) value
        WHERE value IS NOT NULL;
    END LOOP;

    -- Ranges of each type, and what may be in them.
    PERFORM dp_internal.extreme_call(array_remove(dp_internal.extreme_listed('the range is%', 'anyrange'), 'elem_contained_by_range(anyelement,anyrange)'));
    FOREACH ends IN ARRAY ARRAY['int4range(1, 5)', 'int8range(NULL, 9223372036854775807)', 'numrange(''-Infinity'', ''NaN'')',
                                'daterange(''-infinity'', ''infinity'')', 'tsrange(NULL, ''infinity'')', 'tstzrange(''-infinity'', NULL)']
    LOOP
        PERFORM dp_internal.extreme_call(array_agg(function::regprocedure::text), ends, CASE pronargs WHEN 2 THEN ends END)
        FROM dp.total_functions() JOIN pg_proc p ON p.oid = function
        WHERE provided LIKE 'the range is%' AND proargtypes[pronargs - 1] = 'anyrange'::regtype AND proargtypes[0] = 'anyrange'::regtype
        GROUP BY pronargs;
        PERFORM dp_internal.extreme_call('{"range_contains_elem(anyrange,anyelement)"}', ends, format('lower(%1$s)', ends));
        PERFORM dp_internal.extreme_call('{"elem_contained_by_range(anyelement,anyrange)"}', format('upper(%1$s)', ends), ends);
    END LOOP;
    PERFORM dp_internal.extreme_call('{"range_contains_elem(anyrange,anyelement)"}', 'a1.v', '3');
    PERFORM dp_internal.extreme_call('{"elem_contained_by_range(anyelement,anyrange)"}', '2147483647', 'a2.v');

    -- Parts of texts.
    FOREACH length IN ARRAY ARRAY[0, 1, 3, 2147483647, NULL] LOOP
        PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the length is%', 'int'), 'a1.v', 'a2.v', quote_nullable(length) || '::int');
    END LOOP;
    FOREACH number IN ARRAY ARRAY[-2147483648, -1, 1, 2, 2147483647, NULL] LOOP
        PERFORM dp_internal.extreme_call('{"split_part(text,text,int)"}', 'a1.v', 'a2.v', quote_nullable(number) || '::int');
    END LOOP;

    PERFORM dp_internal.extreme_call('{"replace(text,text,text)"}', 'a1.v', quote_nullable(f) || '::text', quote_nullable(t) || '::text')
    FROM (VALUES ('x', 'y'), ('xx', ''), ('', 'abc'), ('9', NULL), (NULL, 'a'), (dp_internal.letters('\+01F600'), dp_internal.letters('\00E4'))) v(f, t);
    PERFORM dp_internal.extreme_call('{"varchar(varchar,int,bool)","bpchar(bpchar,int,bool)"}', 'a1.v', n || '+4', 'true')
        FROM unnest('{1,3,1000}'::int[]) n;

    -- Numbers of limited precision.
    PERFORM dp_internal.extreme_call(array_agg(function::text), precise, 'a2.v')
    FROM dp.total_functions(), unnest(ARRAY['(sign(a1.v) * repeat(''9'', 37)::numeric)::numeric(74,37)',
        '(CASE WHEN abs(a1.v) < 1e8 THEN a1.v ELSE ''NaN'' END)::numeric(12,2)']) precise
    WHERE provided = 'the argument is numeric(p, s)' GROUP BY precise;

    -- Division of integers by constants.
    PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the divisor is%', type), 'a1.v', format('(%s)::%s', d, type))
    FROM unnest('{int2,int4,int8}'::text[]) type, unnest('{-32768,-2,1,2,32767}'::int[]) d;
    PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the divisor is a constant other than 0', type), 'a1.v', '(-1)::' || type)
    FROM unnest('{int2,int4,int8}'::text[]) type;

    -- Every field that each type has; in any case.
    PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the field is a constant that the type has', type), quote_literal(field))
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
    PERFORM dp_internal.extreme_call('{"date_trunc(text,timestamp)"}', quote_literal(field))
    FROM unnest('{microseconds,milliseconds,second,minute,hour,DAY}'::text[]) field;
    PERFORM dp_internal.extreme_call('{"date_trunc(text,timestamptz)"}', quote_literal(field))
        FROM unnest('{microseconds,milliseconds,second}'::text[]) field;

    -- Arrays, containers.
    PERFORM dp_internal.extreme_call(dp_internal.extreme_listed('the equality of%', 'anyarray') || dp_internal.extreme_listed('the order of%', 'anyarray'),
        'a1.v::' || type, 'a2.v::' || type)
    FROM unnest('{int[],numeric[],text[]}'::text[]) type;
    PERFORM dp_internal.extreme_call('{"width_bucket(anycompatible,anycompatiblearray)"}', 'a1.v', format('%L::int[]', thresholds))
    FROM unnest(ARRAY['{}', '{0,18,65}', '{3,2,1}', NULL]) thresholds;
    PERFORM dp_internal.extreme_call('{"jsonb_contains(jsonb,jsonb)"}', 'a1.v', format('%L::jsonb', part)) FROM unnest(ARRAY['1', '[]', '{}',
        '"x"', '[[1]]',
        '{"a": {"b": [null]}}', repeat('[', 500) || repeat(']', 500)]) part;
    PERFORM dp_internal.extreme_call('{"jsonb_contained(jsonb,jsonb)"}', format('%L::jsonb', part)) FROM unnest(ARRAY['1', '[]', '{}', '"x"',
        '[[1]]',
        '{"a": {"b": [null]}}', repeat('[', 500) || repeat(']', 500)]) part;
END
$$;

CREATE FUNCTION dp.measure_functions() RETURNS text
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp SET client_min_messages = warning SET jit = off AS $$
DECLARE
    measured record;
BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        RAISE insufficient_privilege USING MESSAGE = 'only a superuser measures the functions that private queries may call',
            HINT = 'Ask one: SELECT dp.measure_functions();';
    END IF;
    PERFORM dp_internal.make_extreme_values(), dp_internal.make_extreme_calls();
    -- Our own functions are the library's, not the server's.
    SELECT count(DISTINCT function) AS functions, sum(calls) AS calls, min(function || ': ' || error) AS failing INTO measured
    FROM (SELECT function, (dp_internal.first_error(function, written, 5)).*
          FROM (SELECT function, '{}'::text[] AS written FROM dp.total_functions() WHERE provided IS NULL
                UNION ALL SELECT function, written FROM dp_extreme.called) AS called JOIN pg_proc ON pg_proc.oid = function
          WHERE pronamespace = 'pg_catalog'::regnamespace) AS tried;
    DROP SCHEMA dp_extreme CASCADE;
    IF measured.failing IS NOT NULL THEN
        RAISE object_not_in_prerequisite_state USING
            MESSAGE = 'a function that private queries may call raises an error on this server: ' || measured.failing,
            DETAIL = 'Its errors would tell about single rows.',
            HINT = 'Private queries stay refused here: run PostgreSQL of a release that README.md names.';
    END IF;
    DELETE FROM dp.measured_server AS old USING dp_internal.server_evidence() AS e WHERE old.version = e.version AND old.digest = e.digest;
    INSERT INTO dp.measured_server
    SELECT e.version, e.digest, measured.functions, measured.calls, now() FROM dp_internal.server_evidence() AS e;
    RETURN format('%s functions gave no error in %s calls on PostgreSQL %s', measured.functions, measured.calls,
        current_setting('server_version'));
END
$$;
COMMENT ON FUNCTION dp.measure_functions() IS
    'for a superuser, after an update of the server to a release that pg_dp does not know: calls each function that private queries may '
    'call with extreme values; private queries are refused until none of them raises an error. Takes some seconds';

CREATE FUNCTION dp_internal.measure_at_creation() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT (dp_internal.server_evidence()).measured THEN
        PERFORM dp.measure_functions();
    END IF;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
    RAISE WARNING '%', sqlerrm USING HINT = 'Private queries are refused here.';
END
$$;

COMMENT ON TYPE dp_internal.extreme_mood IS 'an enum whose labels are not in the order of their OIDs';
COMMENT ON FUNCTION dp_internal.letters(text) IS 'letters beyond ASCII where the encoding has them';
COMMENT ON FUNCTION dp_internal.extreme_add(text, text[]) IS 'adds values to those of a type';
COMMENT ON FUNCTION dp_internal.extreme_literals(text, text[]) IS 'adds literals to the values of a type';
COMMENT ON FUNCTION dp_internal.make_extreme_values() IS 'makes the schema dp_extreme, with extreme values of each type';
COMMENT ON FUNCTION dp_internal.make_extreme_calls() IS 'adds calls of the functions that are total for some arguments only';
COMMENT ON FUNCTION dp_internal.extreme_values_of(oid) IS 'the table of the extreme values of a type';
COMMENT ON FUNCTION dp_internal.extreme_call(text[], text[]) IS 'adds calls of functions with such arguments';
COMMENT ON FUNCTION dp_internal.extreme_listed(text, text) IS 'the functions that are total under such a condition';
COMMENT ON FUNCTION dp_internal.first_error(regprocedure, text[], integer) IS 'what the first call with extreme values says that fails';
