-- What curators and askers are told: the limit that binds, limits below what is spent, tables that do not go without a word, tables of
-- Citus, and what another role may ask of whose tables.
SET client_min_messages = warning;
CREATE ROLE regress_limits_ana;
CREATE ROLE regress_limits_owner;
CREATE ROLE regress_limits_eve;
CREATE SCHEMA regress_limits;
GRANT ALL ON SCHEMA regress_limits TO PUBLIC;
SET search_path = regress_limits, public;
SET ROLE regress_limits_owner;
CREATE TABLE stays AS SELECT i AS id FROM generate_series(1, 100) i;
SELECT dp.protect('stays', 3, 1e-6), dp.grant_budget('stays', 'regress_limits_ana', 10, 1e-9, allow_leaks => true);

-- No more is left than of the table.
SET ROLE regress_limits_ana;
SELECT epsilon_limit, epsilon_spent, epsilon_left, delta_left FROM dp.budgets WHERE relation = 'stays'::regclass;
SELECT dp_count('*', 2) IS NULL AS asked FROM stays;
SELECT epsilon_limit, epsilon_spent, epsilon_left, delta_left FROM dp.budgets WHERE relation = 'stays'::regclass;
SET ROLE regress_limits_owner;
SELECT role, epsilon_spent, epsilon_left FROM dp.budgets WHERE relation = 'stays'::regclass ORDER BY role::text NULLS FIRST;
-- Limits that are too low already.
SELECT dp.grant_budget('stays', 'regress_limits_ana', 2, allow_leaks => true);
SELECT dp.grant_budget('stays', 'regress_limits_ana', 1.5, allow_leaks => true);
SELECT dp.protect('stays', 1);
SELECT dp.protect('stays', 2);
SELECT dp.grant_budget('stays', 'regress_limits_ana', 10, allow_leaks => true), dp.protect('stays', 100);

-- What an answer is called at another level, and by what it can be picked.
SET ROLE regress_limits_ana;
SELECT dp_count('*', 0.05) IS NULL AS asked, dp_sum(id, 0, 100, 0.05) IS NULL AS summed FROM stays;
SELECT aggregate, epsilon FROM relax_release(dp_last_release(), 0.2, 'dp_count(''*'', 0.05)');
SELECT aggregate, epsilon FROM dp_answer(dp_last_release()) ORDER BY 1;
SELECT aggregate, epsilon FROM dp.releases WHERE release_id = dp_last_release() ORDER BY 1;
SELECT aggregate, epsilon FROM dp_answer(dp_last_release(), 'dp_count(''*'', 0.05) at epsilon 0.2');
\set VERBOSITY sqlstate
SELECT aggregate, epsilon FROM dp_answer(dp_last_release(), 'dp_count(''*'', 0.05) or so');
\set VERBOSITY default

-- A charged table does not go by the way.
SET ROLE regress_limits_owner;
CREATE TABLE copy AS TABLE stays;
RESET ROLE;
SET dp.allow_drop = off;
DROP TABLE stays;
DROP SCHEMA regress_limits CASCADE;
DROP OWNED BY regress_limits_owner CASCADE;
BEGIN;
SET LOCAL dp.allow_drop = on;
DROP TABLE stays;
ROLLBACK;
BEGIN;
SELECT dp.unprotect('stays');
DROP TABLE stays;
ROLLBACK;
SET ROLE regress_limits_owner;
SELECT dp.protect('copy', 1);
DROP TABLE copy;

-- What other roles may ask of a table is told to its curators, whatever else one is a curator of.
CREATE VIEW beside AS SELECT id FROM stays;
GRANT SELECT ON beside TO regress_limits_ana, regress_limits_eve;
SET ROLE regress_limits_eve;
CREATE TABLE own AS SELECT 1 AS id;
SELECT dp.protect('own', 1);
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM own$$, 'regress_limits_ana');
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM stays$$, 'regress_limits_ana');
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM stays$$, 'regress_limits_owner');
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM beside$$, 'regress_limits_ana');
SELECT dp.admissible($$SELECT (SELECT dp_count('*', 1) FROM own) + (SELECT dp_count('*', 1) FROM stays)$$, 'regress_limits_ana');
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM stays$$);
SET ROLE regress_limits_owner;
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM stays$$, 'regress_limits_ana');
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM stays$$, 'regress_limits_eve');
RESET ROLE;

-- Citus: its list of tables, made up.
BEGIN;
SET LOCAL allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_partition (partmethod "char", logicalrelid regclass);
INSERT INTO pg_dist_partition VALUES ('h', 'stays');
SAVEPOINT s;
SELECT dp.protect('stays', 10);
ROLLBACK TO s;
SELECT dp_count('*', 0.1) FROM stays;
ROLLBACK TO s;
UPDATE pg_dist_partition SET logicalrelid = 'own';
SELECT dp_count('*', 0.1) IS NULL AS asked FROM stays;
ROLLBACK;

SET client_min_messages = error;
RESET dp.allow_drop;
DROP SCHEMA regress_limits CASCADE;
DROP ROLE regress_limits_ana, regress_limits_owner, regress_limits_eve;
