-- A role that may not read a protected table gets no plan of a statement that would: nothing of it is folded, chosen or printed.
CALL own_schema('guard_denied');
CREATE ROLE regress_denied_ana;
CREATE SCHEMA regress_denied AUTHORIZATION regress_denied_ana;
CREATE TABLE secret (id integer PRIMARY KEY, x integer);
INSERT INTO secret SELECT i, i % 10 FROM generate_series(1, 100) i;
ANALYZE secret;
CREATE TABLE secret_whole (k integer, x integer) PARTITION BY LIST (k);
CREATE TABLE secret_part PARTITION OF secret_whole FOR VALUES IN (1);
INSERT INTO secret_whole VALUES (1, 1);
CREATE TABLE open (id integer);
INSERT INTO open VALUES (1);
GRANT SELECT ON open TO regress_denied_ana;
CREATE VIEW secret_view AS SELECT * FROM secret;
CREATE VIEW secret_invoking WITH (security_invoker) AS SELECT * FROM secret;
GRANT SELECT ON secret_invoking TO regress_denied_ana;
-- It warns of a view that reads with the privileges of its owner, whose name is the server's own affair.
\set VERBOSITY sqlstate
SELECT dp.protect('secret', 1e9, answer_epsilon => 0);
\set VERBOSITY default
SELECT dp.protect('secret_part', 1e9, answer_epsilon => 0);
SELECT dp.grant_budget('secret', 'regress_denied_ana', 1e8, allow_leaks => true);
SELECT dp.grant_budget('secret_part', 'regress_denied_ana', 1e8, allow_leaks => true);

SET ROLE regress_denied_ana;
-- What runs while a statement is planned says so.
CREATE FUNCTION regress_denied.folded(x integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE NOTICE 'planned'; RETURN x; END$$;
SELECT id FROM open WHERE id = regress_denied.folded(1);
SELECT id FROM secret WHERE x = regress_denied.folded(7);
EXPLAIN SELECT id FROM secret WHERE x = regress_denied.folded(7);
SELECT id FROM open WHERE id IN (SELECT id FROM secret WHERE x = regress_denied.folded(7));
WITH s AS (SELECT id FROM secret WHERE x = regress_denied.folded(7)) SELECT * FROM s;
SELECT id FROM secret_invoking WHERE x = regress_denied.folded(7);
SELECT id FROM secret_view WHERE x = regress_denied.folded(7);
UPDATE secret SET x = 1 WHERE x = regress_denied.folded(7);
DELETE FROM secret WHERE x = regress_denied.folded(7) RETURNING *;
INSERT INTO secret SELECT regress_denied.folded(7);
CREATE TEMP TABLE copied AS SELECT id FROM secret WHERE x = regress_denied.folded(7);
DECLARE c CURSOR WITH HOLD FOR SELECT id FROM secret WHERE x = regress_denied.folded(7);
COPY (SELECT id FROM secret WHERE x = regress_denied.folded(7)) TO STDOUT;
DO $$BEGIN PERFORM id FROM secret WHERE x = regress_denied.folded(7); END$$;
SELECT message FROM dp.admissible('SELECT id FROM secret WHERE x = regress_denied.folded(7)', 'regress_denied_ana');
SELECT * FROM dp.cost('SELECT id FROM secret WHERE x = regress_denied.folded(7)');
-- Beside a private query of the same table, which is answered by itself.
SELECT dp_count('*', 1e6) FROM secret WHERE x = 7;
SELECT (SELECT dp_count('*', 1e6) FROM secret), id FROM secret WHERE x = regress_denied.folded(7);
WITH s AS (SELECT * FROM secret) SELECT dp_count('*', 1e6) FROM s;
WITH s AS (SELECT * FROM secret) SELECT dp_count('*', 1e6), (SELECT max(id) FROM s WHERE x = regress_denied.folded(7)) FROM s;
-- The whole of which a part is protected, and the part by itself.
SELECT x FROM secret_whole WHERE x = regress_denied.folded(7);
SELECT x FROM secret_part WHERE x = regress_denied.folded(7);
-- In a function that is made a part of the query while that is planned: its tables are not looked into.
CREATE FUNCTION regress_denied.inlined(y integer) RETURNS SETOF secret LANGUAGE sql STABLE AS 'SELECT * FROM secret WHERE x = y';
SELECT id FROM regress_denied.inlined(7);
SET client_min_messages = log;
SET debug_print_plan = on;
SELECT id FROM regress_denied.inlined(7) WHERE id < 50;
SELECT id FROM secret WHERE x = 7;
RESET debug_print_plan;
RESET client_min_messages;
-- The choice between a plan for all parameters and one for these takes none to be made.
PREPARE denied(integer) AS SELECT id FROM secret WHERE x = $1;
EXECUTE denied(7);
EXECUTE denied(7);
SET plan_cache_mode = force_generic_plan;
EXECUTE denied(7);
RESET plan_cache_mode;
SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = 'denied';
DEALLOCATE denied;
-- What may be done with a table is asked as always.
RESET ROLE;
GRANT SELECT (id) ON secret TO regress_denied_ana;
SET ROLE regress_denied_ana;
SELECT id FROM secret WHERE id = regress_denied.folded(7);
SELECT id FROM secret WHERE x = regress_denied.folded(7);
RESET ROLE;
GRANT SELECT ON secret TO regress_denied_ana;
SET ROLE regress_denied_ana;
SELECT id FROM secret WHERE id = 7 AND x = regress_denied.folded(7);
-- No private aggregate over what holds protected rows without being protected, not even for who may read them.
RESET ROLE;
SELECT dp_count('*', 1e6) FROM secret_whole;
SELECT dp_count('*', 1e6) FROM open GROUP BY (SELECT max(x) FROM secret_whole);
SELECT dp_count('*', 1e6) FROM open GROUP BY (SELECT max(x) FROM secret);
-- Who may read the whole, and pays for it from the table's budget alone, may not ask its part, which is not granted.
RESET ROLE;
CREATE TABLE told (k integer, x integer) PARTITION BY LIST (k);
CREATE TABLE told_part PARTITION OF told FOR VALUES IN (1);
INSERT INTO told SELECT 1, i FROM generate_series(1, 100) i;
GRANT SELECT ON told TO regress_denied_ana;
SELECT dp.protect('told', 1e9, answer_epsilon => 0);
SET ROLE regress_denied_ana;
SELECT dp_count('*', 1e6) FROM told;
SELECT dp_count('*', 1e6) FROM told_part;
RESET ROLE;
DROP SCHEMA regress_denied CASCADE;
DROP VIEW secret_view, secret_invoking;
SELECT dp.unprotect('secret'), dp.unprotect('secret_part'), dp.unprotect('told');
SET dp.allow_drop = on;
DROP TABLE secret, secret_whole, told, open;
RESET dp.allow_drop;
DROP ROLE regress_denied_ana;
