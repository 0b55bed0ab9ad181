-- The counters of pages and of WAL of the process: EXPLAIN (ANALYZE, BUFFERS, WAL) of a statement that is no private query, around a
-- function that asks one, shows them before and after. Two tables that differ by one row show the same.
CREATE ROLE regress_counters_ana;
CREATE SCHEMA regress_counters AUTHORIZATION regress_counters_ana;
SET search_path = regress_counters, public;
CREATE TABLE with_row (id int PRIMARY KEY, x int);
CREATE TABLE less_row (id int PRIMARY KEY, x int);
INSERT INTO with_row SELECT i, i % 10 FROM generate_series(1, 20000) i;
INSERT INTO less_row SELECT i, i % 10 FROM generate_series(1, 20000) i WHERE i <> 1000;
DELETE FROM less_row WHERE id > 15000;
VACUUM ANALYZE with_row, less_row;
SELECT dp.protect(t, 1e9) IS NULL, dp.grant_budget(t, 'regress_counters_ana', 1e8, allow_leaks => true) IS NULL
FROM unnest('{with_row,less_row}'::regclass[]) t;
SET ROLE regress_counters_ana;
SET search_path = regress_counters, public;
CREATE FUNCTION asks(query text) RETURNS text LANGUAGE plpgsql AS
    $$DECLARE answer text; BEGIN EXECUTE query INTO answer; RETURN answer; END$$;
CREATE FUNCTION tries(query text) RETURNS text LANGUAGE plpgsql AS
    $$DECLARE answer text; BEGIN EXECUTE query INTO answer; RETURN answer; EXCEPTION WHEN OTHERS THEN RETURN 'no answer'; END$$;
CREATE FUNCTION counted(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    FOR i IN 1 .. 4 LOOP -- until catalogs are cached
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, WAL, TIMING OFF, COSTS OFF, SUMMARY OFF, FORMAT JSON) ' || statement INTO plan;
    END LOOP;
    RETURN concat_ws(' ', plan -> 0 -> 'Plan' -> 'Shared Hit Blocks', plan -> 0 -> 'Plan' -> 'Shared Read Blocks',
                     plan -> 0 -> 'Plan' -> 'WAL Records', plan -> 0 -> 'Plan' -> 'WAL Bytes');
END
$$;
SELECT statement, counted(replace(statement, '@', 'with_row')) = counted(replace(statement, '@', 'less_row')) AS same
FROM (VALUES
    ($$SELECT asks('SELECT dp_count(''*'', 1e-9) FROM @ WHERE id = 1000')$$),
    ($$SELECT asks('SELECT dp_count(''*'', 1e-9) FROM @ WHERE id > 14000')$$),
    ($$SELECT asks('SELECT dp_count(DISTINCT x, 1e-9) FROM @')$$),
    ($$SELECT tries('SELECT 1 / (dp_count(''*'', 1e6) * 0) FROM @')$$),
    ($$SELECT * FROM dp.cost('SELECT dp_count(''*'', 1e-9) FROM @ WHERE id > 19999')$$),
    ($$SELECT dp.admissible('SELECT dp_count(''*'', 1e-9) FROM @ WHERE id > 19999')$$)) q (statement);
RESET ROLE;
DROP FUNCTION asks, tries, counted;
SELECT dp.unprotect('with_row'), dp.unprotect('less_row');
SET dp.allow_drop = on;
DROP TABLE with_row, less_row;
RESET dp.allow_drop;
RESET search_path;
DROP SCHEMA regress_counters;
DROP ROLE regress_counters_ana;
