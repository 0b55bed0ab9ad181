-- A database that dp.harden() closed stays closed, or roles that were granted their budgets because of it wait.
-- All of that is of one database: this file has its own.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_stays;
DROP ROLE IF EXISTS regress_stays_ana, regress_stays_ben, regress_stays_reader, regress_stays_root, regress_stays_team;
CREATE DATABASE regress_stays TEMPLATE template0;
CREATE ROLE regress_stays_team;
CREATE ROLE regress_stays_ana IN ROLE regress_stays_team;
CREATE ROLE regress_stays_ben;
CREATE ROLE regress_stays_reader;
CREATE ROLE regress_stays_root SUPERUSER;
\set before :DBNAME
\c regress_stays
SET client_min_messages = error;
CREATE EXTENSION pg_dp;
SELECT dp.harden() > 0 AS hardened;
RESET client_min_messages;
CREATE TABLE visits AS SELECT i AS id FROM generate_series(1, 100) i;
GRANT SELECT ON visits TO regress_stays_reader;
SELECT dp.protect('visits', 1e8);
SELECT dp.grant_budget('visits', 'regress_stays_team', 1e7);
SELECT dp.grant_budget('visits', 'regress_stays_ben', 1e7, allow_leaks => true);
SELECT dp.grant_budget('visits', 'regress_stays_reader', 1e7);
CREATE FUNCTION answer() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN dp_count('*', 1e6) FROM visits;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
CREATE FUNCTION answers() RETURNS TABLE (role regrole, answer text) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH role IN ARRAY '{regress_stays_root,regress_stays_ana,regress_stays_ben,regress_stays_reader}'::regrole[] LOOP
        EXECUTE 'SET LOCAL ROLE ' || role;
        answer := public.answer();
        RESET ROLE;
        RETURN NEXT;
    END LOOP;
END
$$;
SELECT * FROM answers();

CREATE EXTENSION pg_stat_statements;
SELECT * FROM answers();
SET ROLE regress_stays_ana;
SELECT dp_count('*', 1) FROM visits;
EXPLAIN (COSTS OFF) SELECT dp_count('*', 1) FROM visits;
SELECT * FROM dp.cost($$SELECT dp_count('*', 1) FROM visits$$);
SELECT dp.admissible($$SELECT dp_count('*', 1) FROM visits$$);
SELECT * FROM relax_release((SELECT min(release_id) FROM dp.releases), 1e6);
RESET ROLE;
SELECT dp.harden() AS statements;
SELECT * FROM answers();

-- Told by what may have opened it, not by each GRANT of a restored dump.
GRANT EXECUTE ON FUNCTION pg_relation_size(regclass, text) TO PUBLIC;
GRANT EXECUTE ON FUNCTION pg_table_size(regclass) TO pg_read_all_stats;
GRANT SELECT ON visits TO regress_stays_reader;
REVOKE EXECUTE ON FUNCTION pg_relation_size(regclass, text) FROM PUBLIC;

-- Whatever opens it, also where nobody is told.
SET client_min_messages = error;
ALTER EVENT TRIGGER dp_hardening DISABLE;
GRANT EXECUTE ON FUNCTION pg_relation_size(regclass, text) TO PUBLIC;
SELECT answer FROM answers() WHERE role = 'regress_stays_ana'::regrole;
REVOKE EXECUTE ON FUNCTION pg_relation_size(regclass, text) FROM PUBLIC;
BEGIN;
GRANT EXECUTE ON FUNCTION pg_relation_size(regclass, text) TO pg_database_owner;
SET LOCAL ROLE regress_stays_ana;
SELECT answer();
RESET ROLE;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO regress_stays_ana', current_database()); END $$;
SET LOCAL ROLE regress_stays_ana;
SELECT answer();
ROLLBACK;
ALTER EVENT TRIGGER dp_hardening ENABLE ALWAYS;
GRANT EXECUTE ON FUNCTION pg_relation_size(regclass, text) TO regress_stays_ana;
SELECT answer FROM answers() WHERE role = 'regress_stays_ana'::regrole;
REVOKE EXECUTE ON FUNCTION pg_relation_size(regclass, text) FROM regress_stays_ana;
SELECT answer FROM answers() WHERE role = 'regress_stays_ana'::regrole;
GRANT pg_monitor TO regress_stays_ben;
GRANT regress_stays_ben TO regress_stays_ana;
SELECT answer FROM answers() WHERE role = 'regress_stays_ana'::regrole;
REVOKE pg_monitor FROM regress_stays_ben;
REVOKE regress_stays_ben FROM regress_stays_ana;
SELECT answer FROM answers() WHERE role = 'regress_stays_ana'::regrole;
-- A reader was not asked for it, until it reads no more.
GRANT pg_monitor TO regress_stays_reader;
SELECT answer FROM answers() WHERE role = 'regress_stays_reader'::regrole;
REVOKE SELECT ON visits FROM regress_stays_reader;
SELECT answer FROM answers() WHERE role = 'regress_stays_reader'::regrole;
SELECT dp.grant_budget('visits', 'regress_stays_reader', 1e7, allow_leaks => true);
SELECT answer FROM answers() WHERE role = 'regress_stays_reader'::regrole;

\c :before
DROP DATABASE regress_stays;
DROP ROLE regress_stays_ana, regress_stays_ben, regress_stays_reader, regress_stays_root, regress_stays_team;
