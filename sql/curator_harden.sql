-- dp.harden() takes from PUBLIC what shows sizes, counters and locks; dp.grant_budget() wants that, and a role without any privilege.
-- All of that is of one database: this file has its own.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_hardened;
DROP ROLE IF EXISTS regress_harden_owner, regress_harden_ana, regress_harden_ben, regress_harden_watcher;
CREATE DATABASE regress_hardened TEMPLATE template0;
CREATE ROLE regress_harden_owner;
CREATE ROLE regress_harden_ana;
CREATE ROLE regress_harden_ben;
CREATE ROLE regress_harden_watcher IN ROLE pg_monitor;
\set before :DBNAME
\c regress_hardened
CREATE EXTENSION pg_dp;
RESET client_min_messages;
GRANT CREATE ON SCHEMA public TO regress_harden_owner;
SET ROLE regress_harden_owner;
CREATE TABLE visits (id int PRIMARY KEY, ward text) PARTITION BY RANGE (id);
CREATE TABLE early PARTITION OF visits FOR VALUES FROM (0) TO (100);
CREATE TABLE late PARTITION OF visits FOR VALUES FROM (100) TO (200);
INSERT INTO visits SELECT i, 'a' FROM generate_series(0, 199) i;
SELECT dp.protect('visits', 10);

-- Without it no role gets a budget that may not read the table anyway.
SELECT dp.is_hardened();
SELECT dp.grant_budget('visits', 'regress_harden_ana', 1);
SELECT dp.grant_budget('visits', 'regress_harden_ana', 1, allow_leaks => false);
SELECT dp.grant_budget('visits', 'regress_harden_ana', 1, allow_leaks => true);
SELECT dp.grant_budget('visits', 'regress_harden_owner', 1);
SELECT role, epsilon_limit FROM dp.budgets ORDER BY role::text NULLS FIRST;
SELECT dp.revoke_budget('visits', 'regress_harden_ana'), dp.revoke_budget('visits', 'regress_harden_owner');

-- The functions belong to the superuser.
SELECT dp.harden();
RESET ROLE;
BEGIN READ ONLY;
SELECT dp.harden();
ROLLBACK;
-- 62, 63, 92, 93
CREATE TEMP TABLE done AS SELECT h FROM dp.harden_statements() h;
SELECT dp.is_hardened() AS "none was run";
SELECT dp.harden() = (SELECT count(*) FROM done) AS "as many as told";
SELECT dp.is_hardened();
SELECT count(*) > 200 AS many, count(*) FILTER (WHERE h LIKE 'REVOKE EXECUTE ON FUNCTION pg_catalog.% FROM PUBLIC') * 2 = count(*) AS half,
    count(*) FILTER (WHERE h LIKE 'GRANT EXECUTE ON FUNCTION pg_catalog.% TO pg_read_all_stats') * 2 = count(*) AS other_half FROM done;
SELECT h FROM done WHERE h ~ '_(size|lock_status|lsn|live_tuples|xact_numscans)\(' ORDER BY h COLLATE "C";
SELECT dp.harden() AS again, count(*) AS to_do FROM dp.harden_statements();

SELECT count(*) AS counting FROM pg_proc WHERE proname IN ('pg_available_wal_summaries', 'pg_wal_summary_contents', 'pg_get_wal_summarizer_state', -- of 17
        'pg_stat_get_backend_io', 'pg_stat_get_backend_wal') -- of 18
    AND has_function_privilege('regress_harden_ana', oid, 'EXECUTE');
SET ROLE regress_harden_ana;
SELECT pg_relation_size('visits');
SELECT pg_table_size('visits');
SELECT pg_total_relation_size('visits');
SELECT pg_indexes_size('visits');
SELECT pg_database_size(current_database());
SELECT pg_tablespace_size('pg_default');
SELECT n_live_tup FROM pg_stat_user_tables;
SELECT idx_scan FROM pg_stat_all_indexes LIMIT 1;
SELECT heap_blks_read FROM pg_statio_all_tables LIMIT 1;
SELECT seq_tup_read FROM pg_stat_xact_user_tables;
SELECT tup_returned FROM pg_stat_database LIMIT 1;
SELECT calls FROM pg_stat_user_functions;
SELECT relid FROM pg_stat_progress_vacuum;
SELECT * FROM pg_locks;
SELECT pg_stat_get_live_tuples('early'::regclass);
SELECT pg_stat_get_xact_tuples_returned('early'::regclass);
SELECT pg_current_wal_lsn();
SELECT wal_bytes FROM pg_stat_wal;
-- Clients go on.
SELECT count(*) FROM pg_stat_activity WHERE pid = pg_backend_pid();
SELECT relname, relkind FROM pg_class WHERE relname = 'early';
SELECT table_name FROM information_schema.tables WHERE table_name = 'visits';
SELECT pg_size_pretty(pg_column_size('x'::text)::bigint);
\d early
SELECT reltuples FROM pg_class WHERE relname = 'early';
-- Whoever watches the server does, too.
SET ROLE regress_harden_watcher;
SELECT pg_relation_size('early') AS bytes, count(*) FROM pg_stat_user_tables WHERE relname = 'early';
SELECT count(*) > 0 AS locks FROM pg_locks;

SET ROLE regress_harden_owner;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 1);
SELECT dp.grant_budget('visits', 'regress_harden_watcher', 1);
SELECT dp.grant_budget('visits', 'regress_harden_watcher', 1, allow_leaks => true);
RESET ROLE;
GRANT EXECUTE ON FUNCTION pg_table_size(regclass) TO regress_harden_ana;
SELECT dp.is_hardened();
SELECT dp.grant_budget('visits', 'regress_harden_ana', 1);
REVOKE EXECUTE ON FUNCTION pg_table_size(regclass) FROM regress_harden_ana;
GRANT EXECUTE ON FUNCTION pg_table_size(regclass) TO PUBLIC;
SELECT dp.is_hardened();
SELECT dp.grant_budget('visits', 'regress_harden_ana', 1);
SELECT dp.harden();
-- Only the extension's own function of that name counts.
CREATE FUNCTION pg_stat_statements() RETURNS int LANGUAGE sql RETURN 1;
SELECT dp.is_hardened();
CREATE SCHEMA statements;
CREATE EXTENSION pg_stat_statements SCHEMA statements;
SELECT dp.is_hardened();
SET client_min_messages = error;
SELECT dp.harden();
RESET client_min_messages;
SELECT dp.is_hardened();

-- No privilege of any kind, on the table, its columns and partitions, by whatever way.
SET ROLE regress_harden_owner;
GRANT INSERT ON visits TO regress_harden_ana;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2, allow_leaks => true);
REVOKE INSERT ON visits FROM regress_harden_ana;
GRANT REFERENCES (id) ON visits TO PUBLIC;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
REVOKE REFERENCES (id) ON visits FROM PUBLIC;
GRANT SELECT (ward) ON late TO regress_harden_ben;
RESET ROLE;
GRANT regress_harden_ben TO regress_harden_ana;
SET ROLE regress_harden_owner;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
REVOKE SELECT (ward) ON late FROM regress_harden_ben;
GRANT TRIGGER ON early TO regress_harden_ben;
SELECT dp.grant_budget('visits', 'regress_harden_ben', 2);
REVOKE TRIGGER ON early FROM regress_harden_ben;
RESET ROLE;
ALTER TABLE late OWNER TO regress_harden_ben;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
ALTER TABLE late OWNER TO regress_harden_owner;
GRANT pg_write_all_data TO regress_harden_ana;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
REVOKE pg_write_all_data FROM regress_harden_ana;
GRANT pg_read_all_data TO regress_harden_ana;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
REVOKE pg_read_all_data FROM regress_harden_ana;
-- What it gets by SET ROLE counts too, though it does not inherit it.
ALTER ROLE regress_harden_ana NOINHERIT;
REVOKE regress_harden_ben FROM regress_harden_ana;
GRANT regress_harden_ben TO regress_harden_ana;
GRANT DELETE ON early TO regress_harden_ben;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
REVOKE DELETE ON early FROM regress_harden_ben;
GRANT pg_monitor TO regress_harden_ben;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
REVOKE pg_monitor FROM regress_harden_ben;
GRANT SELECT ON visits TO regress_harden_ben;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 2);
REVOKE SELECT ON visits FROM regress_harden_ben;
SELECT dp.grant_budget('visits', 'regress_harden_ana', 3);
SELECT role, epsilon_limit FROM dp.budgets ORDER BY role::text NULLS FIRST;

-- The planner's estimates as well, where no client needs all of pg_class.
SELECT regexp_replace(h, '\(.*\)', '(...)') AS h FROM dp.harden_statements(hide_estimates => true) h;
SELECT dp.harden(hide_estimates => true);
SELECT dp.harden(true) AS again;
SET ROLE regress_harden_ana;
SELECT reltuples FROM pg_class WHERE relname = 'early';
SELECT relpages FROM pg_class WHERE relname = 'early';
SELECT relallvisible FROM pg_class WHERE relname = 'early';
SELECT * FROM pg_class;
SELECT c FROM pg_class c;
SELECT relname, relkind FROM pg_class WHERE relname = 'early';
\d early
SELECT table_name FROM information_schema.tables WHERE table_name = 'visits';
SET ROLE regress_harden_watcher;
SELECT reltuples FROM pg_class WHERE relname = 'late';

-- A database that pg_dp leaves is as it was made. The function of an extension belongs to what everyone may call, too.
SELECT dp.unharden();
RESET ROLE;
BEGIN READ ONLY;
SELECT dp.unharden();
ROLLBACK;
SELECT dp.is_hardened(), dp.unharden() > 200 AS many;
SELECT dp.is_hardened(), dp.unharden() AS again;
SELECT p.oid::regprocedure, p.proacl FROM pg_proc p
WHERE p.oid < 16384 AND p.proacl IS NOT NULL AND NOT EXISTS (SELECT FROM pg_init_privs i WHERE i.classoid = 'pg_proc'::regclass AND i.objoid = p.oid)
    AND (NOT has_function_privilege('public', p.oid, 'EXECUTE')
        OR EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee NOT IN (0, p.proowner)));
SELECT count(*) AS of_columns FROM pg_attribute WHERE attrelid = 'pg_class'::regclass AND attacl IS NOT NULL;
SET ROLE regress_harden_ana;
SELECT reltuples >= -1 AS seen FROM pg_class WHERE relname = 'early';
SELECT pg_relation_size('early') >= 0 AS seen;
RESET ROLE;

\c :before
DROP DATABASE regress_hardened;
DROP ROLE regress_harden_owner, regress_harden_ana, regress_harden_ben, regress_harden_watcher;
