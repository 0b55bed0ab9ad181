-- An admitted function is a function of the row and of nothing else: the same result wherever its arguments lie in memory and
-- however they are stored, in parallel workers, and under every setting that the list does not name.
SET client_min_messages = warning;
SET jit = off;
SET TimeZone = 'America/Los_Angeles';

SELECT dp_internal.make_extreme_values();
SELECT dp_internal.make_extreme_calls();

-- Each value in many places: behind 0 to 8 other bytes (so that a value without alignment moves along);
-- compressed, out of line, and with the long header that values in memory have. `place` is the number of the form.
CREATE FUNCTION dp_extreme.spread(type oid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    type_name text := (SELECT format('%s.%I', typnamespace::regnamespace, typname) FROM pg_type WHERE oid = type);
BEGIN
    EXECUTE format('CREATE TABLE dp_extreme.placed_%1$s (n int, long boolean, place int, pad text, v %2$s)', type, type_name);
    EXECUTE format('INSERT INTO dp_extreme.placed_%1$s SELECT n, long, place, repeat(''-'', place), v
                    FROM dp_extreme.%1$I, generate_series(0, 8) place WHERE place = 0 OR NOT long', type);
    IF (SELECT typlen FROM pg_type WHERE oid = type) = -1 AND type <> ALL ('{numeric,inet}'::regtype[]) THEN
        EXECUTE format('ALTER TABLE dp_extreme.placed_%1$s ALTER v SET STORAGE EXTERNAL', type);
        EXECUTE format('INSERT INTO dp_extreme.placed_%1$s SELECT n, long, 9, '''', v FROM dp_extreme.%1$I', type);
    END IF;
    EXECUTE format('CREATE VIEW dp_extreme.places_%1$s AS SELECT n, long, place, v FROM dp_extreme.placed_%1$s', type)
        || CASE WHEN type_name LIKE '%.\_%' THEN '' ELSE format('
            UNION ALL SELECT n, long, 10, u.v FROM (SELECT n, long, row_number() OVER (ORDER BY n) i FROM dp_extreme.%1$I) b
            JOIN unnest((SELECT array_agg(v ORDER BY n) FROM dp_extreme.%1$I)) WITH ORDINALITY u(v, i) USING (i)', type) END;
END
$$;
SELECT count(dp_extreme.spread(relname::text::oid)) > 25 AS types FROM pg_class
WHERE relnamespace = 'dp_extreme'::regnamespace AND relkind = 'r' AND relname ~ '^\d+$';

-- A call of the function, and where its arguments come from: dp_extreme.<prefix><type> a1, a2, ... `written` has expressions for those
-- that are not values as they are.
CREATE FUNCTION dp_extreme.call_of(called regprocedure, written text[], prefix text, may_be_long boolean, OUT call text,
    OUT sources text, OUT ns text, OUT places text)
LANGUAGE sql AS $$
    SELECT format(CASE (SELECT prorettype FROM pg_proc WHERE oid = called) WHEN 'json'::regtype THEN '%s(%s)::text' ELSE '%s(%s)' END,
                  called::oid::regproc, string_agg(marked || expression, ', ' ORDER BY i)),
           string_agg(replace(dp_internal.extreme_values_of(type), '.', '.' || prefix) || ' ' || source, ', ') FILTER (WHERE varies)
               || ' WHERE '
               || string_agg(format('(NOT %s.long OR %L)', source, may_be_long AND i = 1), ' AND ') FILTER (WHERE varies)
               || coalesce(string_agg(format(' AND %s.n %% 4 = 0', source), '') FILTER (WHERE varies AND i > 2), ''),
           string_agg(source || '.n', ', ' ORDER BY i) FILTER (WHERE varies),
           string_agg(format(' AND %s.place = (%s.place * %s) %% 11', source, first, i), '')
               FILTER (WHERE varies AND source <> first)
    FROM (SELECT *, strpos(expression, source || '.v') > 0 AS varies,
                 min(source) FILTER (WHERE strpos(expression, source || '.v') > 0) OVER () AS first
          FROM pg_proc p, unnest(p.proargtypes) WITH ORDINALITY a(type, i), format('a%s', i) source,
               coalesce(written[i], source || '.v') expression,
               cast(CASE WHEN p.provariadic NOT IN (0, '"any"'::regtype) AND i = p.pronargs THEN 'VARIADIC ' ELSE '' END AS text) marked
          WHERE p.oid = called) argument
$$;
-- For how many values it gives several results.
CREATE FUNCTION dp_extreme.different(called regprocedure, written text[] DEFAULT '{}') RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    c record;
    answer bigint;
BEGIN
    SELECT * INTO c FROM dp_extreme.call_of(called, written, 'places_', true);
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %s%s GROUP BY %s
                                          HAVING count(DISTINCT coalesce(%s::text, ''NULL'')) > 1) s',
                   replace(c.sources, '"', ''), coalesce(c.places, ''), c.ns, c.call) INTO answer;
    RETURN answer;
END
$$;
-- One number for all results, whatever their text would be under the settings of now.
CREATE FUNCTION dp_extreme.checksum(called regprocedure, written text[]) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    c record;
    answer numeric;
BEGIN
    SELECT * INTO c FROM dp_extreme.call_of(called, written, '', false);
    EXECUTE format('SELECT sum(hash_record_extended(ROW(%s, %s), 1)) FROM %s', c.ns, c.call, c.sources) INTO answer;
    RETURN answer;
END
$$;

-- Those that are total for some arguments only with the first and the last of their arguments in total_provided.
CREATE TABLE dp_extreme.evidence AS
WITH varying AS (SELECT * FROM dp_extreme.called WHERE written = '{}' OR written::text ~ 'a\d\.v')
SELECT function, written, settings, NULL::bigint AS different, dp_extreme.checksum(function, written) AS here,
    NULL::numeric AS worker, NULL::numeric AS set
FROM (SELECT function, settings, '{}'::text[] AS written FROM dp.total_functions() WHERE provided IS NULL
      UNION SELECT function, settings, written FROM dp.total_functions() JOIN
          ((SELECT DISTINCT ON (function) function, written FROM varying ORDER BY function, written::text)
           UNION (SELECT DISTINCT ON (function) function, written FROM varying ORDER BY function, written::text DESC)) c
          USING (function) WHERE provided IS NOT NULL) f;
UPDATE dp_extreme.evidence SET different = dp_extreme.different(function, written);
-- In a worker.
-- force_parallel_mode was its name before 16.
SELECT name AS forced_parallel FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SET :forced_parallel = on;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
UPDATE dp_extreme.evidence SET worker = dp_extreme.checksum(function, written);
RESET :forced_parallel;
-- Under other settings.
SET TimeZone = 'Asia/Kolkata';
SET DateStyle = 'German, DMY';
SET IntervalStyle = sql_standard;
SET extra_float_digits = -15;
SET bytea_output = escape;
SET array_nulls = off;
SET quote_all_identifiers = on;
SET lc_monetary = 'C.UTF-8';
SET lc_numeric = 'C.UTF-8';
SET lc_time = 'C.UTF-8';
SET xmlbinary = hex;
SET default_text_search_config = 'pg_catalog.german';
SET work_mem = '64kB';
SET row_security = off;
SET search_path = pg_catalog;
UPDATE dp_extreme.evidence SET set = nullif(dp_extreme.checksum(function, written), here);
RESET search_path;
RESET quote_all_identifiers;

-- Wrong entries of the list: no line here.
SELECT function, written, different, here <> worker AS in_worker, settings, set IS NOT NULL AS under_settings FROM dp_extreme.evidence
WHERE different IS DISTINCT FROM 0 OR here IS DISTINCT FROM worker OR (settings IS NULL AND set IS NOT NULL)
ORDER BY function::text;
SELECT count(DISTINCT function) > 500 AS functions, count(here) > 400 AS ran, count(set) > 10 AS read_settings
FROM dp_extreme.evidence;
-- It finds one that is no function of its arguments alone.
SELECT function FROM unnest('{"pg_column_size(\"any\")"}'::regprocedure[]) function
WHERE dp_extreme.different(function) > 0;
RESET ALL;
SET client_min_messages = warning;
DROP SCHEMA dp_extreme CASCADE;
