-- A role with a budget tries what postgres_fdw and dblink offer to get at the rows of another server by another way than a question: by servers, mappings
-- and foreign tables of its own, by connections that a question has left, by what is sent and what comes back.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_hostile_shard;
CREATE ROLE regress_hostile_owner;
CREATE ROLE regress_hostile_reader LOGIN;
CREATE ROLE regress_hostile_ana LOGIN;
CREATE DATABASE regress_hostile_shard TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
\set before :DBNAME
\c regress_hostile_shard
SET client_min_messages = warning;
CREATE EXTENSION pg_dp;
GRANT USAGE ON SCHEMA dp_internal TO regress_hostile_reader;
CREATE TABLE ev (id int, person int, name text COLLATE "C", n int CHECK (n < 1000));
INSERT INTO ev SELECT i, i % 100, 'p' || i, i % 10 FROM generate_series(1, 400) i;
GRANT SELECT ON ev TO regress_hostile_reader;
-- Whoever may make objects there: functions of the names that are sent, found by no question.
GRANT CREATE ON SCHEMA public TO PUBLIC;
SET ROLE regress_hostile_ana;
CREATE FUNCTION shown(text) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''saw %'', $1; END';
CREATE FUNCTION public.shard_part(text) RETURNS bytea LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''saw %'', $1; END';
CREATE FUNCTION public.lower(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RAISE EXCEPTION ''saw %'', $1; END';
CREATE FUNCTION public.less(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RAISE EXCEPTION ''saw %'', $1; END';
CREATE OPERATOR public.< (LEFTARG = int, RIGHTARG = int, FUNCTION = public.less);
RESET ROLE;
ALTER ROLE regress_hostile_reader SET search_path = public, pg_catalog;
\c :before
SET client_min_messages = warning;
CREATE SCHEMA regress_hostile AUTHORIZATION regress_hostile_owner;
CREATE SCHEMA regress_hostile_ana AUTHORIZATION regress_hostile_ana;
GRANT USAGE ON SCHEMA regress_hostile TO PUBLIC;
SET search_path = regress_hostile, public;
CREATE EXTENSION postgres_fdw SCHEMA regress_hostile;
CREATE EXTENSION dblink SCHEMA regress_hostile;
SELECT split_part(current_setting('unix_socket_directories'), ',', 1) AS socket \gset
DO $$
BEGIN
    EXECUTE format('CREATE SERVER hostile FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L, extensions ''pg_dp'')',
        split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), 'regress_hostile_shard');
END
$$;
CREATE USER MAPPING FOR regress_hostile_owner SERVER hostile OPTIONS (user 'regress_hostile_reader', password_required 'false', password 'secret');
GRANT USAGE ON FOREIGN SERVER hostile TO regress_hostile_owner;
SET ROLE regress_hostile_owner;
CREATE FOREIGN TABLE ev (id int, person int, name text COLLATE "C", n int) SERVER hostile OPTIONS (schema_name 'public');
SELECT dp.protect('ev', 9e9, privacy_unit => 'person', max_rows_per_unit => 4), dp.grant_budget('ev', 'regress_hostile_ana', 9e9, allow_leaks => true, answer_epsilon => 0);
SELECT dp.public_values('ev', 'n', 0, 1, 2);
RESET ROLE;

SET SESSION AUTHORIZATION regress_hostile_ana;
SET search_path = regress_hostile, regress_hostile_ana, public;
\set VERBOSITY terse
-- What may be asked; what it says of where it runs.
SELECT dp_count('*', 1e6) FROM ev WHERE n < 3 AND lower(name) <> 'p7';
EXPLAIN (VERBOSE, COSTS OFF) SELECT dp_count('*', 1e6) FROM ev WHERE name = 'p7';
-- The table itself.
SELECT * FROM ev;
SELECT count(*) FROM ONLY ev;
SELECT tableoid FROM ev FOR UPDATE;
COPY ev TO STDOUT;
INSERT INTO ev VALUES (1);
UPDATE ev SET n = 1 WHERE name = 'p7';
DELETE FROM ev WHERE name = 'p7';
TRUNCATE ev;
LOCK TABLE ev;
-- Where versions of PostgreSQL have other words the SQLSTATE is told.
\set VERBOSITY sqlstate
ANALYZE ev;
\set VERBOSITY terse
ALTER FOREIGN TABLE ev OPTIONS (SET schema_name 'other');
ALTER FOREIGN TABLE ev ADD CHECK (n > 0);
CREATE TABLE below () INHERITS (ev);
CREATE TRIGGER t BEFORE INSERT ON ev FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
-- Servers and mappings.
CREATE SERVER mine FOREIGN DATA WRAPPER postgres_fdw;
ALTER SERVER hostile OPTIONS (SET dbname 'postgres');
ALTER SERVER hostile OPTIONS (ADD use_remote_estimate 'true');
ALTER SERVER hostile OWNER TO regress_hostile_ana;
ALTER FOREIGN DATA WRAPPER postgres_fdw OPTIONS (ADD debug 'true');
DROP SERVER hostile;
CREATE USER MAPPING FOR regress_hostile_ana SERVER hostile OPTIONS (user 'regress_hostile_reader');
CREATE USER MAPPING FOR PUBLIC SERVER hostile OPTIONS (user 'regress_hostile_reader');
ALTER USER MAPPING FOR regress_hostile_owner SERVER hostile OPTIONS (ADD application_name 'mine');
DROP USER MAPPING FOR regress_hostile_owner SERVER hostile;
CREATE FOREIGN TABLE regress_hostile_ana.mine (id int) SERVER hostile OPTIONS (schema_name 'public', table_name 'ev');
IMPORT FOREIGN SCHEMA public FROM SERVER hostile INTO regress_hostile_ana;
SELECT umoptions FROM pg_user_mappings WHERE srvname = 'hostile';
SELECT umoptions FROM pg_user_mapping;
SELECT option_value FROM information_schema.user_mapping_options WHERE foreign_server_name = 'hostile' AND option_value IS NOT NULL;
-- Connections that a question has left are told by the name of their server, closed, and not used by another.
SELECT server_name FROM postgres_fdw_get_connections();
SELECT postgres_fdw_disconnect('hostile');
SELECT dp_count('*', 1e6) FROM ev;
SELECT dp_count('*', 1e6) AS n, postgres_fdw_disconnect_all() FROM ev;
SELECT dp_count('*', 1e6) FROM ev WHERE postgres_fdw_disconnect_all();
BEGIN;
SELECT dp_count('*', 1e6) FROM ev;
SELECT postgres_fdw_disconnect_all();
SELECT dp_count('*', 1e6) FROM ev;
COMMIT;
-- dblink: by the server's name, and as the reader without a password.
\set VERBOSITY sqlstate
SELECT * FROM dblink('hostile', 'SELECT name FROM ev') AS t (name text);
SELECT dblink_connect('hostile');
\set VERBOSITY terse
SELECT dblink_connect_u('hostile', 'dbname=regress_hostile_shard user=regress_hostile_reader');
\set VERBOSITY sqlstate
SELECT * FROM dblink('dbname=regress_hostile_shard user=regress_hostile_reader host=' || :'socket' || ' port=' || current_setting('port'), 'SELECT name FROM ev') AS t (name text);
SELECT dp_count('*', 1) FROM ev WHERE name = (SELECT * FROM dblink('hostile', 'SELECT 1') AS t (name text));
SELECT dp_count('*', 1) FROM ev WHERE name IN (SELECT name FROM dblink('hostile', 'SELECT 1') AS t (name text));
\set VERBOSITY terse
SELECT dblink_get_connections();
-- What is sent: settings of the session change nothing there, and nothing that fails by row is sent.
SET postgres_fdw.application_name = 'mine %u %d %% %p';
SET DateStyle = 'SQL, DMY';
SET extra_float_digits = -15;
SET client_min_messages = debug1;
SELECT dp_count('*', 1e6) FROM ev WHERE n < 3;
SET client_min_messages = warning;
SELECT dp_count('*', 1e6) FROM ev WHERE 1 / (n - 7) > 0 AND n < 3;
SELECT dp_count('*', 1e6) FROM ev WHERE name::int > 0;
SELECT dp_count('*', 1e6) FROM ev WHERE (name || repeat('x', 1000000)) = 'p7';
SELECT dp_sum(n, 0, CASE WHEN name = 'p7' THEN 1 ELSE 2 END, 1) FROM ev;
SELECT dp_count('*', 1e6) FROM ev WHERE dp_internal.in_hash_part(2, 0, person);
SELECT dp_internal.shard_part('*', 1::float8, 'dp_count(any,float8)'::text) FROM ev;
SELECT n, dp_count('*', 1e6) FROM ev GROUP BY n ORDER BY n;
-- Own functions and operators below the noise, in the schema that is looked at first.
CREATE FUNCTION regress_hostile_ana.tell(text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RAISE WARNING ''saw %'', $1; RETURN true; END';
SELECT dp_count('*', 1e6) FROM ev WHERE tell(name);
SELECT dp_count('*', 1e6) FROM ev WHERE n OPERATOR(pg_catalog.<) 3 AND shown(name);
-- A table of one's own beside it.
CREATE TABLE regress_hostile_ana.own (id int);
SELECT dp_count('*', 1e6) FROM ev JOIN own USING (id);
RESET SESSION AUTHORIZATION;
SET search_path = regress_hostile, public;

-- What is left where somebody has granted too much is named.
GRANT USAGE ON FOREIGN SERVER hostile TO regress_hostile_ana;
GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO regress_hostile_ana;
SET SESSION AUTHORIZATION regress_hostile_ana;
CREATE FOREIGN TABLE regress_hostile_ana.mine (id int, name text) SERVER hostile OPTIONS (schema_name 'public', table_name 'ev');
\set VERBOSITY sqlstate
SELECT * FROM regress_hostile_ana.mine;
IMPORT FOREIGN SCHEMA public FROM SERVER hostile INTO regress_hostile_ana;
\set VERBOSITY terse
CREATE USER MAPPING FOR regress_hostile_ana SERVER hostile OPTIONS (user 'regress_hostile_reader', password_required 'false');
CREATE USER MAPPING FOR regress_hostile_ana SERVER hostile OPTIONS (user 'regress_hostile_reader');
\set VERBOSITY sqlstate
SELECT * FROM regress_hostile_ana.mine;
\set VERBOSITY terse
SELECT dp_count('*', 1e6) FROM ev JOIN regress_hostile_ana.mine USING (id);
SELECT dp_count('*', 1e6) FROM ev WHERE id IN (SELECT id FROM regress_hostile_ana.mine);
RESET SESSION AUTHORIZATION;
SELECT finding, run FROM dp.check('ev') WHERE finding LIKE '%server%';
DROP USER MAPPING FOR regress_hostile_ana SERVER hostile;
-- A mapping that answers, of a server's owner who gave it to everybody, is a hole of its own: it is named too.
CREATE USER MAPPING FOR PUBLIC SERVER hostile OPTIONS (user 'regress_hostile_reader', password_required 'false');
SELECT finding, run FROM dp.check('ev') WHERE finding LIKE '%server%';
DROP USER MAPPING FOR PUBLIC SERVER hostile;
-- Nothing of it closed the account, and each answer was charged.
SELECT closed, epsilon_spent / 1e6 AS answers FROM dp.budgets WHERE relation = 'ev'::regclass AND role = 'regress_hostile_ana'::regrole;

\set VERBOSITY default
DROP SCHEMA regress_hostile, regress_hostile_ana CASCADE;
DROP DATABASE regress_hostile_shard;
DROP ROLE regress_hostile_owner, regress_hostile_reader, regress_hostile_ana;
