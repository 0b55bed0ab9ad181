-- Collations are opened when a statement starts, in every process, whether a row gets to a comparison or not: one that warns of its
-- version says nothing about rows.
SET client_min_messages = error;
CREATE SCHEMA collations;
CREATE COLLATION collations.old (provider = icu, locale = 'de');
UPDATE pg_collation SET collversion = '0' WHERE oid = 'collations.old'::regcollation;
CREATE TABLE collations.t (id int, name text COLLATE collations.old, ill boolean);
INSERT INTO collations.t SELECT i, 'n' || i, false FROM generate_series(1, 100) i;
SELECT dp.protect('collations.t', 9e9) \g /dev/null
\c -
-- force_parallel_mode was its name before 16.
SELECT name AS forced_parallel FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SET :forced_parallel = on;
SET max_parallel_workers_per_gather = 1;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
\set VERBOSITY terse
-- The process that asks, and its worker; then the worker of the next.
SELECT dp_count('*', 1e6) FROM collations.t WHERE CASE WHEN ill THEN name < 'a' END;
SELECT dp_count('*', 1e6) FROM collations.t WHERE CASE WHEN ill THEN name < 'a' END;
SELECT dp_count('*', 1e6) FROM collations.t WHERE CASE WHEN NOT ill THEN name < 'a' END;
RESET ALL;
SET client_min_messages = error;
DROP SCHEMA collations CASCADE;
