-- What is known of PostgreSQL's functions (src/guard/functions), tried over extreme values of their types, one call after the other: where a
-- function raises an error its total form gives NULL, elsewhere the same; what is never NULL has a value for all values; values lie between
-- the ends that are known of them. Each table below has the promises that are broken: no row.
SET client_min_messages = warning;
SET jit = off;
SET TimeZone = 'America/Los_Angeles';  -- west of UTC, and in early times not by whole hours
SELECT dp_internal.make_extreme_values();

-- Each call of the function, and of the other one with the same arguments: which value, and which error. Of a third argument and more every
-- third value, so that there are not millions of calls; of those of great length one at a time.
CREATE FUNCTION called(function regprocedure, form text) RETURNS TABLE (arguments text, value text, failed boolean, form_value text, form_failed boolean)
LANGUAGE plpgsql SET search_path = dp_internal, public, pg_catalog AS $$
DECLARE
    call text;
    sources text;
    types oid[] := (SELECT proargtypes::oid[] FROM pg_proc WHERE oid = function);
    one record;
BEGIN
    -- Values are written as literals of their types, so that each call stands by itself.
    SELECT string_agg(format('%s', source), ', ' ORDER BY i), string_agg(format('(SELECT quote_literal(v::text) || %L AS e, n, long FROM %s WHERE v IS NOT NULL) %s',
               '::' || CASE type WHEN 'anyarray'::regtype THEN 'integer[]' WHEN 'anycompatible'::regtype THEN 'integer' WHEN 'anycompatiblearray'::regtype THEN 'integer[]'
                   WHEN '"any"'::regtype THEN 'text' WHEN 'anyrange'::regtype THEN 'int4range' WHEN 'anyelement'::regtype THEN 'text' ELSE type::regtype::text END,
               dp_internal.extreme_values_of(CASE type WHEN 'anycompatiblearray'::regtype THEN 'integer[]'::regtype WHEN 'text[]'::regtype THEN 'text[]'::regtype ELSE type END), source), ', ')
           || ' WHERE NOT (' || string_agg(source || '.long', ' OR ') || ')' || string_agg(CASE WHEN i > 2 THEN format(' AND %s.n %% 3 = 0', source) ELSE '' END, '')
    INTO call, sources
    FROM unnest(types) WITH ORDINALITY a(type, i), format('a%s', i) source;
    FOR one IN EXECUTE format('SELECT concat_ws('', '', %s) AS written FROM %s', (SELECT string_agg(format('a%s.e', i), ', ') FROM generate_subscripts(types, 1) i(n), LATERAL (SELECT n + 1) j(i)), sources) LOOP
        arguments := one.written;
        failed := false;
        form_failed := false;
        BEGIN
            EXECUTE format('SELECT (%s(%s))::text', function::oid::regproc, one.written) INTO value;
        EXCEPTION WHEN others THEN
            failed := true;
            value := NULL;
        END;
        form_value := NULL;
        IF form IS NOT NULL THEN
            BEGIN
                EXECUTE format('SELECT (%I(%s))::text', form, one.written) INTO form_value;
            EXCEPTION WHEN others THEN
                form_failed := true;
            END;
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;

CREATE TEMP TABLE known AS
SELECT f.*, p.proisstrict AS strict FROM dp_internal.function_facts() f JOIN pg_proc p ON p.oid = function
WHERE (total_form IS NOT NULL OR lowest IS NOT NULL OR never_null) AND p.pronargs < 5 AND p.provariadic = 0
    AND NOT '"any"'::regtype = ANY (p.proargtypes::oid[]) AND NOT 'internal'::regtype = ANY (p.proargtypes::oid[])
    -- The form takes a constant pattern that is plain, and is not called with others.
    AND coalesce(total_form, '') NOT IN ('substring', 'regexp_replace', 'regexp_count', 'regexp_instr');
CREATE TEMP TABLE tried AS SELECT k.*, c.* FROM known k, called(function, total_form) c;

SELECT count(DISTINCT function) > 200 AS functions, count(DISTINCT total_form) > 50 AS forms, count(*) > 10000 AS calls, count(*) FILTER (WHERE failed) > 1000 AS failed FROM tried;
-- A field or a format that there is not is an error of both: it is tried before any row is read.
SELECT function, total_form, arguments FROM tried WHERE form_failed AND NOT failed ORDER BY 1::text, 3 LIMIT 20;
SELECT function, total_form, left(arguments, 60) AS arguments, left(value, 30) AS value, left(form_value, 30) AS form_value FROM tried
WHERE total_form IS NOT NULL AND failed AND form_value IS NOT NULL ORDER BY 1::text, 3 LIMIT 20;
-- Where both have a value it is the same; and NULL stands for no more than the largest of them.
SELECT function, total_form, left(arguments, 60) AS arguments, left(value, 30) AS value, left(form_value, 30) AS form_value FROM tried
WHERE form_value <> value ORDER BY 1::text, 3 LIMIT 20;
SELECT function, count(*) FILTER (WHERE form_value IS NULL) AS without, count(*) AS "with" FROM tried WHERE total_form IS NOT NULL AND value IS NOT NULL
GROUP BY function HAVING 2 * count(*) FILTER (WHERE form_value IS NULL) > count(*) ORDER BY function::text;
SELECT function, arguments FROM tried WHERE never_null AND NOT failed AND value IS NULL ORDER BY 1::text, 2 LIMIT 20;
SELECT function, arguments, value FROM tried WHERE lowest IS NOT NULL AND value::numeric NOT BETWEEN lowest AND highest ORDER BY 1::text, 2 LIMIT 20;
SELECT function FROM dp_internal.function_facts() JOIN pg_proc p ON p.oid = function WHERE never_null AND NOT proisstrict;
DROP SCHEMA dp_extreme CASCADE;
