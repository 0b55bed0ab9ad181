-- Who may maintain a table that is somebody else's, as the owner of the database or by MAINTAIN (since 17), is not told how many rows
-- it has.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_maintenance;
DROP ROLE IF EXISTS regress_maintain_owner, regress_maintain_host, regress_maintain_ana, regress_maintain_all;
CREATE ROLE regress_maintain_owner;
CREATE ROLE regress_maintain_host;
CREATE ROLE regress_maintain_ana;
CREATE ROLE regress_maintain_all;
CREATE DATABASE regress_maintenance TEMPLATE template0 OWNER regress_maintain_host;
\set before :DBNAME
\c regress_maintenance
SET client_min_messages = warning;
CREATE EXTENSION pg_dp;
CREATE SCHEMA clinic AUTHORIZATION regress_maintain_owner;
GRANT USAGE ON SCHEMA clinic TO PUBLIC;
SET ROLE regress_maintain_owner;
CREATE TABLE clinic.visits (id int PRIMARY KEY, ward text) PARTITION BY RANGE (id);
CREATE TABLE clinic.early PARTITION OF clinic.visits FOR VALUES FROM (0) TO (100);
CREATE TABLE clinic.free (id int PRIMARY KEY);
INSERT INTO clinic.visits SELECT i, 'a' FROM generate_series(0, 41) i;
SELECT dp.protect('clinic.visits', 10);

-- Its owner sees everything, and so does a superuser.
DO $$ BEGIN EXECUTE 'ANALYZE clinic.visits'; END $$;
SET client_min_messages = debug1;
REINDEX INDEX clinic.early_pkey;
SET client_min_messages = warning;

-- The owner of the database maintains without being told.
SET ROLE regress_maintain_host;
\set VERBOSITY terse
VACUUM (VERBOSE) clinic.early;
VACUUM (VERBOSE, ANALYZE);
ANALYZE (VERBOSE) clinic.visits;
ANALYZE (VERBOSE off) clinic.visits;
VACUUM clinic.early;
SET client_min_messages = debug2;
VACUUM clinic.early;
ANALYZE clinic.early;
CLUSTER clinic.early USING early_pkey;
REINDEX INDEX clinic.early_pkey;
REINDEX TABLE clinic.visits;
SET client_min_messages = warning;
\set VERBOSITY default
ANALYZE (VERBOSE) clinic.visits;
RESET ROLE;

-- MAINTAIN, of the table or of all tables, is told of by dp.check(), and is a privilege that a role with a budget must not have.
SELECT current_setting('server_version_num')::int >= 170000 AS has_maintain \gset
CREATE FUNCTION as_if(statement text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('server_version_num')::int >= 170000 THEN
        EXECUTE statement;
    END IF;
END
$$;
CREATE FUNCTION refused(statement text) RETURNS boolean LANGUAGE plpgsql SET client_min_messages = error AS $$
BEGIN
    EXECUTE statement;
    RETURN false;
EXCEPTION WHEN SQLSTATE 'DP002' THEN
    RETURN true;
END
$$;
SELECT dp.grant_budget('clinic.visits', 'regress_maintain_ana', 1, allow_leaks => true);
SELECT as_if('GRANT MAINTAIN ON clinic.early TO regress_maintain_ana');
SELECT as_if('GRANT pg_maintain TO regress_maintain_all');
SELECT count(*) = :'has_maintain'::boolean::int AS told FROM dp.check()
WHERE finding = 'role regress_maintain_ana has a budget and privileges on clinic.early'
    AND run = 'REVOKE ALL ON clinic.early FROM regress_maintain_ana, PUBLIC;';
SET ROLE regress_maintain_ana;
SELECT refused('ANALYZE (VERBOSE) clinic.early') AS refused;
SET ROLE regress_maintain_all;
SELECT refused('ANALYZE (VERBOSE) clinic.early') = :'has_maintain'::boolean AS refused, refused('ANALYZE clinic.early') AS without;
RESET ROLE;
DO $$
BEGIN
    PERFORM dp.grant_budget('clinic.visits', 'regress_maintain_all', 1, allow_leaks => true);
    ASSERT current_setting('server_version_num')::int < 170000, 'granted';
EXCEPTION WHEN object_not_in_prerequisite_state THEN
    ASSERT current_setting('server_version_num')::int >= 170000, sqlerrm;
END
$$;

\c :before
SET client_min_messages = warning;
SET dp.allow_drop = on;
DROP DATABASE regress_maintenance;
DROP ROLE regress_maintain_owner, regress_maintain_host, regress_maintain_ana, regress_maintain_all;
