-- What curators say, and what everyone may read: dp.protect, dp.grant_budget and their opposites, dp.budgets, dp.ledger.
-- It drops the extension and empties the ledger: in a database of its own.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_ledger;
DROP ROLE IF EXISTS regress_ledger_owner, regress_ledger_ana, regress_ledger_ben, regress_ledger_team, regress_ledger_curator;
CREATE DATABASE regress_ledger TEMPLATE template0;
\set before :DBNAME
\c regress_ledger
SET client_min_messages = warning;
CREATE EXTENSION pg_dp;
RESET client_min_messages;
CREATE ROLE regress_ledger_owner;
CREATE ROLE regress_ledger_team;
CREATE ROLE regress_ledger_ana;
CREATE ROLE regress_ledger_ben IN ROLE regress_ledger_team;
CREATE ROLE regress_ledger_curator IN ROLE dp_curator;
GRANT CREATE ON SCHEMA public TO regress_ledger_owner;
SET ROLE regress_ledger_owner;
CREATE TABLE patient (id int, age int);
CREATE TABLE "Odd name" (id int);

-- The owner is a curator of its table. Saying it again changes the limits, up and down.
SELECT dp.protect('patient', 10);
SELECT dp.protect('patient', 3, 1e-6, 0.5);
SELECT dp.grant_budget('patient', 'regress_ledger_ana', 0.3, allow_leaks => true);
SELECT dp.grant_budget('patient', 'regress_ledger_ana', 1, delta => 1e-9, query_epsilon => 0.2, allow_leaks => true);
SELECT dp.grant_budget('patient', 'regress_ledger_team', 0.000000001, allow_leaks => true);
SELECT dp.protect('"Odd name"', 9e9, 0.999999);
SELECT * FROM dp.budgets ORDER BY relation::text, role::text NULLS FIRST;
-- Tools filter by names, as text.
PREPARE of_tool(text, text) AS SELECT table_name, role_name, epsilon_limit FROM dp.budgets WHERE table_name = $1 AND role_name = $2;
EXECUTE of_tool('patient', 'regress_ledger_ana');

-- What the private selection of groups costs is the table's; without it there is none.
SELECT dp.protect('"Odd name"', 5, 1e-6, group_epsilon => 0.1, group_delta => 1e-18);
SELECT relation, role, query_epsilon_limit, group_epsilon, group_delta FROM dp.budgets ORDER BY relation::text, role::text NULLS FIRST;
SELECT dp.protect('"Odd name"', 5, 1e-6, group_epsilon => 0);
SELECT group_epsilon, group_delta FROM dp.budgets WHERE relation = '"Odd name"'::regclass;

-- A role sees its own, and that of the roles whose privileges it has; curators see all of their tables.
SET ROLE regress_ledger_ana;
SELECT relation, role, epsilon_left FROM dp.budgets;
SET ROLE regress_ledger_ben;
SELECT relation, role, epsilon_left FROM dp.budgets;
SET ROLE regress_ledger_curator;
SELECT relation, role, epsilon_left FROM dp.budgets ORDER BY relation::text, role::text NULLS FIRST;

-- 73, 80: the tables below belong to the extension alone.
SET ROLE regress_ledger_ana;
SELECT * FROM dp.account;
SELECT * FROM dp.protected_table;
SELECT * FROM dp.ledger_entry;
UPDATE dp.account SET epsilon_nano = 1000000000000;
TRUNCATE dp.ledger_entry;
DELETE FROM dp.ledger_entry;
BEGIN;
LOCK TABLE dp.ledger_entry IN ACCESS SHARE MODE;
ROLLBACK;
CREATE TABLE dp.mine (i int);
SELECT dp_internal.ledger_written();
SET ROLE regress_ledger_owner;
CREATE TABLE mine (relation oid REFERENCES dp.protected_table);
SET ROLE regress_ledger_ana;

-- Nobody but curators sets budgets: neither the asking role, nor one that may read the table.
SELECT dp.grant_budget('patient', 'regress_ledger_ana', 100, allow_leaks => true);
SELECT dp.protect('patient', 100);
SELECT dp.unprotect('patient');
SELECT dp.revoke_budget('patient', 'regress_ledger_team');
-- A search path of its own changes nothing.
CREATE TEMP TABLE account AS SELECT 'patient'::regclass AS relation, 'regress_ledger_ana'::regrole AS role, 1000000000000 AS epsilon_nano;
CREATE TEMP TABLE protected_table (relation regclass);
SET search_path = pg_temp, dp, public;
SELECT relation, role, epsilon_left FROM dp.budgets;
RESET search_path;
DROP TABLE pg_temp.account, pg_temp.protected_table;

-- What cannot be a limit
SET ROLE regress_ledger_owner;
SELECT dp.protect('patient', 0);
SELECT dp.protect('patient', -1);
SELECT dp.protect('patient', 'NaN');
SELECT dp.protect('patient', 'Infinity');
SELECT dp.protect('patient', 9.1e9);
SELECT dp.protect('patient', 9e-10);
SELECT dp.protect('patient', 1, 1);
SELECT dp.protect('patient', 1, -1e-6);
SELECT dp.protect('patient', 1, 1e-19);
SELECT dp.protect('patient', 1, query_epsilon => 0);
SELECT dp.protect('patient', 1, 1e-6, group_epsilon => 0.1);
SELECT dp.protect('patient', 1, 1e-6, group_delta => 1e-9);
SELECT dp.protect('patient', 1, 1e-6, group_epsilon => 0, group_delta => 1e-9);
SELECT dp.protect('patient', 1, 1e-6, group_epsilon => 'NaN', group_delta => 1e-9);
SELECT dp.protect('patient', 1, 1e-6, group_epsilon => 0.1, group_delta => 0);
SELECT dp.protect('patient', 1, 1e-6, group_epsilon => 0.1, group_delta => 1);
SELECT dp.protect('patient', 1, 1e-6, group_epsilon => 1.1, group_delta => 1e-9);
SELECT dp.protect('patient', 1, 0, group_epsilon => 0.1, group_delta => 1e-9);
SELECT dp.protect(NULL, 1);
SELECT dp.grant_budget('patient', NULL, 1, allow_leaks => true);
SELECT dp.grant_budget(NULL, 'regress_ledger_ana', 1, allow_leaks => true);
SELECT dp.grant_budget('patient', 'regress_ledger_ana', 'NaN', allow_leaks => true);
SELECT dp.unprotect(NULL);
SELECT dp.revoke_budget('patient', NULL);
SELECT dp.protect(4000000000::oid, 1);
SELECT dp.grant_budget('patient', 4000000000::oid, 1, allow_leaks => true);
BEGIN READ ONLY;
SELECT dp.protect('patient', 1);
ROLLBACK;

-- What cannot be protected
CREATE VIEW seen AS SELECT 1 AS i;
CREATE MATERIALIZED VIEW copied AS SELECT 1 AS i;
CREATE SEQUENCE counted;
CREATE TEMP TABLE passing (i int);
CREATE UNLOGGED TABLE lossy (i int);
CREATE TABLE rows_hidden (i int);
ALTER TABLE rows_hidden ENABLE ROW LEVEL SECURITY;
CREATE TABLE whole (i int) PARTITION BY LIST (i);
CREATE TABLE part PARTITION OF whole FOR VALUES IN (1);
SELECT dp.protect('seen', 1);
SELECT dp.protect('copied', 1);
SELECT dp.protect('counted', 1);
SELECT dp.protect('passing', 1);
SELECT dp.protect('lossy', 1);
SELECT dp.protect('rows_hidden', 1);
RESET ROLE;
SELECT dp.protect('pg_class', 1);
SELECT dp.protect('information_schema.sql_features', 1);
SELECT dp.protect('dp.account', 1);
SET ROLE regress_ledger_owner;

-- Of a table and those below it, one is protected
SELECT dp.protect('part', 1);
SELECT dp.protect('whole', 1);
SELECT dp.unprotect('part');
SELECT dp.protect('whole', 1);
SELECT dp.protect('part', 1);
SELECT dp.grant_budget('part', 'regress_ledger_ana', 1, allow_leaks => true);
SELECT dp.unprotect('part');
ALTER TABLE part ENABLE ROW LEVEL SECURITY;
SELECT dp.protect('whole', 2);
SELECT dp.unprotect('whole');

-- Without a budget of the table no role gets one; without one none is taken.
SELECT dp.grant_budget('whole', 'regress_ledger_ana', 1, allow_leaks => true);
SELECT dp.unprotect('whole');
SELECT dp.revoke_budget('patient', 'regress_ledger_ben');
SELECT dp.revoke_budget('whole', 'regress_ledger_ana');

-- What goes around the fence is said: privileges of the role, views that read as their owner.
CREATE TABLE open_to_all (id int, secret int);
GRANT SELECT (id) ON open_to_all TO PUBLIC;
CREATE VIEW owners AS SELECT o.id, p.secret FROM open_to_all o JOIN open_to_all p USING (id);
CREATE VIEW askers WITH (security_invoker = true) AS SELECT * FROM open_to_all;
CREATE MATERIALIZED VIEW snapshot AS SELECT * FROM open_to_all;
SELECT dp.protect('open_to_all', 1);
SELECT dp.grant_budget('open_to_all', 'regress_ledger_ana', 1, allow_leaks => true);
REVOKE SELECT (id) ON open_to_all FROM PUBLIC;
SELECT dp.grant_budget('open_to_all', 'regress_ledger_ana', 1, allow_leaks => true);
GRANT TRIGGER ON open_to_all TO regress_ledger_team;
SELECT dp.grant_budget('open_to_all', 'regress_ledger_ben', 1, allow_leaks => true);
SELECT dp.grant_budget('patient', 'regress_ledger_owner', 1, allow_leaks => true);
SELECT dp.revoke_budget('patient', 'regress_ledger_owner');

-- Limits are a transaction's like any other row.
BEGIN;
SELECT dp.protect('patient', 100);
SELECT dp.revoke_budget('patient', 'regress_ledger_ana');
SELECT relation, role, epsilon_limit FROM dp.budgets WHERE relation = 'patient'::regclass ORDER BY role::text NULLS FIRST;
ROLLBACK;
SELECT relation, role, epsilon_limit FROM dp.budgets WHERE relation = 'patient'::regclass ORDER BY role::text NULLS FIRST;

-- Rows that a restore brings count, at once and after its end, whether it is kept or not.
RESET ROLE;
COPY dp.ledger_entry (seq, charged_at, role, account, relation, kind, epsilon_nano, delta_atto, table_epsilon_nano, table_delta_atto, release_id, query) FROM STDIN;
901	2020-01-01 00:00:00+00	regress_ledger_ana	regress_ledger_ana	patient	query	100000000	1000	100000000	1000	7	SELECT dp_count(*) FROM patient
902	2020-01-01 00:00:01+00	regress_ledger_ana	regress_ledger_ana	patient	relax	50000000	0	0	0	7	\N
903	2020-01-01 00:00:02+00	regress_ledger_owner	\N	patient	query	250000000	0	250000000	0	\N	SELECT dp_count(*) FROM patient
904	2020-01-01 00:00:03+00	regress_ledger_ben	regress_ledger_team	patient	query	1	0	1	0	\N	\N
\.
CREATE VIEW spent AS SELECT role, epsilon_spent, epsilon_left, delta_spent, delta_left FROM dp.budgets WHERE relation::text = 'patient' ORDER BY role::text NULLS FIRST;
SELECT * FROM spent;
BEGIN;
INSERT INTO dp.ledger_entry SELECT seq + 10, charged_at, role, account, relation, kind, epsilon_nano, delta_atto, table_epsilon_nano, table_delta_atto, 8, NULL
    FROM dp.ledger_entry WHERE seq = 901;
SELECT * FROM spent WHERE role IS NULL;
PREPARE TRANSACTION 'unseen';
SELECT * FROM spent WHERE role IS NULL;
BEGIN;
TRUNCATE dp.ledger_entry;
SELECT * FROM spent WHERE role IS NULL;
ROLLBACK;
SELECT * FROM spent WHERE role IS NULL;
SET session_replication_role = replica;
UPDATE dp.ledger_entry SET table_epsilon_nano = 300000000 WHERE seq = 903;
SELECT * FROM spent WHERE role IS NULL;
RESET session_replication_role;
DELETE FROM dp.ledger_entry WHERE seq = 904;
SELECT * FROM spent;
VACUUM FULL dp.ledger_entry;
SELECT * FROM spent WHERE role IS NULL;
-- Beyond 63 bits a sum stays at their end.
BEGIN;
INSERT INTO dp.ledger_entry SELECT 905, now(), role, account, relation, kind, 9223372036854775807, 0, 9223372036854775807, 0, NULL, NULL FROM dp.ledger_entry WHERE seq = 901;
SELECT * FROM spent;
ROLLBACK;

-- The ledger shows each role what it asked.
SET ROLE regress_ledger_ana;
SELECT seq, charged_at = '2020-01-01 00:00:00+00' AS first, role, relation, kind, epsilon, delta, table_epsilon, table_delta, release_id, query FROM dp.ledger;
SET ROLE regress_ledger_ben;
SELECT count(*) FROM dp.ledger;
SET ROLE regress_ledger_owner;
SELECT seq, role, epsilon, release_id FROM dp.ledger;

-- What was spent outlives a budget and a protection, and counts if there is one again.
SELECT dp.revoke_budget('patient', 'regress_ledger_ana');
SELECT dp.grant_budget('patient', 'regress_ledger_ana', 0.5, allow_leaks => true);
SELECT dp.unprotect('patient');
SELECT dp.protect('patient', 0.2);
RESET ROLE;
SELECT * FROM spent;
SET ROLE regress_ledger_owner;
SELECT dp.grant_budget('patient', 'regress_ledger_ana', 0.5, allow_leaks => true);
RESET ROLE;
SELECT * FROM spent;

-- The ledger is not dropped by the way.
SET client_min_messages = warning;
SET dp.allow_drop = off;
DROP EXTENSION pg_dp CASCADE;
SET ROLE regress_ledger_owner;
SET dp.allow_drop = on;
RESET ROLE;
BEGIN;
SET LOCAL dp.allow_drop = on;
DROP EXTENSION pg_dp CASCADE;
ROLLBACK;
SELECT * FROM spent;
BEGIN;
DELETE FROM dp.ledger_entry;
DROP EXTENSION pg_dp CASCADE;
CREATE EXTENSION pg_dp;
SELECT count(*) FROM dp.budgets;
ROLLBACK;

RESET client_min_messages;

-- Tables and roles that are gone take their budgets with them, since another one may get their number; their entries stay.
DROP VIEW spent;
SET dp.allow_drop = on;
DROP TABLE patient CASCADE;
DROP ROLE regress_ledger_ana;
SET ROLE regress_ledger_curator;
SELECT relation::text ~ '^\d+$' AS relation, role::text ~ '^\d+$' AS role, epsilon_limit, epsilon_spent FROM dp.budgets
    WHERE relation::text ~ '^\d+$' ORDER BY role NULLS FIRST;
SELECT seq, relation::text ~ '^\d+$' AS relation, role::text ~ '^\d+$' AS role, epsilon FROM dp.ledger;
SELECT dp.unprotect(relation) FROM dp.budgets WHERE role IS NULL;
SELECT * FROM dp.budgets;

RESET ROLE;
\c :before
DROP DATABASE regress_ledger;
DROP ROLE regress_ledger_owner, regress_ledger_ben, regress_ledger_team, regress_ledger_curator;
