-- Errors across the seam between PostgreSQL and C++, in both directions: each is reported, and what comes after it works.
CALL own_schema('guard_pg_errors');
CREATE ROLE regress_dp_seam;
CREATE TABLE seam AS SELECT i, i % 3 AS k FROM generate_series(1, 30) AS i;
SELECT dp.protect('seam', 1e6);
GRANT SELECT ON seam TO regress_dp_seam;
SET client_min_messages = error;
SELECT dp.grant_budget('seam', 'regress_dp_seam', 1e6);
RESET client_min_messages;
-- Twelve aggregates in a thousand grouping sets at the greatest epsilon: beyond 63 bits of nano-epsilon.
CREATE FUNCTION beyond(aggregates int, sets int) RETURNS text LANGUAGE sql AS $$
SELECT format('SELECT %s FROM seam GROUP BY GROUPING SETS (%s)', (SELECT string_agg(format('dp_count(''*'', %s)', 1000000 - i), ', ')
    FROM generate_series(1, aggregates) AS i), (SELECT string_agg('()', ', ') FROM generate_series(1, sets)))
$$;
GRANT ALL ON SCHEMA guard_pg_errors TO regress_dp_seam;
SET ROLE regress_dp_seam;

-- C++ exceptions past PostgreSQL's frames: a cost that no amount can hold.
SELECT count(*) FROM dp.cost(beyond(12, 1000)) \gset
\echo :LAST_ERROR_SQLSTATE :LAST_ERROR_MESSAGE
SELECT beyond(12, 1000) AS query \gset
:query \g (format=unaligned)
\echo :LAST_ERROR_SQLSTATE :LAST_ERROR_MESSAGE
EXPLAIN :query;
\echo :LAST_ERROR_SQLSTATE :LAST_ERROR_MESSAGE
SELECT dp.admissible(beyond(12, 1000));
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM seam$$);
SELECT * FROM dp.cost(beyond(9, 1000));
SELECT * FROM dp.cost($$SELECT dp_count('*', 1) FROM seam$$);
-- dp.admissible ends its subtransaction: what comes after an error in it belongs to the transaction around.
BEGIN;
CREATE TEMP TABLE kept (x int);
SELECT dp.admissible(beyond(12, 1000));
INSERT INTO kept VALUES (1);
SAVEPOINT s;
SELECT dp.admissible(beyond(12, 1000));
INSERT INTO kept VALUES (2);
ROLLBACK TO s;
COMMIT;
SELECT * FROM kept;
DROP TABLE kept;

-- The same within handlers, loops, cursors and portals that go on.
DO $$
DECLARE
    odd int := 0;
    walk CURSOR FOR SELECT generate_series(1, 100) AS n;
BEGIN
    FOR row IN walk LOOP
        BEGIN
            PERFORM * FROM dp.cost(beyond(12, 1000));
        EXCEPTION WHEN SQLSTATE 'DP001' THEN
            odd := odd + 1;
        END;
        BEGIN
            PERFORM dp_describe('laplace', (-row.n)::float8, 1);
        EXCEPTION WHEN invalid_parameter_value THEN
            odd := odd + 1;
        END;
        IF (dp.admissible(beyond(12, 1000))).message LIKE 'query costs more%' THEN odd := odd + 1; END IF;
    END LOOP;
    RAISE NOTICE '% errors', odd;
END
$$;
BEGIN;
DECLARE c CURSOR FOR SELECT generate_series(1, 3);
DECLARE d CURSOR FOR SELECT dp_describe('laplace', n - 2.0, 1) IS NOT NULL FROM generate_series(3, 1, -1) AS n;
FETCH c;
SAVEPOINT s;
FETCH d;
FETCH d;
ROLLBACK TO s;
SAVEPOINT s;
SELECT count(*) FROM dp.cost(beyond(12, 1000));
ROLLBACK TO s;
FETCH c;
COMMIT;

-- PostgreSQL's errors through C++ frames: planning folds constants, and parses and analyses what functions are given.
SELECT dp_count('*', 1), 1 / 0 FROM seam;
SELECT dp_count('*', 1) FROM seam WHERE i > 1 / 0;
EXPLAIN SELECT dp_count('*', 1), 1 / 0 FROM seam;
SELECT * FROM dp.cost($$SELECT dp_count('*', 1), 1 / 0 FROM seam$$);
SELECT dp.admissible($$SELECT dp_count('*', 1), 1 / 0 FROM seam$$);
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM nowhere$$);
CREATE FUNCTION fails() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM * FROM dp.cost(beyond(12, 1000)); RETURN 1; END $$;
SELECT dp_count('*', 1), fails() FROM seam;
SELECT dp.admissible($$SELECT dp_count('*', 1), fails() FROM seam$$);
DO $$
DECLARE
    odd int := 0;
    walk CURSOR FOR SELECT generate_series(1, 100) AS n;
BEGIN
    FOR row IN walk LOOP
        BEGIN
            PERFORM dp_count('*', 1), 1 / 0 FROM seam;
        EXCEPTION WHEN division_by_zero THEN
            odd := odd + 1;
        END;
        IF (dp.admissible('SELECT dp_count(''*'', 1), 1 / 0 FROM seam')).message = 'division by zero' THEN odd := odd + 1; END IF;
    END LOOP;
    RAISE NOTICE '% errors', odd;
END
$$;
PREPARE p(int) AS SELECT dp_count('*', 1e-3) > -1e6 AS answered FROM seam WHERE i > 10 / $1;
EXECUTE p(0);
EXECUTE p(1);
EXECUTE p(0);
DEALLOCATE p;
SELECT dp_count('*', 1e3) BETWEEN 29 AND 31 AS answered FROM seam;

RESET ROLE;
DROP FUNCTION fails(), beyond(int, int);
REVOKE ALL ON SCHEMA guard_pg_errors FROM regress_dp_seam;
SELECT dp.revoke_budget('seam', 'regress_dp_seam');
DROP TABLE seam;
DROP ROLE regress_dp_seam;
