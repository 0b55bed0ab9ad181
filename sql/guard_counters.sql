-- The counters of pages and of WAL of the process: EXPLAIN (ANALYZE, BUFFERS, WAL) of a statement that is no private query, around a
-- function that asks one, shows them before and after. Two tables that differ by one row show the same.
CREATE ROLE regress_counters_ana;
CREATE ROLE regress_counters_ben;
CREATE ROLE regress_counters_member IN ROLE regress_counters_ana;
GRANT USAGE ON SCHEMA public TO regress_counters_ben;
CREATE SCHEMA regress_counters AUTHORIZATION regress_counters_ana;
SET search_path = regress_counters, public;
CREATE TABLE with_row (id int PRIMARY KEY, x int);
CREATE TABLE less_row (id int PRIMARY KEY, x int);
INSERT INTO with_row SELECT i, i % 10 FROM generate_series(1, 20000) i;
INSERT INTO less_row SELECT i, i % 10 FROM generate_series(1, 20000) i WHERE i <> 1000;
DELETE FROM less_row WHERE id > 15000;
VACUUM ANALYZE with_row, less_row;
SELECT dp.protect(t, 1e9, min_query_epsilon => 1e-9) IS NULL, dp.grant_budget(t, 'regress_counters_ana', 1e8, allow_leaks => true) IS NULL
FROM unnest('{with_row,less_row}'::regclass[]) t;
SET ROLE regress_counters_ana;
SET search_path = regress_counters, public;
GRANT USAGE ON SCHEMA regress_counters TO PUBLIC;
-- Who has an account asks, somebody else counts.
CREATE FUNCTION asks(query text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS
    $$DECLARE answer text; BEGIN EXECUTE query INTO answer; RETURN answer; END$$;
CREATE FUNCTION tries(query text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS
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
CREATE FUNCTION cost(query text) RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM dp.cost(query)';
CREATE FUNCTION admissible(query text) RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT dp.admissible(query)';
RESET ROLE;
SET ROLE regress_counters_ben;
SET search_path = regress_counters, public;
SELECT statement, counted(replace(statement, '@', 'with_row')) = counted(replace(statement, '@', 'less_row')) AS same
FROM (VALUES
    ($$SELECT asks('SELECT dp_count(''*'', 1e-9) FROM @ WHERE id = 1000')$$),
    ($$SELECT asks('SELECT dp_count(''*'', 1e-9) FROM @ WHERE id > 14000')$$),
    ($$SELECT asks('SELECT dp_count(DISTINCT x, 1e-9) FROM @')$$),
    ($$SELECT tries('SELECT 1 / (dp_count(''*'', 1e6) * 0) FROM @')$$),
    ($$SELECT cost('SELECT dp_count(''*'', 1e-9) FROM @ WHERE id > 19999')$$),
    ($$SELECT admissible('SELECT dp_count(''*'', 1e-9) FROM @ WHERE id > 19999')$$)) q (statement);
RESET ROLE;
-- Who has an account counts no pages of anything: what a private query leaves in memory shows in what comes after it.
SET ROLE regress_counters_ana;
EXPLAIN (ANALYZE, BUFFERS) SELECT 1;
EXPLAIN (BUFFERS) SELECT 1;
EXPLAIN (ANALYZE, WAL) SELECT 1;
EXPLAIN (BUFFERS on, BUFFERS off, COSTS off) SELECT 1;
PREPARE one AS SELECT 1;
EXPLAIN (ANALYZE, BUFFERS) EXECUTE one;
DO $$BEGIN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS) SELECT 1'; END$$;
CREATE TEMP TABLE own (x int);
VACUUM (VERBOSE) own;
ANALYZE (VERBOSE) own;
VACUUM ANALYZE own;
EXPLAIN (MEMORY) SELECT 1;
-- Since 18 ANALYZE counts them without being told to.
DO $$
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE) SELECT 1';
    ASSERT current_setting('server_version_num')::int < 180000, 'counted';
EXCEPTION WHEN SQLSTATE 'DP002' THEN
    ASSERT current_setting('server_version_num')::int >= 180000, 'refused';
END
$$;
DO $$BEGIN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS off) SELECT 1'; END$$;
RESET ROLE;
-- Nor does who can become that role; others do as always.
SET SESSION AUTHORIZATION regress_counters_member;
EXPLAIN (BUFFERS) SELECT 1;
SET SESSION AUTHORIZATION regress_counters_ben;
EXPLAIN (BUFFERS, COSTS off) SELECT 1;
RESET SESSION AUTHORIZATION;
DROP TABLE own;
DROP FUNCTION asks, tries, counted, cost, admissible;
SELECT dp.unprotect('with_row'), dp.unprotect('less_row');
SET dp.allow_drop = on;
DROP TABLE with_row, less_row;
RESET dp.allow_drop;
RESET search_path;
DROP SCHEMA regress_counters;
REVOKE USAGE ON SCHEMA public FROM regress_counters_ben;
DROP ROLE regress_counters_member, regress_counters_ana, regress_counters_ben;
