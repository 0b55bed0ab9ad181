-- Once charged is charged, whatever becomes of the statement, its transaction or its session.
--
CALL own_schema('budget_charges_stay');
SET client_min_messages = warning;
\getenv folder PG_ABS_SRCDIR
\set charged :folder '/test/support/charged.sql'
\set ECHO none
\o /dev/null
\i :charged
\o
\set ECHO all
SELECT charge();
-- Transactions and savepoints
BEGIN;
SELECT dp_count('*', 0.1) IS NOT NULL AS answered FROM charged;
ROLLBACK;
SELECT charge();
BEGIN;
SAVEPOINT before;
SELECT dp_count('*', 0.1) IS NOT NULL AS answered FROM charged;
ROLLBACK TO before;
SELECT dp_count('*', 0.2) IS NOT NULL AS answered FROM charged;
RELEASE before;
COMMIT;
SELECT charge();
-- An error that a block of PL/pgSQL catches.
DO $$
BEGIN
    PERFORM dp_count('*', 0.1) FROM charged;
    RAISE EXCEPTION 'no';
EXCEPTION WHEN OTHERS THEN
    NULL;
END
$$;
SELECT charge();
-- Stopped on the way: long after the charge, also on a slow server.
SET statement_timeout = '3s';
SELECT k, dp_count('*', 0.1), pg_sleep(2) FROM charged GROUP BY k;
RESET statement_timeout;
SELECT charge();
SELECT dp_count('*', 0.1), pg_cancel_backend(pg_backend_pid()), pg_sleep(60) FROM charged;
SELECT charge();
-- Two-phase commit that is rolled back.
BEGIN;
SELECT dp_count('*', 0.1) IS NOT NULL AS answered FROM charged;
PREPARE TRANSACTION 'charged';
ROLLBACK PREPARED 'charged';
SELECT charge();
-- Cursors
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT k, dp_count('*', 0.1) IS NOT NULL AS answered FROM charged GROUP BY k;
FETCH 0 FROM c;
SELECT charge();
FETCH c;
SELECT charge();
FETCH ALL FROM c;
FETCH BACKWARD 2 FROM c;
FETCH FIRST FROM c;
MOVE LAST IN c;
FETCH ABSOLUTE 2 FROM c;
CLOSE c;
SELECT charge();
DECLARE c SCROLL CURSOR FOR SELECT k, dp_count('*', 0.000001) AS n FROM charged GROUP BY k;
CREATE TEMP TABLE twice (n bigint);
DO $$
DECLARE
    c refcursor := 'c';
    r record;
BEGIN
    FETCH c INTO r; INSERT INTO twice VALUES (r.n);
    MOVE LAST IN c; FETCH ABSOLUTE 1 FROM c INTO r; INSERT INTO twice VALUES (r.n);
    MOVE FORWARD ALL IN c; MOVE BACKWARD ALL IN c; FETCH c INTO r; INSERT INTO twice VALUES (r.n);
END
$$;
SELECT count(*), count(DISTINCT n) FROM twice;
ROLLBACK;
SELECT charge();
-- The COMMIT fails
BEGIN;
DECLARE h CURSOR WITH HOLD FOR SELECT dp_count('*', 0.1), (g + 32766)::smallint FROM charged GROUP BY g;
COMMIT;
SELECT charge();
BEGIN;
DECLARE h CURSOR WITH HOLD FOR SELECT dp_count('*', 0.1) IS NOT NULL AS answered FROM charged;
COMMIT;
SELECT charge();
FETCH h;
CLOSE h;
SELECT charge();
-- An error above the answers
SELECT dp_count('*', 0.1), (g + 32766)::smallint FROM charged GROUP BY g;
SELECT charge();
-- Transactions that only read cannot be charged, so they get no answer.
BEGIN READ ONLY;
SELECT dp_count('*', 0.1) IS NOT NULL AS answered FROM charged;
COMMIT;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT count(*) FROM charged;
SELECT dp_count('*', 0.1) IS NOT NULL AS answered FROM charged;
ROLLBACK;
SELECT charge();

-- Prepared statements, with custom and generic plans
PREPARE p(float8, int) AS SELECT dp_count(x, $1) IS NOT NULL AS answered, dp_count('*', $1) FILTER (WHERE x < $2) IS NOT NULL AS few FROM charged;
SELECT charge();
EXECUTE p(0.1, 10);
EXECUTE p(0.1, 10);
SELECT charge();
SET plan_cache_mode = force_generic_plan;
EXECUTE p(0.1, 10);
EXECUTE p(0.25, NULL);
SELECT charge();
EXECUTE p(NULL, 1);
EXECUTE p(-1, 1);
SET plan_cache_mode = force_custom_plan;
EXECUTE p(NULL, 1);
EXPLAIN (COSTS OFF, SUMMARY OFF) EXECUTE p(0.1, 10);
SELECT charge();
-- Calls that are the same for these parameters only stay two.
PREPARE two(int, int, boolean) AS SELECT dp_count(x, 0.1) FILTER (WHERE g < $1) IS NOT NULL AS a, dp_count(x, 0.1) FILTER (WHERE g < $2) IS NOT NULL AS b,
    dp_count(*) FILTER (WHERE $3) IS NOT NULL AS c, dp_count(*) IS NOT NULL AS d, dp_count(*) FILTER (WHERE $3 AND $1 > 0) IS NOT NULL AS e FROM charged;
SET dp.epsilon = 0.1;
EXECUTE two(1, 1, true);
EXECUTE two(1, 1, false);
EXECUTE two(1, 2, NULL);
SELECT charge();
SET plan_cache_mode = force_generic_plan;
EXECUTE two(1, 1, true);
SELECT charge();
RESET plan_cache_mode;
RESET dp.epsilon;
DEALLOCATE two;

-- Exactly ten
CREATE TABLE tenth AS SELECT i FROM generate_series(1, 50) i;
SELECT dp.protect('tenth', 1);
SELECT dp.public_values('tenth', 'i', 1, 2, 3), dp.public_values('tenth', 'i % 2', 0, 1), dp.public_values('tenth', 'i % 3', 0, 1, 2);
DO $$
BEGIN
    FOR i IN 1 .. 10 LOOP
        PERFORM dp_count('*', 0.1) FROM tenth;
    END LOOP;
END
$$;
SELECT epsilon_spent, epsilon_left FROM dp.budgets WHERE relation = 'tenth'::regclass;
SELECT dp_count('*', 0.1) FROM tenth;
SELECT dp_count('*', 1e-9) FROM tenth;
-- The whole query must fit before anything runs, and each statement's limit holds for all of it.
SELECT dp.protect('tenth', 1.5);
SELECT (SELECT dp_count('*', 0.3) FROM tenth), (SELECT dp_count('*', 0.3) FROM tenth);
SELECT dp_count('*', 0.1) FROM tenth GROUP BY CUBE (i, i % 2, i % 3);
SELECT dp_count('*', 0.1, 'gaussian(delta=1e-6)') FROM tenth;
SELECT dp.protect('tenth', 2, query_epsilon => 0.3);
SELECT dp_count('*', 0.2), dp_count(i, 0.2) FROM tenth;
SELECT dp_count('*', 0.2) FROM tenth UNION ALL SELECT dp_count('*', 0.2) FROM tenth;
SELECT epsilon_spent, epsilon_left FROM dp.budgets WHERE relation = 'tenth'::regclass;
SELECT dp_count('*', 0.1) + dp_count(i, 0.2) IS NOT NULL AS answered FROM tenth;
SELECT epsilon_spent, epsilon_left FROM dp.budgets WHERE relation = 'tenth'::regclass;
