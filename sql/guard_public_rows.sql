-- Public subqueries are run by themselves, as the asker, before the charge. What they call may lie about itself, and may fail half-way:
-- a question is judged by the rows that it is then asked of, and the next one finds nothing of one that failed.
CALL own_schema('guard_public_rows');
SET client_min_messages = warning;
CREATE ROLE regress_public_ana;
GRANT CREATE ON SCHEMA guard_public_rows TO regress_public_ana;
CREATE TABLE stay AS SELECT i AS id, i % 4 AS ward, i AS days FROM generate_series(1, 40) i;
SELECT dp.protect('stay', 9e9), dp.grant_budget('stay', 'regress_public_ana', 9e9, allow_leaks => true);
SET ROLE regress_public_ana;
-- Each call counts itself, which no label says, and has other rows than the one before: one for each ward, then one more of ward 1,
-- then wards that there are not.
CREATE SEQUENCE calls;
CREATE FUNCTION next_call() RETURNS int LANGUAGE sql VOLATILE AS $$SELECT nextval('calls')::int$$;
CREATE FUNCTION lying() RETURNS TABLE (ward int, name text) LANGUAGE plpgsql STABLE AS $$
DECLARE
    call int := next_call();
BEGIN
    RETURN QUERY SELECT w, format('call %s ward %s', call, w) FROM generate_series(0, 3) w;
    IF call % 3 = 2 THEN RETURN QUERY SELECT 1, 'ward 1 again'; END IF;
    IF call % 3 = 0 THEN RETURN QUERY SELECT w, 'no ward' FROM generate_series(4, 6) w; END IF;
END
$$;
CREATE FUNCTION lying_more() RETURNS TABLE (ward int, name text) LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN QUERY SELECT * FROM lying(); END';
\set by_name 'SELECT l.name, dp_count(\'*\', 1e6) FROM stay s JOIN (SELECT ward, name FROM lying() ORDER BY ward OFFSET 0) l ON l.ward = s.ward GROUP BY l.name ORDER BY 1'
-- Once for each execution, and what is told apart, grouped and counted are the rows of that call.
:by_name;
:by_name;
:by_name;
SELECT last_value AS calls FROM calls;
PREPARE by_name AS :by_name;
EXECUTE by_name;
EXECUTE by_name;
EXECUTE by_name;
SELECT last_value AS calls FROM calls;
SELECT setval('calls', 6);
BEGIN;
DECLARE c SCROLL CURSOR FOR :by_name;
FETCH 1 FROM c;
FETCH LAST FROM c;
MOVE ABSOLUTE 0 IN c;
FETCH 1 FROM c;
COMMIT;
SELECT last_value AS calls FROM calls;
SELECT setval('calls', 9);
-- The same of one that says it never changes, and beside another subquery.
SELECT l.name, dp_count('*', 1e6) FROM stay s JOIN (SELECT ward, name FROM lying_more() ORDER BY ward OFFSET 0) l ON l.ward = s.ward GROUP BY 1 ORDER BY 1;
SELECT dp_count('*', 1e6) FROM stay s JOIN (SELECT ward FROM lying() OFFSET 0) l ON l.ward = s.ward JOIN (SELECT ward, name FROM lying() OFFSET 0) k ON k.ward = s.ward
WHERE k.name LIKE 'call%';
SELECT last_value AS calls FROM calls;
-- What only tells of a question does not call it.
\o /dev/null
EXPLAIN :by_name;
SELECT * FROM dp.cost($$SELECT dp_count('*', 1) FROM stay s JOIN (SELECT ward FROM lying() OFFSET 0) l ON l.ward = s.ward$$);
SELECT * FROM dp.admissible($$SELECT dp_count('*', 1) FROM stay s JOIN (SELECT ward FROM lying() OFFSET 0) l ON l.ward = s.ward$$);
\o
SELECT last_value AS calls FROM calls;

-- One that fails: when it starts, at its first row, after many that went to disk, by its rows, or by a question of its own.
CREATE TABLE rows_of_ana AS SELECT i AS id, i AS ward, repeat('x', 100) AS t FROM generate_series(1, 100002) i;
RESET ROLE;
CREATE TABLE denied AS SELECT 1 AS ward;
SET ROLE regress_public_ana;
CREATE FUNCTION asks() RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT dp_count('*', 1e6) FROM stay s JOIN (SELECT 1 / (ward - 1) AS x, ward FROM generate_series(0, 3) ward OFFSET 0) l ON l.ward = s.ward);
END
$$;
CREATE FUNCTION failed(subquery text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    question text := format('SELECT dp_count(%L, 1e6) FROM stay s JOIN (%s OFFSET 0) l ON l.ward = s.ward', '*', subquery);
    told text;
    answer bigint;
BEGIN
    BEGIN
        EXECUTE question INTO answer;
        told := 'answered ' || answer;
    EXCEPTION WHEN OTHERS THEN
        told := sqlstate || ' ' || left(sqlerrm, 60);
    END;
    -- In the same transaction, and the same statement.
    SELECT dp_count('*', 1e6) INTO answer FROM stay s JOIN (SELECT ward FROM rows_of_ana WHERE id <= 2 OFFSET 0) l ON l.ward = s.ward;
    RETURN told || ', then ' || answer;
END
$$;
SET work_mem = 64;
SELECT failed(q) FROM unnest(ARRAY['SELECT ward FROM denied', 'SELECT 1 / (id - 1) AS ward FROM rows_of_ana',
    'SELECT ward, t, 1 / (id - 50000) AS x FROM rows_of_ana WHERE id < 60000', 'SELECT ward, t FROM rows_of_ana',
    'SELECT 1 AS ward, t FROM rows_of_ana WHERE id < 50000', 'SELECT asks() AS ward', 'SELECT ward, t FROM rows_of_ana WHERE id < 50000']) q;
-- Nothing is left of them: no snapshot, no memory, no file.
BEGIN;
SELECT failed('SELECT ward, t, 1 / (id - 50000) AS x FROM rows_of_ana WHERE id < 60000') FROM generate_series(1, 3);
RESET ROLE;
SELECT count(*) FROM pg_backend_memory_contexts WHERE name IN ('DpPublicRow', 'tuplestore tuples', 'ExecutorState') AND total_bytes > 1000000;
SELECT count(*) FROM pg_ls_tmpdir() WHERE name LIKE 'pgsql_tmp' || pg_backend_pid() || '%';
SET LOCAL ROLE regress_public_ana;
SAVEPOINT s;
SELECT dp_count('*', 1e6) FROM stay s JOIN (SELECT 1 / (id - 1) AS ward FROM rows_of_ana OFFSET 0) l ON l.ward = s.ward;
ROLLBACK TO s;
SELECT setval('calls', 12);
:by_name;
COMMIT;
RESET ROLE;
SELECT DISTINCT closed FROM dp.budgets WHERE relation = 'stay'::regclass;
SELECT dp.unprotect('stay');
DROP OWNED BY regress_public_ana;
DROP ROLE regress_public_ana;
