-- What a DBA sees: dp.status, dp.orphans, dp.progress, dp.waits.
CALL own_schema('budget_status');
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE ROLE regress_status_ana;
CREATE ROLE regress_status_monitor IN ROLE pg_monitor;
CREATE ROLE regress_status_curator IN ROLE dp_curator;
CREATE TABLE watched_visits AS SELECT i FROM generate_series(1, 10) i;
SELECT dp.protect('watched_visits', 10), dp.grant_budget('watched_visits', 'regress_status_ana', 1, allow_leaks => true);
CREATE TEMP TABLE earlier AS TABLE dp.status;
CREATE VIEW since AS SELECT now.charges - earlier.charges AS charges, now.refusals - earlier.refusals AS refusals, now.errors - earlier.errors AS errors,
    now.orphans - earlier.orphans AS orphans, now.readers_with_budget - earlier.readers_with_budget AS readers FROM dp.status now, earlier;
GRANT SELECT ON since, earlier TO regress_status_monitor;

-- What is charged, and what is refused for want of budget.
SET ROLE regress_status_ana;
SELECT dp_count('*', 0.5) IS NULL AS asked FROM watched_visits;
SELECT dp_count('*', 0.2) IS NULL AS asked FROM watched_visits UNION ALL SELECT dp_count('*', 0.1) IS NULL FROM watched_visits;
SELECT dp_count('*', 0.5) IS NULL AS refused FROM watched_visits;
SELECT dp_count('*', 1e-9) IS NULL AS refused FROM watched_visits;
SELECT * FROM dp.cost('SELECT dp_count(''*'', 9) FROM watched_visits') \g /dev/null
RESET ROLE;
SELECT charges, refusals, errors FROM since;

-- An account whose role has got privileges since.
GRANT SELECT (i) ON watched_visits TO regress_status_ana;
SELECT readers FROM since;
REVOKE ALL ON watched_visits FROM regress_status_ana;
SELECT readers FROM since;

-- What somebody has left behind, as DROP ROLE in another database does.
INSERT INTO dp.account (relation, role, epsilon_nano, delta_atto) VALUES ('watched_visits', 4000000001::oid, 1, 0), (4000000002::oid, 'regress_status_ana', 1, 0);
SELECT "table", relation = 4000000002 AS no_table, role = 4000000001 AS no_role FROM dp.orphans WHERE relation = 4000000002 OR role = 4000000001 ORDER BY 2;
SELECT orphans FROM since;
DELETE FROM dp.account WHERE relation = 4000000002::oid OR role = 4000000001::oid;
SELECT orphans FROM since;

-- Whether writes by hand are seen, and what the memory holds.
SELECT watched, account_room >= accounts AS room, lock_waits >= 0 AS waits, hardened = dp.is_hardened() AS hardened FROM dp.status;
BEGIN;
ALTER TABLE dp.ledger_entry DISABLE TRIGGER ledger_written;
SELECT watched FROM dp.status;
ROLLBACK;
SELECT dp_count('*', 0.1) IS NULL AS asked FROM watched_visits;

-- Nothing goes on. Whom it is shown to.
SELECT count(*) AS mine FROM dp.progress WHERE pid = pg_backend_pid();
SELECT count(*) AS mine FROM dp.waits WHERE pid = pg_backend_pid();
SET ROLE regress_status_monitor;
SELECT count(*) FROM dp.status;
SELECT count(*) >= 0 AS seen FROM dp.progress;
SELECT count(*) >= 0 AS seen FROM dp.waits;
SELECT count(*) >= 0 AS seen FROM dp.orphans;
SELECT relation, role, epsilon_limit FROM dp.budgets WHERE relation = 'watched_visits'::regclass ORDER BY role;
SELECT epsilon FROM dp.last_charges(1, 'watched_visits');
SELECT count(*) FROM dp.releases WHERE relation = 'watched_visits'::regclass;
-- Also curators whom dp.harden() has taken the functions that tell sizes from.
RESET ROLE;
BEGIN;
REVOKE EXECUTE ON FUNCTION pg_total_relation_size(regclass) FROM PUBLIC;
SET LOCAL ROLE regress_status_curator;
SELECT ledger_bytes > 0 AS ledger, release_bytes > 0 AS releases FROM dp.status;
ROLLBACK;
SELECT has_function_privilege('public', 'dp_internal.bytes_stored()', 'EXECUTE') AS everyone;
SET ROLE regress_status_ana;
TABLE dp.progress;
TABLE dp.waits;
TABLE dp.orphans;
RESET ROLE;
SELECT dp.unprotect('watched_visits');
DROP VIEW since;
DROP TABLE watched_visits, earlier;
DROP ROLE regress_status_ana, regress_status_monitor, regress_status_curator;
