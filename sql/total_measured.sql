-- Functions are admitted on a release of PostgreSQL on which they were measured, and with what the catalog said of them then: elsewhere
-- no private query is answered until a superuser has measured them there. All of that is of one database.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_measured;
DROP ROLE IF EXISTS regress_measured_ana;
CREATE ROLE regress_measured_ana;
CREATE DATABASE regress_measured TEMPLATE template0;
\set before :DBNAME
\c regress_measured
SET client_min_messages = warning;
CREATE EXTENSION pg_dp;
CREATE FUNCTION said(query text) RETURNS TABLE (state text, message text, hint text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query INTO message;
    RETURN NEXT;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    state := sqlstate;
    message := replace(message, current_setting('server_version'), '...');
    RETURN NEXT;
END
$$;
-- This server is one that the library knows: if not, tools/evidence measures it.
SELECT measured, (SELECT count(*) FROM dp.measured_server) AS measured_here FROM dp_internal.server_evidence();
CREATE TABLE visits AS SELECT date '2024-01-01' + i AS day FROM generate_series(0, 9) i;
SELECT dp.protect('visits', 1e9);
SELECT * FROM said($$SELECT dp_count('*', 1e6) FROM visits WHERE day < '2024-01-04'$$);

-- Another code for a function on the list, as another release may have: one that is total.
CREATE OR REPLACE FUNCTION pg_catalog.date_lt(date, date) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS 'SELECT NOT $1 >= $2';
\c
SELECT measured FROM dp_internal.server_evidence();
SELECT * FROM said($$SELECT dp_count('*', 1e6) FROM visits WHERE day < '2024-01-04'$$);
SELECT * FROM said($$SELECT dp_count('*', 1e6) FROM visits$$);
SELECT replace(finding, current_setting('server_version'), '...') AS finding, run FROM dp.check() WHERE finding LIKE '%measured%';
SELECT count(*) FROM visits WHERE day < '2024-01-04';
SET ROLE regress_measured_ana;
\set SHOW_CONTEXT never
SELECT dp.measure_functions();
RESET ROLE;
SELECT dp.measure_functions() ~ '^[0-9]{3} functions gave no error in [0-9]+ calls on PostgreSQL ' AS measured;
SELECT count(*), bool_and(functions > 450 AND calls > 50000 AND measured_at <= now()) AS of_all FROM dp.measured_server;
SELECT measured FROM dp_internal.server_evidence();
SELECT * FROM said($$SELECT dp_count('*', 1e6) FROM visits WHERE day < '2024-01-04'$$);
SELECT replace(finding, current_setting('server_version'), '...') AS finding, run FROM dp.check() WHERE finding LIKE '%measured%';
\c
SELECT * FROM said($$SELECT dp_count('*', 1e6) FROM visits WHERE day < '2024-01-04'$$);

-- One that is not.
CREATE OR REPLACE FUNCTION pg_catalog.date_lt(date, date) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS 'SELECT 1 / ($1 - $2) < 0';
\c
SELECT * FROM said($$SELECT dp_count('*', 1e6) FROM visits WHERE day < '2024-01-04'$$);
SELECT dp.measure_functions();
SELECT * FROM said($$SELECT dp_count('*', 1e6) FROM visits WHERE day < '2024-01-04'$$);
SELECT nspname FROM pg_namespace WHERE nspname = 'dp_extreme';

\c :before
SET client_min_messages = warning;
SET dp.allow_drop = on;
DROP DATABASE regress_measured;
DROP ROLE regress_measured_ana;
