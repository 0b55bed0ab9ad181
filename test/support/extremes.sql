-- Extreme values of each type, and what calls a function with all of them: in the schema extreme, which sql/total_functions,
-- total_provided, total_versions and guard_evidence make and drop, each for itself; so that no two of them run at a time.
CREATE SCHEMA extreme;
CREATE TYPE extreme.mood AS ENUM ('low', 'high');
ALTER TYPE extreme.mood ADD VALUE 'middle' BEFORE 'high';  -- out of the order of OIDs, so the list of labels is read

-- One table for each type; NULL is in all of them. At most two values of great length are combined, with a third argument one.
CREATE FUNCTION extreme.add(type text, VARIADIC expressions text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    expression text;
BEGIN
    EXECUTE format('CREATE TABLE IF NOT EXISTS extreme.%1$I (n serial, v %2$s, long boolean DEFAULT false)',
                   type::regtype::oid::text, type);
    FOREACH expression IN ARRAY ARRAY['NULL'] || expressions LOOP
        EXECUTE format('INSERT INTO extreme.%1$I (v) SELECT %3$s::%2$s', type::regtype::oid::text, type, expression);
    END LOOP;
    EXECUTE format('UPDATE extreme.%I SET long = true WHERE length(v::text) > 1000', type::regtype::oid::text);
END
$$;
-- The same for literals.
CREATE FUNCTION extreme.literals(type text, literals text[]) RETURNS void LANGUAGE sql
    RETURN extreme.add(type, VARIADIC (SELECT array_agg(quote_literal(l)) FROM unnest(literals) l));

DO $$
BEGIN
    PERFORM extreme.literals('int2', '{-32768,-1,0,1,7,32767}');
    PERFORM extreme.literals('int4', '{-2147483648,-2147483647,-1000,-1,0,1,2,1000,2147483647}');
    PERFORM extreme.literals('int8', '{-9223372036854775808,-9007199254740993,-1,0,1,10,9007199254740993,9223372036854775807}');
    PERFORM extreme.literals('oid', '{0,1,4294967295}');
    PERFORM extreme.literals('float4', '{NaN,Infinity,-Infinity,-0,0,1,-1.5,1e-45,-1e-38,3.4028235e38,-3.4028235e38}');
    PERFORM extreme.literals('float8', '{NaN,Infinity,-Infinity,-0,0,1,-0.5,0.1,2.5,5e-324,-2.2e-308,1e15,-9007199254740993,
        9.3e18,1.7976931348623157e308,-1.7976931348623157e308}');
    PERFORM extreme.literals('numeric',
        '{NaN,Infinity,-Infinity,0,0.000,-1,0.5,10.10,9223372036854775807.5,1e308,1e400,-1e-400,1e-16383}');
    PERFORM extreme.add('numeric', $v$(repeat('9', 131072) || '.' || repeat('9', 16383))$v$,
        $v$('-' || repeat('9', 131072) || '.5')$v$);
    PERFORM extreme.literals('boolean', '{t,f}');
    PERFORM extreme.literals('"char"', ARRAY['', 'a', E'\x7f']);
    PERFORM extreme.literals('money', '{-92233720368547758.08,0,92233720368547758.07}');
    PERFORM extreme.literals('date',
        '{-infinity,infinity,4714-11-24 BC,4713-01-01 BC,0001-01-01 BC,1970-01-01,2000-02-29,294276-12-31,
        294277-01-01,5874897-12-31}');
    -- The day before the first, as the clocks west of UTC show it.
    PERFORM extreme.add('date', $v$'4714-11-24 00:00 UTC BC'::timestamptz$v$);
    PERFORM extreme.literals('time', '{00:00,12:34:56.789,23:59:59.999999,24:00}');
    PERFORM extreme.literals('timetz', '{00:00+15:59,12:00-08,24:00-15:59}');
    PERFORM extreme.literals('timestamp',
        '{-infinity,infinity,4714-11-24 BC,4714-11-24 00:00:00.000001 BC,0001-12-31 BC,1883-11-18 12:00,
        2000-02-29 12:34:56.789,2024-03-10 02:30,294276-12-31 23:59:59.999999}');
    PERFORM extreme.literals('timestamptz', '{-infinity,infinity,4714-11-24 00:00+00 BC,4714-11-24 00:00:00.000001+00 BC,
        0001-12-31 00:00+00 BC,1883-11-18 20:00+00,2000-02-29 12:34:56.789+00,2024-03-10 10:30+00,
        294276-12-31 23:59:59.999999+00}');
    PERFORM extreme.literals('interval', '{0,1 month -1 day,-178000000 years,178000000 years,2147483647 days,-2147483648 days,
        2562047788 hours,-2562047788 hours,1 microsecond,-1.5 seconds}');
    PERFORM extreme.add('interval', 'make_interval(months => 2147483647, days => 2147483647, hours => 2147483647)');
    -- What some function reads, and what none can; of one byte a character and of four; of great length.
    PERFORM extreme.literals('text', ARRAY['', 'a', '%', '\', 'a\', ' 12 ', '-9223372036854775809', '1e400', '1e-400', 'NaN',
        'infinity',
        '2024-02-30', 'yesterday', '2024-02-29 25:00 Mars/Olympus', '294277-01-01', 'month', 'day', 'epoch', 'Europe/Berlin',
        E'\x01\n\t',
        U&'\00E4\00DF\0130\+01F600\FDFA']);
    PERFORM extreme.add('text', $v$repeat('x', 30000)$v$, $v$repeat(U&'\+01F600', 10000)$v$, $v$repeat('9', 30000)$v$);
    PERFORM extreme.literals('bpchar', ARRAY['', 'a   ', U&'\00E4\+01F600', '%', '\']);
    PERFORM extreme.add('bpchar', $v$repeat('x ', 50000)$v$);
    PERFORM extreme.literals('varchar', ARRAY['', 'a', U&'\00E4\00DF']);
    PERFORM extreme.add('varchar', $v$repeat('x', 100000)$v$);
    PERFORM extreme.literals('name', ARRAY['', 'a', repeat(U&'\+01F600', 15)]);
    PERFORM extreme.literals('bytea', ARRAY['', '\x00', '\xff5c', '\x25']);
    PERFORM extreme.add('bytea', $v$decode(repeat('00ff', 25000), 'hex')$v$);
    PERFORM extreme.literals('uuid', '{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}');
    PERFORM extreme.literals('inet', '{0.0.0.0/0,255.255.255.255,10.0.0.1/8,::/0,::1,ffff::/16}');
    PERFORM extreme.literals('macaddr', '{00:00:00:00:00:00,ff:ff:ff:ff:ff:ff}');
    PERFORM extreme.literals('macaddr8', '{00:00:00:00:00:00:00:00,ff:ff:ff:ff:ff:ff:ff:ff}');
    PERFORM extreme.literals('jsonb', ARRAY['null', '1e1000', '""', 'true', '[]', '{}',
        '{"a": {"b": [1, null, "x\u0001"]}, "month": -0.0}',
        '[[[1]], {"a": 1}]']);
    PERFORM extreme.add('jsonb', $v$(repeat('[', 2000) || repeat(']', 2000))$v$, $v$to_jsonb(repeat('x', 100000))$v$);
    PERFORM extreme.literals('json', ARRAY['null', '1e1000', '""', 'true', '[]', '{}', '{"a": {"b": [1, null, "x\u0001"]}, "a": "\ud83d\ude00"}',
        '[[[1]], {"0": 1}]', '"\u0000"']);
    PERFORM extreme.add('json', $v$(repeat('[', 2000) || repeat(']', 2000))$v$);
    PERFORM extreme.literals('int4range', '{empty,"(,)","[-2147483648,2147483647)","(,5)","[1,2)"}');
    PERFORM extreme.literals('text[]', '{"{}","{a,NULL,0,-1}","{{a},{b}}","{2147483647,99999999999999999999}"}');
    PERFORM extreme.literals('integer[]', '{"{}","{0,18,65}","{NULL,1}","{{1},{2}}","[-5:-3]={3,2,1}"}');
    PERFORM extreme.literals('extreme.mood', '{low,middle,high}');
END
$$;

-- The table of a type; polymorphic ones stand for one of theirs.
CREATE FUNCTION extreme.values_of(type oid) RETURNS text LANGUAGE sql
    RETURN format('extreme.%I', (CASE type WHEN 'anyenum'::regtype THEN 'extreme.mood'::regtype::oid
                                           WHEN 'anyarray'::regtype THEN 'integer[]'::regtype::oid
                                           WHEN 'anycompatible'::regtype THEN 'integer'::regtype::oid
                                           WHEN 'anyelement'::regtype THEN 'text'::regtype::oid
                                           WHEN 'anyrange'::regtype THEN 'int4range'::regtype::oid
                                           WHEN '"any"'::regtype THEN 'text'::regtype::oid ELSE type END)::text);

-- What the first call that raises an error says, if one does. `written` has expressions for the arguments that are not values as
-- they are: a constant, or one over a1.v, a2.v, ...
CREATE FUNCTION extreme.first_error(called regprocedure, written text[] DEFAULT '{}', OUT calls bigint, OUT answers bigint,
    OUT error text)
LANGUAGE plpgsql AS $$
DECLARE
    call text;
    sources text;
BEGIN
    SELECT format('%s(%s)::text', called::oid::regproc, string_agg(marked || expression, ', ' ORDER BY i)),
           string_agg(extreme.values_of(type) || ' ' || source, ', ') FILTER (WHERE varies) || ' WHERE '
             || string_agg(source || '.long::int', ' + ') FILTER (WHERE varies) || CASE WHEN max(i) > 2 THEN ' < 2' ELSE ' < 3' END
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
